import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import { head } from './parts/head.ts';
import { icon } from './parts/icon.ts';
import { textsIn } from './texts/index.ts';

/**
 * The page where nothing of its session is shown. It has no form and no script.
 *
 * @param options.why `unavailable`: the session cannot be read now; `failed`: a fault that waiting does not mend; `too-many-declines`: the
 *   address of the payer has had too many attempts declined

 * @param options.base the page's address, where the payer tries again
 * @param options.language a tag from `chooseLanguage`
 * @example unavailablePage({ why: 'unavailable', base: '/auth/token', language: 'pt-BR' })
 */
export function unavailablePage(options: {
  readonly base: string;
  readonly language: string;
  readonly why: 'unavailable' | 'failed' | 'too-many-declines';
}): string {
  const { language, texts } = textsIn(options.language);
  const says = {
    unavailable: [texts.unavailableTitle, texts.unavailableText],
    failed: [texts.errorTitle, texts.doNotPayAgain],
    'too-many-declines': [texts.tooManyDeclinesTitle, texts.tooManyDeclinesText],
  } as const satisfies Record<typeof options.why, readonly [title: string, text: string]>;
  const [title, text] = says[options.why];
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}">
        ${head(title)}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                ${icon('time', 'quiet')}
                <h1>${title}</h1>
                <p class="lead">${text}</p>
                <a class="button primary" href="${options.base}">${texts.tryAgain}</a>
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}
