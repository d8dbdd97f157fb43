import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { icon } from '../parts/icon.ts';
import { backLink } from '../parts/leave.ts';
import { untilTime } from '../parts/time-of-day.ts';
import { waiting } from '../parts/waiting.ts';
import type { Page, View } from '../view.ts';

/** Seconds between two reloads of a page without scripts. */
const RELOAD = 10;

/**
 * The payer wants to leave an attempt that may still bring money: a second one beside it could be paid as well, so there is none until the
 * provider has said that this one is over. Leaving to the shop is always possible.
 */
export function leaving(
  page: Page,
  { continueUrl, validUntil, outlives }: Extract<PageState, { kind: 'leaving' }>,
): View {
  const { texts, wording, model } = page;
  const afterwards = outlives === true ? '' : ` ${texts.stillOpenAfterwards}`;
  const until =
    validUntil === undefined ? '' : html`<p>${untilTime(page, texts.stillOpenUntil, validUntil)}${afterwards}</p>`;
  return {
    title: wording.stillOpenTitle,
    scripts: ['live-status', 'forms', 'local-times'],
    refresh: { seconds: RELOAD, to: `${model.base}?leaving=1` },
    body: html`<div class="end">
      ${icon('time')}
      <h1>${wording.stillOpenTitle}</h1>
      <p class="lead">${wording.stillOpenText}</p>
      ${until}
      <p>${texts.stillOpenLeave}</p>
      ${waiting(page, texts.updatesItself)}
      <a class="button primary" href="${model.base}">${wording.backToPayment}</a>
      ${backLink(page, continueUrl, 'quiet')}
    </div>`,
  };
}
