import { html } from 'hono/html';
import type { PageState } from '../model.ts';
import { fieldOf } from '../parts/field.ts';
import { submit, unsent } from '../parts/form.ts';
import { lastAttempt } from '../parts/last-attempt.ts';
import { stillWaits } from '../parts/beside.ts';
import { problemSummary } from '../parts/problem-summary.ts';
import type { Page, View } from '../view.ts';

/** Asks how much. Saying it begins no payment: the next page shows the amount as it was understood. */
export function amount(page: Page, { method, field, again, failed }: Extract<PageState, { kind: 'amount' }>): View {
  const { texts, model } = page;
  return {
    title: texts.amountTitle,
    scripts: ['forms'],
    refused: field.problem !== undefined,
    body: html`<h1>${texts.amountTitle}</h1>
      ${stillWaits(page)} ${lastAttempt(page, failed)} ${problemSummary(page, [field])}
      <form
        method="get"
        action="${model.base}"
        data-form
        data-missing="${texts.fieldMissing}"
        data-wrong="${texts.fieldWrong}"
      >
        <input type="hidden" name="method" value="${method.key}" />
        ${again ? html`<input type="hidden" name="again" value="1" />` : ''} ${fieldOf(page, field)}
        ${submit(page, texts.continue)}${unsent(page)}
      </form>`,
  };
}
