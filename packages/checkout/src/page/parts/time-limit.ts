import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Page } from '../view.ts';
import { postButton } from './form.ts';
import { icon } from './icon.ts';
import { untilMoment } from './time-of-day.ts';

/** Whether the time of what is shown is already over, by the server's clock. */
export function isOver(page: Page, validUntil: string | undefined): boolean {
  return validUntil !== undefined && Date.parse(validUntil) <= Date.parse(page.model.now);
}

/**
 * Something that is valid for a while. At its end it gives way to a button for a new one, where there is one. It never
 * says that the payment failed: a payer who has paid in the last second sees the result as soon as it is known.
 */
export function timeLimited(page: Page, validUntil: string | undefined, renewable: boolean, body: Markup): Markup {
  if (validUntil === undefined) return body;
  const over = isOver(page, validUntil);
  const { texts, model } = page;
  return html`<div data-limited${over ? html` hidden` : ''}>
      ${body}
      <p class="countdown" data-countdown="${validUntil}" data-now="${model.now}" data-left="${texts.timeLeft}">
        ${untilMoment(page, texts.validUntil, validUntil)}
      </p>
      <p
        class="spoken"
        aria-live="polite"
        data-spoken
        data-say-180="${texts.endsIn(texts.minutes(3))}"
        data-say-60="${texts.endsIn(texts.minutes(1))}"
        data-say-30="${texts.endsIn(texts.seconds(30))}"
      ></p>
    </div>
    <div class="end" data-over${over ? '' : html` hidden`}>
      ${icon('time')}
      <h1 tabindex="-1">${texts.overTitle}</h1>
      <p class="lead">${renewable ? texts.overRenew : texts.overWait}</p>
      ${renewable ? postButton(page, 'renew', texts.newCode, 'primary') : ''}
    </div>`;
}
