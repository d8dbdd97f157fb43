import { html } from 'hono/html';
import { AMOUNT_FIELD, CHANGE_AMOUNT } from '../../sessions/payer-amount.ts';
import { CONSENT_FIELD } from '../../sessions/payer-consent.ts';
import type { Markup } from '../markup.ts';
import { formatAmount } from '../amount.ts';
import {
  BROWSER_INPUT,
  type PageAmount,
  type PageConsent,
  type PageMethod,
  type PageState,
  type WalletForm,
} from '../model.ts';
import { cardInputs, otherCards } from '../parts/card-inputs.ts';
import { fieldOf } from '../parts/field.ts';
import { form, submit } from '../parts/form.ts';
import { lastAttempt } from '../parts/last-attempt.ts';
import { besideInput, stillWaits } from '../parts/beside.ts';
import { methodList } from '../parts/methods.ts';
import { problemSummary } from '../parts/problem-summary.ts';
import { walletButton } from '../parts/wallet-button.ts';
import { messageIn } from '../texts/index.ts';
import { buttonText, said, type Page, type View } from '../view.ts';

export function ask(page: Page, state: Extract<PageState, { kind: 'ask' }>): View {
  const { method, amount, fields, card, wallet, consent, failed, others } = state;
  const { texts, wording } = page;
  const title = wording.withMethod(said(page, method.title));
  const drawn = card === undefined ? fields.map((field) => fieldOf(page, field)) : cardInputs(page, card, fields);
  const inputs = html`<input type="hidden" name="method" value="${method.key}" /><input
      type="hidden"
      name="${BROWSER_INPUT}"
      value=""
    />${besideInput(page)}${amount === undefined ? '' : amountSaid(page, method, amount)}${drawn}${consent === undefined ? '' : consentBox(page, consent)}${wallet === undefined ? submit(page, buttonText(page)) : walletButton(page, method, wallet)}`;
  return {
    title,
    scripts: [
      ...(card === undefined ? [] : (['card'] as const)),
      ...(fields.some(({ states }) => states !== undefined && states.of.length > 1) ? (['address'] as const) : []),
      'forms',
      'browser',
      ...(wallet?.button === undefined ? [] : (['wallet'] as const)),
    ],
    ...(wallet?.button && { vendorScript: wallet.button.script }),
    refused: fields.some((field) => field.problem !== undefined) || isRefused(wallet),
    body: html`<h1><bdi>${title}</bdi></h1>
      ${stillWaits(page)} ${lastAttempt(page, failed)}
      ${isRefused(wallet) ? html`<p class="problem" role="alert">${messageIn(page, wallet?.problem ?? '')}</p>` : ''}
      ${problemSummary(page, fields)}${form(page, 'pay', inputs, fields.length > 0)}
      ${card === undefined || card.others.length === 0 ? '' : otherCards(page, method, card.others, amount)}
      ${
        others.length === 0
          ? ''
          : html`<h2 class="other">${texts.changeMethod}</h2>
              ${methodList(page, others)}`
      }`,
  };
}

/** The amount that the payer entered, as it was understood: shown for review before anything is paid. */
function amountSaid(page: Page, { key }: PageMethod, { text }: PageAmount): Markup {
  const { texts, model } = page;
  const other = `${model.base}?${new URLSearchParams({ method: key, again: '1', [CHANGE_AMOUNT]: '1' }).toString()}`;
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
