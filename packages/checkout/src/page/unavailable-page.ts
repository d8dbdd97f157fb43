import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import { head } from './parts/head.ts';
import { icon } from './parts/icon.ts';
import { textsIn } from './texts/index.ts';

/**
 * The page while nothing can be read of its session, not even whom it belongs to. It has no form and no script.
 *
 * @param options.base the page's address, where the payer tries again
 * @param options.language a tag from `chooseLanguage`
 * @example unavailablePage({ base: '/auth/token', language: 'pt-BR' })
 */
export function unavailablePage(options: { readonly base: string; readonly language: string }): string {
  const { tag, texts } = textsIn(options.language);
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${tag}">
        ${head(texts.unavailableTitle)}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                ${icon('time', 'quiet')}
                <h1>${texts.unavailableTitle}</h1>
                <p class="lead">${texts.unavailableText}</p>
                <a class="button primary" href="${options.base}">${texts.tryAgain}</a>
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}
