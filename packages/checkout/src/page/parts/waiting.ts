import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';

/** Says that the page waits. A script keeps it true; without scripts the link and the refresh of the page do. */
export function waiting(page: Page, text: string = page.wording.waiting): Markup {
  const { texts, model } = page;
  return html`<div class="waiting">
    <p role="status" data-status data-offline="${texts.offline}">
      <span class="pulse" aria-hidden="true"></span><span data-status-text>${text}</span>
    </p>
    <noscript><a class="link" href="${model.base}">${texts.checkNow}</a></noscript>
  </div>`;
}
