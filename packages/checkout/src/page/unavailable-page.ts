import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import { head } from './parts/head.ts';
import { icon } from './parts/icon.ts';
import { textsIn } from './texts/index.ts';

/**
 * The page while nothing can be read of its session, not even whom it belongs to. It has no form and no script.
 *
 * @param options.failed a fault that waiting does not mend
 * @param options.base the page's address, where the payer tries again
 * @param options.language a tag from `chooseLanguage`
 * @example unavailablePage({ base: '/auth/token', language: 'pt-BR' })
 */
export function unavailablePage(options: {
  readonly base: string;
  readonly language: string;
  readonly failed?: boolean;
}): string {
  const { language, texts } = textsIn(options.language);
  const title = options.failed === true ? texts.errorTitle : texts.unavailableTitle;
  const text = options.failed === true ? texts.doNotPayAgain : texts.unavailableText;
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
