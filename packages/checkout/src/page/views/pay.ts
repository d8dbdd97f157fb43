import { html } from 'hono/html';
import { type PageAmount, type PageConsent, type PageMethod, type PageState, type WalletForm } from '../model.ts';
import {
  CHOSEN,
  cardInputs,
  fieldOf,
  form,
  methodList,
  otherCards,
  paysBy,
  problemSummary,
  submit,
  unsent,
  walletButton,
} from '../parts/forms.ts';
import { backLink, icon, lastAttempt, stillWaits, untilTime, waiting } from '../parts/layout.ts';
import { buttonText, said, type Page, type View } from '../view.ts';
import { AMOUNT_FIELD, CHANGE_AMOUNT, CONSENT_FIELD } from '../../sessions/payer-input.ts';
import type { Markup } from '../markup.ts';
import { formatAmount } from '../amount.ts';
import { messageIn } from '../texts/index.ts';
import { leavingAddress, withQuery } from '../leaving.ts';

/** Asks how much. Saying it begins no payment: the next page shows the amount as it was understood. */
export function amount(
  page: Page,
  { method, methods, field, again, failed }: Extract<PageState, { kind: 'amount' }>,
): View {
  const { texts, model } = page;
  const asked = html`<h1>${texts.amountTitle}</h1>
    ${stillWaits(page)}
    <form
      method="get"
      action="${model.base}#${CHOSEN}"
      data-form
      data-missing="${texts.fieldMissing}"
      data-wrong="${texts.fieldWrong}"
    >
      <input type="hidden" name="method" value="${method.key}" />
      ${again ? html`<input type="hidden" name="again" value="1" />` : ''} ${fieldOf(page, field)}
      ${submit(page, texts.continue)}${unsent(page)}
    </form>`;
  return {
    title: texts.amountTitle,
    refused: field.problem !== undefined,
    body: html`${problemSummary(page, [field])} ${lastAttempt(page, failed)} ${inList(page, { method, methods }, asked)}`,
  };
}

/** The form of a method, in its place among the others. */
const inList = (
  page: Page,
  { method, methods }: { readonly method: PageMethod; readonly methods: readonly PageMethod[] },
  body: Markup,
): Markup => (methods.length < 2 ? body : methodList(page, methods, { method, body }));

export function ask(page: Page, state: Extract<PageState, { kind: 'ask' }>): View {
  const { method, amount, fields, card, wallet, consent, problem, failed, methods } = state;
  const { wording } = page;
  const title = wording.withMethod(said(page, method.title));
  const drawn = card === undefined ? fields.map((field) => fieldOf(page, field)) : cardInputs(page, card, fields);
  const inputs = html`${paysBy(page, method.key)}${amount === undefined ? '' : amountSaid(page, method, amount)}${drawn}${consent === undefined ? '' : consentBox(page, consent)}${wallet === undefined ? submit(page, buttonText(page)) : walletButton(page, method, wallet)}`;
  const asked = html`<h1><bdi>${title}</bdi></h1>
    ${stillWaits(page)}${form(page, 'pay', inputs, fields.length > 0)}
    ${card === undefined || card.others.length === 0 ? '' : otherCards(page, method, card.others, amount)}`;
  // Above the list: without scripts a refused form comes back at its beginning.
  const problems = html`${isRefused(wallet) ? html`<p class="problem" role="alert" tabindex="-1" data-summary>${messageIn(page, wallet?.problem ?? '')}</p>` : ''}${problemSummary(page, fields, problem)}`;
  return {
    title,
    scripts: [
      ...(card === undefined ? [] : (['card'] as const)),
      ...(wallet?.button === undefined ? [] : (['wallet'] as const)),
    ],
    ...(wallet?.button && { vendorScript: wallet.button.script }),
    refused: problem !== undefined || fields.some((field) => field.problem !== undefined) || isRefused(wallet),
    body: html`${problems} ${lastAttempt(page, failed)} ${inList(page, { method, methods }, asked)}`,
  };
}

/** The amount that the payer entered, as it was understood: shown for review before anything is paid. */
function amountSaid(page: Page, { key }: PageMethod, { text }: PageAmount): Markup {
  const { texts, model } = page;
  const other = `${model.base}?${new URLSearchParams({ method: key, again: '1', [CHANGE_AMOUNT]: '1' }).toString()}#${CHOSEN}`;
  return html`<input type="hidden" name="${AMOUNT_FIELD}" value="${text}" />
    <p class="said">
      <bdi>${texts.amountSaid(page.amount ?? text)}</bdi> <a class="link" href="${other}">${texts.changeAmount}</a>
    </p>`;
}

/** The payer is free to leave it out: then it is a one-time purchase (reference: recurring_consent_required). */
function consentBox(page: Page, { amount, interval, count, given }: PageConsent): Markup {
  const label = page.texts.consent(formatAmount(amount, page.language), count, interval.length, interval.unit);
  const value = given ? { value: 'true' } : {};
  return fieldOf(page, { name: CONSENT_FIELD, label, input: 'checkbox', required: false, ...value });
}

/** Whether a token of the wallet was sent and not taken. */
const isRefused = (wallet: WalletForm | undefined): boolean => wallet?.button !== undefined && wallet.problem !== '';

export function choose(page: Page, state: Extract<PageState, { kind: 'choose' }>): View {
  const { texts, wording } = page;
  const title = wording === texts.pay ? texts.chooseTitle : texts.chooseReceiveTitle;
  return {
    title,
    body: html`<h1>${title}</h1>
      ${stillWaits(page)} ${lastAttempt(page, state.failed)} ${methodList(page, state.methods)}`,
  };
}

/** Seconds between two reloads of a page without scripts. */
const RELOAD = 10;

/**
 * The payer wants to leave an attempt that may still bring money: a second one beside it could be paid as well, so there is none until the
 * provider has said that this one is over. Leaving to the shop is always possible.
 */
export function leaving(
  page: Page,
  { continueUrl, validUntil, outlives }: Extract<PageState, { kind: 'leaving' }>,
): View {
  const { texts, wording, model } = page;
  const afterwards = outlives === true ? '' : ` ${texts.stillOpenAfterwards}`;
  const until =
    validUntil === undefined ? '' : html`<p>${untilTime(page, wording.stillOpenUntil, validUntil)}${afterwards}</p>`;
  return {
    title: wording.stillOpenTitle,
    scripts: ['live-status'],
    refresh: { seconds: RELOAD, to: `${model.base}?leaving=1` },
    body: html`<div class="end">
      ${icon('time')}
      <h1>${wording.stillOpenTitle}</h1>
      <p class="lead">${wording.stillOpenText}</p>
      ${until}
      <p>${texts.stillOpenLeave}</p>
      ${waiting(page, texts.updatesItself)}
      <a class="button primary" href="${model.base}">${wording.backToPayment}</a>
      ${backLink(page, continueUrl, 'quiet')}
    </div>`,
  };
}

export function nextAction(
  page: Page,
  { nextAction: asked, fields }: Extract<PageState, { kind: 'next-action' }>,
): View {
  const { texts } = page;
  const step = html`<input type="hidden" name="step" value="${asked.step}" />`;
  // An error and nothing to correct: the same is done once more.
  const isTriedAgain = asked.error !== undefined && fields.length === 0;
  const button = isTriedAgain ? texts.tryAgain : texts.continue;
  const inputs = html`${step}${fields.map((field) => fieldOf(page, field))}${submit(page, button)}`;
  // A form of its own: asking for a new code must not be held up by an empty field.
  const again = html`${step}<input type="hidden" name="resend" value="1" /><button
      class="button quiet"
      data-busy="${texts.working}"
    >
      ${texts.resend}
    </button>`;
  const title = isTriedAgain ? texts.tryAgain : texts.nextActionTitle;
  return {
    title,
    refused: asked.error !== undefined || fields.some((field) => field.problem !== undefined),
    body: html`<h1>${title}</h1>
      ${
        isTriedAgain
          ? html`<p class="problem" role="alert">${messageIn(page, asked.error)}</p>`
          : problemSummary(page, fields, asked.error)
      }
      ${form(page, 'answer', inputs)}${asked.resend ? form(page, 'answer', again) : ''}`,
  };
}

/** For an address to which a payer must not be redirected. The payment is still being checked, so this is not a failure. */
export function noWayOn(page: Page): View {
  const { texts, wording, model } = page;
  return {
    title: wording.checkingTitle,
    scripts: ['live-status'],
    body: html`${icon('time')}
      <h1>${wording.checkingTitle}</h1>
      <p><bdi>${texts.noWayOn(model.merchantName)}</bdi></p>`,
  };
}

/**
 * Sends the payer away. A script does it at once, but only once: who comes back with the browser's Back button sees
 * `Continue` and the ways out; without scripts they are there from the beginning, because a page that goes on by itself could not be left.
 * Inside a frame that may only be left to the top, the button opens a new window (protocol: Override Link Target).
 */
export function visit(page: Page, { nextAction }: Extract<PageState, { kind: 'visit' }>): View {
  const address = leavingAddress(nextAction.url);
  if (address === undefined) return noWayOn(page);
  const { texts, model } = page;
  const top = model.urlTarget === '_top' ? html` data-top` : '';
  const { host } = new URL(address);
  const href = withQuery(address, nextAction.method === 'GET' ? nextAction.fields : {});
  const way: Markup =
    nextAction.method === 'GET'
      ? html`<a
          class="button primary"
          href="${href}"
          rel="noreferrer"
          data-leave="${href}"
          data-after="0"
          data-once="${nextAction.step}"
          ${top}
          >${texts.continue}</a
        >`
      : html`<form method="post" action="${address}" data-leave data-after="0" data-once="${nextAction.step}" ${top}>
          ${Object.entries(nextAction.fields).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )} <button class="button primary">${texts.continue}</button>
        </form>`;
  return {
    title: texts.visitTitle,
    scripts: ['live-status'],
    body: html`<h1>${texts.visitTitle}</h1>
      <p><bdi>${texts.visitText(host)}</bdi></p>
      <p role="status" data-new-window hidden>${texts.visitNewWindow}</p>
      ${way}`,
  };
}
