import { html } from 'hono/html';
import type { Markup } from './markup.ts';
import type { PageState } from './model.ts';
import { timeOfDay } from './parts/layout.ts';
import type { Page } from './view.ts';

const MINUTE_MS = 60_000;

/** Where the payer still has something to do on the page, or goes on from it. */
const OPEN: ReadonlySet<PageState['kind']> = new Set(['choose', 'amount', 'ask', 'next-action', 'visit', 'show']);

/**
 * Warns two minutes before the page closes (WCAG 2.2.1), and at the end has the page looked at again. Without scripts it says beforehand
 * when that is.
 */
export function sessionClock(page: Page): Markup | '' {
  const { model, texts } = page;
  if (!OPEN.has(model.state.kind)) return '';
  const left = Date.parse(model.expiresAt) - Date.parse(model.now);
  const soon = left >= 2 * MINUTE_MS ? texts.minutes(2) : texts.seconds(Math.max(0, Math.ceil(left / 1000)));
  return html`<div
      class="session"
      role="status"
      data-session="${model.expiresAt}"
      data-now="${model.now}"
      data-soon="${texts.sessionEnds(soon)}"
      data-ended="${texts.sessionOver}"
    ></div>
    <noscript><p class="session">${texts.sessionUntil(timeOfDay(page, model.expiresAt))}</p></noscript>`;
}
