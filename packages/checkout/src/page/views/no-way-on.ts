import { html } from 'hono/html';
import { icon } from '../parts/icon.ts';
import type { Page, View } from '../view.ts';

/** An address that nobody may be sent to. The payment goes on being looked at, so this is no failure either. */
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
