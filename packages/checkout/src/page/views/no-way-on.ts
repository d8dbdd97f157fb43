import { html } from 'hono/html';
import { icon } from '../parts/icon.ts';
import type { Page, View } from '../view.ts';

/** For an address to which a payer must not be redirected. The payment is still being checked, so this is not a failure. */
export function noWayOn(page: Page): View {
  const { texts, wording, model } = page;
  return {
    title: wording.checkingTitle,
    scripts: ['live-status'],
    body: html`${icon('time')}
      <h1>${wording.checkingTitle}</h1>
      <p><bdi>${texts.noWayOn(model.merchantName)}</bdi></p>`,
  };
}
