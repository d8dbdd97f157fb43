import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { Decline, FailedAttempt } from '../model.ts';
import { declineText, type Page } from '../view.ts';

/** Why the last attempt brought nothing, beside the form of the next one, and how often it may be tried again. */
export function lastAttempt(page: Page, failed: FailedAttempt | undefined): Markup | '' {
  if (failed === undefined) return '';
  const { texts, wording } = page;
  const why = failed.decline.code === 'stopped_by_payer' ? wording.stoppedText : lastReason(page, failed.decline);
  return html`<div class="last-attempt" role="group" aria-label="${texts.lastAttemptUnknown}">
    <p><bdi>${why}</bdi></p>
    <p>${texts.attemptsLeft(failed.attemptsLeft)}</p>
  </div>`;
}

export function lastReason(page: Page, decline: Decline): string {
  const text = declineText(page, decline);
  return text === '' ? page.texts.lastAttemptUnknown : page.texts.lastAttempt(text);
}
