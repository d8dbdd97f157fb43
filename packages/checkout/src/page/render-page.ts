import { html, raw } from 'hono/html';
import { written } from './markup.ts';
import type { PageModel } from './model.ts';
import { orderSummary } from './order-summary.ts';
import { importsOf, script, type ScriptName } from './page-assets.ts';
import { head } from './parts/head.ts';
import { waysOut } from './parts/ways-out.ts';
import { sessionClock } from './session-clock.ts';
import { pageOf } from './page-of.ts';
import type { Page, View } from './view.ts';
import { viewOf } from './view-of.ts';

/**
 * The whole hosted page as an HTML document. It works without scripts wherever the method allows.
 *
 * @param options.nonce the same as in the page's policy, see `pageHeaders`
 * @param options.language a tag from `chooseLanguage`
 * @example renderPage(model, { nonce, language: chooseLanguage(request.headers['accept-language']) })
 */
export function renderPage(model: PageModel, options: { readonly nonce: string; readonly language: string }): string {
  const page = pageOf(model, options.language);
  return written(layout(page, viewOf(page), options.nonce));
}

function layout(page: Page, view: View, nonce: string) {
  const { model, texts } = page;
  const clock = sessionClock(page);
  const scripts = new Set<ScriptName>(view.scripts);
  if (clock !== '') scripts.add('countdown');
  // A page that sends the payer away keeps in its history that it did; the script for forms would load it anew without that.
  if ((model.canCancel || model.canChange) && model.state.kind !== 'visit') scripts.add('forms');
  const imported = new Set([...scripts].flatMap((name) => importsOf(name)));
  const title = `${view.refused === true ? `${texts.errorPrefix}: ` : ''}${view.title} · ${model.merchantName}`;
  return html`${raw('<!doctype html>')}
    <html lang="${page.language}">
      ${head(
        title,
        html`${[...imported].map(({ path, integrity }) => html`<link rel="modulepreload" href="${path}" integrity="${integrity}" nonce="${nonce}" />`)}
        ${view.vendorScript === undefined ? '' : html`<script defer src="${view.vendorScript}" nonce="${nonce}"></script>`}
        ${[...scripts].map((name) => html`<script type="module" src="${script(name).path}" integrity="${script(name).integrity}" nonce="${nonce}"></script>`)}
        ${view.refresh === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${view.refresh.seconds};url=${view.refresh.to}" /></noscript>`}`,
      )}
      <body data-base="${model.base}" data-version="${model.version}">
        ${model.test ? html`<header class="test">${texts.testMode}</header>` : ''}
        <div class="page">
          ${orderSummary(page)}
          <main>${clock} ${view.body} ${waysOut(page)}</main>
        </div>
      </body>
    </html> `;
}
