import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import { BESIDE_INPUT } from '../model.ts';
import { said, type Page } from '../view.ts';

/** Above the other methods: the payment that still waits for the payer, what becomes of money that comes twice, and the way back. */
export function stillWaits(page: Page): Markup | '' {
  const { beside, base } = page.model;
  if (beside === undefined) return '';
  const method = said(page, beside.waits.title);
  return html`<div class="beside" role="note">
    <p>
      <bdi>${page.texts.stillWaits(method)}</bdi> ${beside.comesBack ? page.texts.secondComesBack : page.texts.payOnce}
    </p>
    <a class="link" href="${base}"><bdi>${page.texts.backToMethod(method)}</bdi></a>
  </div>`;
}

/** Says in a form that the payer knows of the payment that waits. */
export const besideInput = ({ model }: Page): Markup | '' =>
  model.beside === undefined ? '' : html`<input type="hidden" name="${BESIDE_INPUT}" value="1" />`;
