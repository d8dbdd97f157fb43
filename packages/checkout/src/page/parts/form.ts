import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';

type Action = 'pay' | 'answer' | 'renew' | 'change' | 'cancel';

/**
 * A form of the page. The button that sends it becomes inert at once and shows `working`.
 *
 * @param checked the script asks the service before the form is sent, so that a refusal costs no other entry
 */
export function form(page: Page, action: Action, body: Markup, checked = false): Markup {
  const { texts, model } = page;
  return html`<form
    method="post"
    action="${model.base}/${action}"
    data-form
    data-missing="${texts.fieldMissing}"
    data-wrong="${texts.fieldWrong}"
    ${checked ? html` data-check="${model.base}/check"` : ''}
  >
    ${body}${unsent(page)}
  </form>`;
}

/** Shown by the script where a form could not be sent. */
export const unsent = ({ texts }: Page): Markup =>
  html`<p class="problem" role="alert" data-unsent hidden>${texts.unsent}</p>`;

/** The button that sends a form. */
export function submit(page: Page, text: string): Markup {
  return html`<button class="button primary" data-busy="${page.texts.working}">${text}</button>`;
}

/** A form that is only a button. */
export function postButton(page: Page, action: Action, text: string, style: 'primary' | 'quiet'): Markup {
  return form(page, action, html`<button class="button ${style}" data-busy="${page.texts.working}">${text}</button>`);
}
