import { html } from 'hono/html';
import type { Markup } from './markup.ts';
import type { Page } from './view.ts';

/** Warns two minutes before the page closes (WCAG 2.2.1), where the payer still has something to do on it. */
export function sessionClock(page: Page): Markup | '' {
  const { model, texts } = page;
  if (!['choose', 'ask', 'turn'].includes(model.state.kind)) return '';
  return html`<div
    class="session"
    role="status"
    data-session="${model.expiresAt}"
    data-now="${model.now}"
    data-soon="${texts.sessionEnds(texts.minutes(2))}"
    data-ended="${texts.sessionOver}"
  ></div>`;
}
