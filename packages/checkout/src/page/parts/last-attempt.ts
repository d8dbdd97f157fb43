import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { FailedAttempt } from '../model.ts';
import { phrase, type Page } from '../view.ts';

/** Why the last attempt brought nothing, beside the form of the next one, and how often it may be tried again. */
export function lastAttempt(page: Page, failed: FailedAttempt | undefined): Markup | '' {
  if (failed === undefined) return '';
  const { texts, wording } = page;
  const why =
    failed.stopped === true
      ? wording.stoppedText
      : failed.reason === ''
        ? texts.lastAttemptUnknown
        : texts.lastAttempt(phrase(page, failed.reason));
  return html`<div class="last-attempt" role="group" aria-label="${texts.lastAttemptUnknown}">
    <p><bdi>${why}</bdi></p>
    <p>${texts.attemptsLeft(failed.attemptsLeft)}</p>
  </div>`;
}
