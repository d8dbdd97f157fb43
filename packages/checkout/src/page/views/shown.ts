import { html } from 'hono/html';
import type { Show } from '@railyard/core';
import type { Markup } from '../markup.ts';
import {
  copyButton,
  detailList,
  icon,
  lastAttempt,
  printButton,
  untilMoment,
  waiting,
  type Shape,
} from '../parts/layout.ts';
import { qrSvg } from '../qr-svg.ts';
import { formatAmount } from '../amount.ts';
import type { PageAmount, PageState } from '../model.ts';
import { said, type Page, type View } from '../view.ts';
import type { Detail } from '@railyard/core/driver';
import { asTyped } from '../../sessions/payer-input.ts';
import { appAddress, leavingAddress, walletUri } from '../leaving.ts';
import { isOver, timeLimited } from '../parts/forms.ts';
import { noWayOn } from './pay.ts';

type Of<K extends Show['kind']> = Extract<Show, { kind: K }>;

/** A code to scan with another device or to copy on this one. */
export function qrCode(page: Page, show: Of<'qr'>): Markup {
  const { texts } = page;
  const isCopied = show.copy !== false;
  const text = !isCopied
    ? ''
    : html`<label for="code">${texts.qrCodeLabel}</label>
        <input id="code" readonly dir="ltr" autocomplete="off" translate="no" value="${show.content}" />
        ${copyButton(page, { text: show.content, label: texts.copyCode, primary: true })}`;
  const app = openApp(page, appAddress(show.content, page.model.test));
  const steps = [texts.qrOpenApp, isCopied ? texts.qrScanOrCopy : texts.qrScan, texts.qrConfirm];
  return html`<ol class="steps">
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    ${scanned(qrSvg(show.content, texts.qrName), app === '' && text === '' ? '' : html`${app}${text}`)}`;
}

/** A code, and what a payer does with it on the device that shows it. A phone does not scan its own screen: there this comes first. */
const scanned = (code: Markup, copyable: Markup | ''): Markup =>
  html`<div class="scan">
    <div class="code">${code}</div>
    ${copyable === '' ? '' : html`<div class="copyable">${copyable}</div>`}
  </div>`;

/** Opens the app that pays, with everything filled in. Only phones show it. */
const openApp = ({ texts }: Page, address: string | undefined): Markup | '' =>
  address === undefined ? '' : html`<a class="button on-phone" href="${address}">${texts.openApp}</a>`;

/** An address of a crypto currency. A transfer over another network is lost, so the network stands above the address. */
export function cryptoAddress(page: Page, show: Of<'address'>, received: PageAmount | undefined): Markup {
  const { texts } = page;
  const amount =
    show.amount === undefined ? [] : [{ label: texts.amountToSend, value: show.amount, unit: show.asset, copy: true }];
  const network = show.network === undefined ? [] : [{ label: texts.network, value: show.network }];
  // Of a deposit in parts the address alone is given: the rest is less than the amount.
  const { amount: _whole, ...bare } = show;
  const uri = walletUri(received === undefined ? show : bare, page.model.test);
  // Wallets and exchanges read BIP-21. Of EIP-681 many read the address alone, so its code is the address.
  const code = uri?.startsWith('bitcoin:') === true ? uri : show.address;
  const copy = copyButton(page, { text: show.address, label: texts.copyAddress, primary: true });
  return html`${receivedSoFar(page, received)}
    <p class="warning"><bdi>${texts.networkWarning(show.asset, show.network)}</bdi></p>
    ${scanned(qrSvg(code, texts.addressName), html`${openApp(page, uri)}${copy}`)}
    ${detailList(page, [{ label: texts.asset, value: show.asset }, ...network, ...amount, { label: texts.addressLabel, value: show.address }])}
    <p>${texts.countsWhenConfirmed}</p>`;
}

/** Deposits that count; the network has confirmed each of them. */
function receivedSoFar({ texts, amount, language }: Page, received: PageAmount | undefined): Markup | '' {
  if (received === undefined) return '';
  return html`<p class="received"><bdi>${texts.receivedSoFar(formatAmount(received, language), amount)}</bdi></p>`;
}

type OfShow<K extends Show['kind']> = Extract<Show, { kind: K }>;

interface Shown {
  readonly title: string;
  readonly body: Markup;
  /** Nothing to do on this page: an icon, and everything centred. */
  readonly icon?: Shape;
}

/** Seconds between two reloads of a page without scripts; long enough to copy something meanwhile. */
const RELOAD = 20;

/** The details needed to pay, and the wait for the result. */
export function show(page: Page, state: Extract<PageState, { kind: 'show' }>): View {
  const shown = content(page, state);
  if (shown === undefined) return noWayOn(page);
  const { validUntil } = state.show;
  const { instead } = state;
  const outlives = state.outlives === true && validUntil !== undefined && !isOver(page, validUntil);
  const by = outlives ? html`<p class="pay-by">${untilMoment(page, page.texts.payBy, validUntil)}</p>` : '';
  const unpaid =
    instead === undefined
      ? ''
      : html`<p class="warning" role="alert">
          <bdi>${page.texts.notPaidOther(said(page, instead.used.title), said(page, instead.waits.title))}</bdi>
        </p>`;
  const body = html`${unpaid} ${lastAttempt(page, state.failed)}
    <h1><bdi>${shown.title}</bdi></h1>
    ${by}${shown.body}`;
  const late = outlives ? html`<p class="outlives">${page.texts.outlives}</p>` : '';
  const drawn = shown.icon === undefined ? body : html`<div class="end">${icon(shown.icon)}${body}</div>`;
  return {
    title: isOver(page, validUntil) ? page.texts.overTitle : shown.title,
    scripts: ['live-status'],
    refresh: { seconds: RELOAD, to: page.model.base },
    body: html`${outlives ? drawn : timeLimited(page, validUntil, state.renewable, drawn)}${late}${waiting(page)}`,
  };
}

/** The details of something that is paid elsewhere, as they are shown. */
export function content(
  page: Page,
  { show: what, received }: Pick<Extract<PageState, { kind: 'show' }>, 'show' | 'received'>,
): Shown | undefined {
  const { texts } = page;
  switch (what.kind) {
    case 'qr':
      return { title: texts.qrTitle, body: qrCode(page, what) };
    case 'address':
      return { title: texts.addressTitle(what.asset), body: cryptoAddress(page, what, received) };
    case 'redirect':
      return redirectTo(page, what);
    case 'payment-details':
      return {
        title: texts.detailsTitle,
        body: html`<p>${texts.detailsText}</p>
          ${detailList(page, [...amountRow(page, what.details), ...payeeRow(page, what), ...what.details])}
          ${printButton(page)}`,
      };
    case 'voucher':
      return { title: texts.voucherTitle, body: voucherSlip(page, what) };
    case 'confirm-on-device':
      return { title: texts.deviceTitle, icon: 'phone', body: confirmation(page, what) };
    case 'link-sent': {
      const text = what.channel === 'email' ? texts.linkEmail : texts.linkSms(what.to);
      return {
        title: texts.linkTitle,
        icon: 'letter',
        body: html`<p class="lead"><bdi>${text}</bdi></p>`,
      };
    }
  }
}

/** A bank or counter asks how much; where the connector has not said it, the order does. It is copied with the decimal mark of the language. */
function amountRow({ model, wording, amount: shown, language }: Page, details: readonly Detail[]) {
  const { amount } = model;
  if (amount === undefined || shown === undefined || details.some(({ value }) => says(value, amount.text))) return [];
  return [{ label: wording.amountLabel, value: asTyped(inUnits(amount), language), shown, copy: true }];
}

/** Whether a text has the amount as a number of its own, and not within an account's number. */
const says = (text: string, amount: string): boolean =>
  (text.match(/\d+(?:[.,]\d+)*/g) ?? []).some((number) => [amount, amount.replace('.', ',')].includes(number));

/** Without the zeros behind the point where the currency has no smaller unit: a form for digits alone would take them for more money. */
function inUnits({ text, currency }: PageAmount): string {
  if (!/^[A-Z]{3}$/.test(currency)) return text;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits === 0 ? text.replace(/\.0+$/, '') : text;
}

/** A bank asks for a name too. Where the provider does not say whose account it is, it is the merchant who is paid. */
function payeeRow({ model, texts }: Page, { beneficiary, details }: OfShow<'payment-details'>): readonly Detail[] {
  if (beneficiary !== undefined) return [{ label: texts.beneficiary, value: beneficiary, copy: true }];
  const { merchantName } = model;
  return details.some(({ value }) => value === merchantName)
    ? []
    : [{ label: texts.payee, value: merchantName, copy: true }];
}

function redirectTo(page: Page, what: OfShow<'redirect'>): Shown | undefined {
  const { texts } = page;
  const app = what.surface === 'app';
  const href = leavingAddress(what.url, app);
  if (href === undefined) return undefined;
  const text = app ? texts.appText : texts.redirectText;
  const label = app ? texts.openApp : texts.continue;
  return {
    title: app ? texts.appTitle : texts.redirectTitle,
    body: html`<p>${text}</p>
      <p role="status" data-new-window hidden>${texts.visitNewWindow}</p>
      <a class="button primary" href="${href}" rel="noreferrer" ${app ? '' : html` data-framed`}>${label}</a>`,
  };
}

function voucherSlip(page: Page, what: OfShow<'voucher'>): Markup {
  const { texts } = page;
  const document = documentOf(page, what);
  const { reference, details: others = [], barcode } = what;
  const details = [
    { label: texts.reference, value: reference, copy: true },
    ...amountRow(page, others),
    ...others,
    // In words what the ticket has as bars.
    ...(barcode === undefined ? [] : [{ label: texts.barcode, value: barcode.text, copy: true }]),
  ];
  return html`<p>${texts.voucherText}</p>
    ${detailList(page, details)}${
      document === undefined
        ? printButton(page)
        : html`<a class="button primary" href="${document}" target="_blank" rel="noreferrer noopener"
            >${texts.openDocument} <span class="spoken">(${texts.opensNewWindow})</span></a
          >`
    }`;
}

/** The provider's document, or the ticket that is made here. */
function documentOf({ model }: Page, { document, barcode }: OfShow<'voucher'>): string | undefined {
  if (document !== undefined) return leavingAddress(document);
  return barcode === undefined || !model.printsTickets ? undefined : `${model.base}/ticket`;
}

function confirmation(page: Page, what: OfShow<'confirm-on-device'>): Markup {
  const { texts } = page;
  const message = what.message === undefined ? '' : html`<p><bdi>${what.message}</bdi></p>`;
  const lead = what.channel === 'stk' ? texts.stkText(what.number) : texts.appPromptText(what.number);
  return html`<p class="lead"><bdi>${lead}</bdi></p>
    ${message}`;
}
