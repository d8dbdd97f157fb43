import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';
import { postButton } from './form.ts';

/** The ways out for a payer who does not want to go on: pay another way, or go back to the shop. */
export function waysOut(page: Page): Markup | '' {
  const { model, texts } = page;
  if (!model.canCancel && !model.canChange) return '';
  const hasOthers = model.beside !== undefined && model.state.kind === 'show';
  return html`<div class="cancel">
    ${hasOthers ? html`<a class="button quiet" href="${model.base}?again=1">${texts.changeMethod}</a>` : ''}
    ${model.canChange ? postButton(page, 'change', texts.change, 'quiet') : ''}
    ${model.canCancel ? postButton(page, 'cancel', texts.cancel, 'quiet') : ''}
  </div>`;
}
