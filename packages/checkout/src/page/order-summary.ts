import { html } from 'hono/html';
import type { Markup } from './markup.ts';
import type { Page } from './view.ts';

/** An amount stands on one line: the longer it is, the smaller it is written. The steps are those of the stylesheet. */
const sizeOf = (text: string): string => `upto-${[13, 17, 23, 30].find((most) => text.length <= most) ?? 44}`;

/** Who is paid, what for and how much: the same on every screen. */
export function orderSummary(page: Page): Markup {
  const { model, texts, wording, amount } = page;
  return html`<section class="order" aria-label="${texts.order}">
    <p class="merchant"><bdi>${model.merchantName}</bdi></p>
    <p class="amount ${sizeOf(amount ?? '')}">
      <span class="spoken">${wording.amountLabel}: </span><bdi>${amount ?? wording.openAmount}</bdi>
    </p>
    <p class="description"><bdi>${model.description}</bdi></p>
    <p class="number">${texts.order} <bdi>${model.orderNumber}</bdi></p>
  </section>`;
}
