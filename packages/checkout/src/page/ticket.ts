import type { Show } from '@railyard/core';
import type { PageModel } from './model.ts';
import { pageOf } from './page-of.ts';
import { lastMoment } from './parts/layout.ts';
import { said } from './view.ts';

type Voucher = Extract<Show, { kind: 'voucher' }>;

/** A slip that is paid at a counter, as a document. It says nothing that the page does not say in words. */
export interface Ticket {
  /** A BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** Who is paid and what for, above the amount. */
  readonly about: readonly string[];
  readonly amount: string;
  readonly details: readonly { readonly label: string; readonly value: string }[];
  /** Below the details. */
  readonly notes: readonly string[];
  readonly barcode: NonNullable<Voucher['barcode']>;
  /** Where a text is left out, because no font has its letters. */
  readonly lacks: string;
  /** The words of a screen reader for the bar code. */
  readonly barcodeName: string;
}

/** The ticket of a page that shows a voucher with a bar code, while it can be paid; of any other page there is none. */
export function ticketOf(model: PageModel, wanted: string): Ticket | undefined {
  const { state, now, merchantName, description, orderNumber, test } = model;
  if (state.kind !== 'show' || state.show.kind !== 'voucher') return undefined;
  const { reference, details = [], barcode, document, validUntil } = state.show;
  const page = pageOf(model, wanted);
  const { texts, language, amount } = page;
  if (barcode === undefined || document !== undefined || amount === undefined) return undefined;
  if (validUntil !== undefined && Date.parse(validUntil) <= Date.parse(now)) return undefined;
  return {
    language,
    title: texts.voucherTitle,
    about: [...(test ? [texts.testMode] : []), merchantName, description, `${texts.order} ${orderNumber}`],
    amount,
    details: [
      { label: texts.reference, value: reference },
      ...details.map(({ label, value }) => ({ label: said(page, label), value })),
    ],
    notes: [
      texts.voucherText,
      ...(validUntil === undefined
        ? []
        : [(state.outlives === true ? texts.payBy : texts.validUntil)(lastMoment(page, validUntil))]),
    ],
    barcode,
    lacks: texts.ticketLacks,
    barcodeName: `${texts.barcode}: ${barcode.text}`,
  };
}
