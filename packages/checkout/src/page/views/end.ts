import { html } from 'hono/html';
import { formatAmount } from '../amount.ts';
import type { Markup } from '../markup.ts';
import { RECEIPT, type PageMethod, type PageReceipt, type PageState } from '../model.ts';
import {
  backLink,
  datedMoment,
  detailList,
  icon,
  lastReason,
  leadsBackTo,
  printButton,
  untilMoment,
  waiting,
} from '../parts/layout.ts';
import { methodList } from '../parts/forms.ts';
import { content } from './shown.ts';
import { declineText, said, type Page, type View } from '../view.ts';

/** Seconds between two reloads of a page without scripts. */
const RELOADChecking = 10;

/** The outcome is not known yet. This is never shown as a failure: a payer who pays again pays twice. */
export function checking(page: Page, { continueUrl }: Extract<PageState, { kind: 'checking' }>): View {
  const { texts, wording, model } = page;
  return {
    title: wording.checkingTitle,
    scripts: ['live-status'],
    refresh: { seconds: RELOADChecking, to: model.base },
    body: html`<div class="end">
      ${icon('time')}
      <h1>${wording.checkingTitle}</h1>
      <p class="lead">${wording.checkingText}</p>
      <p>${texts.safeToClose}</p>
      ${waiting(page, texts.updatesItself)} ${backLink(page, continueUrl, 'quiet')}
    </div>`,
  };
}

type State<K extends PageState['kind']> = Extract<PageState, { kind: K }>;

/** Time to read that it worked before the merchant's page comes. */
const READING_SECONDS = 5;

/** The receipt prints and is saved as the page, which then does not go on by itself. */
export function success(page: Page, { continueUrl, received, receipt, stays }: State<'success'>): View {
  const { texts, wording, model, language } = page;
  const more =
    received === undefined
      ? ''
      : html`<p><bdi>${texts.paidMore(formatAmount(received, language), model.merchantName)}</bdi></p>`;
  const href = stays === true ? undefined : leadsBackTo(page, continueUrl);
  const way =
    receipt === undefined || href === undefined
      ? printButton(page)
      : html`<a class="button quiet" href="${model.base}?${RECEIPT}=1">${texts.receipt}</a>`;
  return {
    title: wording.successTitle,
    ...(href !== undefined && { refresh: { seconds: READING_SECONDS, to: href } }),
    body: html`<div class="end">
        ${icon('done')}
        <h1>${wording.successTitle}</h1>
        <p class="lead"><bdi>${wording.successText(model.merchantName)}</bdi></p>
        ${more}
      </div>
      ${receipt === undefined ? '' : receiptRows(page, receipt)}
      <div class="end">
        ${href === undefined ? '' : html`<p data-promise>${texts.continuesSoon}</p>`}${backLink(page, continueUrl, 'primary', stays !== true)}
        ${way}
      </div>`,
  };
}

function receiptRows(page: Page, { paidAt, method, brand, reference }: PageReceipt): Markup {
  const { texts } = page;
  const name = method && said(page, method);
  return detailList(page, [
    { label: texts.date, value: paidAt, shown: datedMoment(page, paidAt) },
    ...(name === undefined ? [] : [{ label: texts.method, value: brand === undefined ? name : `${name} (${brand})` }]),
    { label: texts.receiptReference, value: reference, copy: true },
  ]);
}

export function declined(page: Page, state: State<'declined'>): View {
  const { texts, wording, model } = page;
  const { decline, mayRetry, method, others = [], attemptsLeft, usedUp, continueUrl } = state;
  const address = `${model.base}?${new URLSearchParams({ again: '1', ...(method !== undefined && { method }) }).toString()}`;
  const again = mayRetry ? html`<a class="button primary" href="${address}">${texts.tryAgain}</a>` : '';
  return {
    title: wording.declinedTitle,
    // The last decline leads on to `cancel_url` (protocol: Maximum count declines).
    ...(usedUp === true && goesOn(page, continueUrl)),
    body: html`<div class="end">
        ${icon('stopped', 'alert')}
        <h1>${wording.declinedTitle}</h1>
        <p class="lead"><bdi>${declineText(page, decline) || texts.declinedText}</bdi></p>
        ${attemptsLeft === undefined ? '' : html`<p>${texts.attemptsLeft(attemptsLeft)}</p>`}
        ${usedUp === true ? html`<p>${texts.noAttemptsLeft}</p>` : ''}
        ${again}${backLink(page, continueUrl, mayRetry ? 'quiet' : 'primary', usedUp === true)}
      </div>
      ${otherMethods(page, others)}`,
  };
}

/** Leads on to the merchant by itself, after the time that it takes to read why. */
function goesOn(page: Page, continueUrl: string | undefined): Pick<View, 'refresh'> {
  const href = leadsBackTo(page, continueUrl);
  return href === undefined ? {} : { refresh: { seconds: READING_SECONDS, to: href } };
}

function otherMethods(page: Page, methods: readonly PageMethod[]): Markup | '' {
  if (methods.length === 0) return '';
  return html`<h2 class="other">${page.texts.changeMethod}</h2>
    ${methodList(page, methods)}`;
}

/** Seconds between two reloads of a page without scripts. */
const RELOAD = 20;

export function expired(page: Page, { continueUrl, received, mayArrive, payable, decline }: State<'expired'>): View {
  const { texts, model, language } = page;
  const part =
    received === undefined
      ? ''
      : html`<p><bdi>${texts.paidPart(formatAmount(received, language), model.merchantName)}</bdi></p>`;
  const late =
    mayArrive === undefined || payable !== undefined
      ? ''
      : html`<p>${mayArrive === 'deposit' ? texts.mayArrive : texts.mayBePaid}</p>`;
  const isWaiting = mayArrive !== undefined;
  return {
    title: texts.expiredTitle,
    // Who has just paid reads what becomes of it, and sees the result here.
    ...(isWaiting
      ? { scripts: ['live-status'] as const, refresh: { seconds: RELOAD, to: model.base } }
      : goesOn(page, continueUrl)),
    body: html`<div class="end">
        ${icon('time', 'quiet')}
        <h1>${texts.expiredTitle}</h1>
        <p class="lead">
          ${payable === undefined ? texts.expiredText : untilMoment(page, texts.stillPayable, payable.validUntil)}
        </p>
        ${decline === undefined ? '' : html`<p><bdi>${lastReason(page, decline)}</bdi></p>`} ${part}${late}
        ${isWaiting ? waiting(page, texts.updatesItself) : ''} ${backLink(page, continueUrl, 'primary', !isWaiting)}
      </div>
      ${payable === undefined ? '' : html`${content(page, { show: payable })?.body ?? ''}`}`,
  };
}

/** A fault of our own. The merchant's `error_url` comes by itself; without one the payer tries what else there is. */
export function failure(page: Page, { continueUrl, nothingCharged, others = [] }: State<'error'>): View {
  const { texts, model } = page;
  const again = html`<a class="button primary" href="${model.base}">${texts.tryAgain}</a>`;
  const leads = continueUrl !== undefined;
  return {
    title: texts.errorTitle,
    ...(leads && goesOn(page, continueUrl)),
    body: html`<div class="end">
        ${icon('stopped', 'alert')}
        <h1>${texts.errorTitle}</h1>
        <p class="lead">${texts.errorText}</p>
        <p>${nothingCharged === true ? texts.nothingCharged : texts.doNotPayAgain}</p>
        ${leads || others.length > 0 ? '' : again}${backLink(page, continueUrl, 'primary', true)}
      </div>
      ${leads ? '' : otherMethods(page, others)}`,
  };
}

export function givenBack(page: Page, { continueUrl }: State<'given-back'>): View {
  const { texts, wording, model } = page;
  return {
    title: wording.givenBackTitle,
    body: html`<div class="end">
      ${icon('done', 'quiet')}
      <h1>${wording.givenBackTitle}</h1>
      <p class="lead"><bdi>${texts.givenBackText(model.merchantName)}</bdi></p>
      ${backLink(page, continueUrl, 'primary')}
    </div>`,
  };
}

export function cancelled(page: Page, { continueUrl }: State<'cancelled'>): View {
  const { texts, wording } = page;
  return {
    title: wording.cancelledTitle,
    ...goesOn(page, continueUrl),
    body: html`<div class="end">
      ${icon('stopped', 'quiet')}
      <h1>${wording.cancelledTitle}</h1>
      <p class="lead">${texts.cancelledText}</p>
      ${backLink(page, continueUrl, 'primary', true)}
    </div>`,
  };
}
