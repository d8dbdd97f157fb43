import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import { head } from './parts/head.ts';
import { textsIn } from './texts/index.ts';

/**
 * The way back of a payer who came in a frame, or who goes back into a window or frame by its name: a browser opens these only when the payer
 * presses something. It has no form and no script.
 *
 * @param options.address where it leads, as `leavingAddress` gives it
 * @param options.target a keyword such as `_top`, or the name of a frame
 * @param options.language a tag from `chooseLanguage`
 */
export function returnPage(options: {
  readonly merchantName: string;
  readonly address: string;
  readonly target: string;
  readonly language: string;
}): string {
  const { language, texts } = textsIn(options.language);
  const { address, target, merchantName } = options;
  return written(
    html`${raw('<!doctype html>')}
      <html lang="${language}">
        ${head(texts.visitTitle)}
        <body>
          <div class="page alone">
            <main>
              <div class="end">
                <h1>${texts.visitTitle}</h1>
                <p class="lead"><bdi>${texts.visitText(new URL(address).host)}</bdi></p>
                <a class="button primary" href="${address}" target="${target}" rel="noreferrer"
                  ><bdi>${texts.backTo(merchantName)}</bdi></a
                >
              </div>
            </main>
          </div>
        </body>
      </html> `,
  );
}
