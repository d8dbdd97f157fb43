import { html } from 'hono/html';
import { leavingAddress, withQuery } from '../leaving.ts';
import type { Markup } from '../markup.ts';
import type { PageState } from '../model.ts';
import { noWayOn } from './no-way-on.ts';
import type { Page, View } from '../view.ts';

/**
 * Sends the payer away. A script does it at once, but only once: who comes back with the browser's Back button sees
 * `Continue` and the ways out; without scripts they are there from the beginning, because a page that goes on by itself could not be left.
 * Inside a frame that may only be left to the top, the button opens a new window (protocol: Override Link Target).
 */
export function visit(page: Page, { nextAction }: Extract<PageState, { kind: 'visit' }>): View {
  const address = leavingAddress(nextAction.url);
  if (address === undefined) return noWayOn(page);
  const { texts, model } = page;
  const top = model.urlTarget === '_top' ? html` data-top` : '';
  const { host } = new URL(address);
  const href = withQuery(address, nextAction.method === 'GET' ? nextAction.fields : {});
  const way: Markup =
    nextAction.method === 'GET'
      ? html`<a
          class="button primary"
          href="${href}"
          rel="noreferrer"
          data-leave="${href}"
          data-after="0"
          data-once="${nextAction.step}"
          ${top}
          >${texts.continue}</a
        >`
      : html`<form method="post" action="${address}" data-leave data-after="0" data-once="${nextAction.step}" ${top}>
          ${Object.entries(nextAction.fields).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )} <button class="button primary">${texts.continue}</button>
        </form>`;
  return {
    title: texts.visitTitle,
    scripts: ['leave', 'live-status'],
    body: html`<h1>${texts.visitTitle}</h1>
      <p><bdi>${texts.visitText(host)}</bdi></p>
      <p role="status" data-new-window hidden>${texts.visitNewWindow}</p>
      ${way}`,
  };
}
