import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import { script } from './page-assets.ts';
import { head, scriptTags } from './parts/layout.ts';
import { directionOf, textsIn } from './texts/index.ts';

/**
 * The way back of a payer whose values stand behind the `#` of the address: a script brings them. It has no form. Without scripts, and
 * where nothing was brought, the payer goes on to the page, which shows the way to the provider again.
 *
 * @param options.base the page's address
 * @param options.nonce the same as in the page's policy
 * @param options.language a tag from `chooseLanguage`
 */
export function fragmentPage(options: {
  readonly base: string;
  readonly nonce: string;
  readonly language: string;
}): string {
  const { language, texts } = textsIn(options.language);
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}" dir="${directionOf(language)}">
        ${head(texts.visitTitle, scriptTags([script('fragment')], options.nonce))}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                <h1>${texts.visitTitle}</h1>
                <a class="button primary" href="${options.base}">${texts.continue}</a>
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}
