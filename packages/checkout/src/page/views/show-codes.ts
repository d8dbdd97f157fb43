import { html } from 'hono/html';
import type { Show } from '@railyard/core';
import type { Markup } from '../markup.ts';
import { copyButton } from '../parts/copy-button.ts';
import { detailList } from '../parts/details.ts';
import { qrSvg } from '../qr-svg.ts';
import { formatAmount } from '../amount.ts';
import type { PageAmount } from '../model.ts';
import type { Page } from '../view.ts';

type Of<K extends Show['kind']> = Extract<Show, { kind: K }>;

/** A code to scan with another device or to copy on this one. */
export function qrCode(page: Page, show: Of<'qr'>): Markup {
  const { texts } = page;
  const isCopied = show.copy !== false;
  const text = !isCopied
    ? ''
    : html`<div class="copyable">
        <label for="code">${texts.qrCodeLabel}</label>
        <input id="code" readonly dir="ltr" autocomplete="off" translate="no" value="${show.content}" />
        ${copyButton(page, { text: show.content, label: texts.copyCode, primary: true })}
      </div>`;
  const steps = [texts.qrOpenApp, isCopied ? texts.qrScanOrCopy : texts.qrScan, texts.qrConfirm];
  return html`<ol class="steps">
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    <div class="code">${qrSvg(show.content, texts.qrName)}</div>
    ${text}`;
}

/** An address of a crypto currency. A transfer over another network is lost, so the network stands above the address. */
export function cryptoAddress(page: Page, show: Of<'address'>, received: PageAmount | undefined): Markup {
  const { texts } = page;
  const amount =
    show.amount === undefined ? [] : [{ label: texts.amountToSend, value: show.amount, unit: show.asset, copy: true }];
  const network = show.network === undefined ? [] : [{ label: texts.network, value: show.network }];
  return html`${receivedSoFar(page, received)}
    <p class="warning"><bdi>${texts.networkWarning(show.asset, show.network)}</bdi></p>
    <div class="code">${qrSvg(show.address, texts.addressName)}</div>
    ${detailList(page, [{ label: texts.asset, value: show.asset }, ...network, ...amount, { label: texts.addressLabel, value: show.address }])}
    ${copyButton(page, { text: show.address, label: texts.copyAddress, primary: true })}
    <p>${texts.countsWhenConfirmed}</p>`;
}

/** Deposits that count; one that the network has not confirmed is none of them. */
function receivedSoFar({ texts, amount, language }: Page, received: PageAmount | undefined): Markup | '' {
  if (received === undefined) return '';
  return html`<p class="received"><bdi>${texts.receivedSoFar(formatAmount(received, language), amount)}</bdi></p>`;
}
