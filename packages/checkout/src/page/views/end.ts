import { html } from 'hono/html';
import { formatAmount } from '../amount.ts';
import { leavingAddress } from '../leaving.ts';
import type { PageState } from '../model.ts';
import { icon } from '../parts/icon.ts';
import { backLink } from '../parts/leave.ts';
import { phrase, type Page, type View } from '../view.ts';

type State<K extends PageState['kind']> = Extract<PageState, { kind: K }>;

/** Time to read that it worked before the merchant's page comes. */
const READING_SECONDS = 5;

export function success(page: Page, { continueUrl, received }: State<'success'>): View {
  const { texts, wording, model, language } = page;
  const more =
    received === undefined
      ? ''
      : html`<p><bdi>${texts.paidMore(formatAmount(received, language), model.merchantName)}</bdi></p>`;
  const href = leavingAddress(continueUrl);
  return {
    title: wording.successTitle,
    scripts: ['leave'],
    ...(href !== undefined && { refresh: { seconds: READING_SECONDS, to: href } }),
    body: html`<div class="end">
      ${icon('done')}
      <h1>${wording.successTitle}</h1>
      <p class="lead"><bdi>${wording.successText(model.merchantName)}</bdi></p>
      ${more}
      ${href === undefined ? '' : html`<p>${texts.continuesSoon}</p>`}${backLink(page, continueUrl, 'primary', true)}
    </div>`,
  };
}

export function declined(page: Page, { reason, mayRetry, attemptsLeft, usedUp, continueUrl }: State<'declined'>): View {
  const { texts, wording, model } = page;
  const again = mayRetry ? html`<a class="button primary" href="${model.base}?again=1">${texts.tryAgain}</a>` : '';
  return {
    title: wording.declinedTitle,
    // The last decline leads on to `cancel_url` (protocol: Maximum count declines).
    scripts: usedUp === true ? ['leave'] : [],
    body: html`<div class="end">
      ${icon('stopped', 'alert')}
      <h1>${wording.declinedTitle}</h1>
      <p class="lead"><bdi>${reason === '' ? texts.declinedText : phrase(page, reason)}</bdi></p>
      ${attemptsLeft === undefined ? '' : html`<p>${texts.attemptsLeft(attemptsLeft)}</p>`}
      ${usedUp === true ? html`<p>${texts.noAttemptsLeft}</p>` : ''}
      ${again}${backLink(page, continueUrl, mayRetry ? 'quiet' : 'primary', usedUp === true)}
    </div>`,
  };
}

export function expired(page: Page, { continueUrl, received, mayArrive }: State<'expired'>): View {
  const { texts, model, language } = page;
  const part =
    received === undefined
      ? ''
      : html`<p><bdi>${texts.paidPart(formatAmount(received, language), model.merchantName)}</bdi></p>`;
  return {
    title: texts.expiredTitle,
    scripts: [],
    body: html`<div class="end">
      ${icon('time', 'quiet')}
      <h1>${texts.expiredTitle}</h1>
      <p class="lead">${texts.expiredText}</p>
      ${part}${mayArrive === true ? html`<p>${texts.mayArrive}</p>` : ''} ${backLink(page, continueUrl, 'primary')}
    </div>`,
  };
}

export function cancelled(page: Page, { continueUrl }: State<'cancelled'>): View {
  const { texts, wording } = page;
  return {
    title: wording.cancelledTitle,
    scripts: [],
    body: html`<div class="end">
      ${icon('stopped', 'quiet')}
      <h1>${wording.cancelledTitle}</h1>
      <p class="lead">${texts.cancelledText}</p>
      ${backLink(page, continueUrl, 'primary')}
    </div>`,
  };
}
