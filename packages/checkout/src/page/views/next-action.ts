import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { fieldOf } from '../parts/field.ts';
import { form, submit } from '../parts/form.ts';
import { problemSummary } from '../parts/problem-summary.ts';
import type { Page, View } from '../view.ts';

export function nextAction(
  page: Page,
  { nextAction: asked, fields }: Extract<PageState, { kind: 'next-action' }>,
): View {
  const { texts } = page;
  const step = html`<input type="hidden" name="step" value="${asked.step}" />`;
  const inputs = html`${step}${fields.map((field) => fieldOf(page, field))}${submit(page, texts.continue)}`;
  // A form of its own: asking for a new code must not be held up by an empty field.
  const again = html`${step}<input type="hidden" name="resend" value="1" /><button
      class="button quiet"
      data-busy="${texts.working}"
    >
      ${texts.resend}
    </button>`;
  return {
    title: texts.nextActionTitle,
    scripts: ['forms'],
    refused: asked.error !== undefined || fields.some((field) => field.problem !== undefined),
    body: html`<h1>${texts.nextActionTitle}</h1>
      ${problemSummary(page, fields, asked.error)}
      ${form(page, 'answer', inputs)}${asked.resend ? form(page, 'answer', again) : ''}`,
  };
}
