import type { Ticket } from '@railyard/ticket';
import type { PageModel } from './model.ts';
import { pageOf } from './page-of.ts';
import { lastMoment } from './parts/layout.ts';
import { said } from './view.ts';

/** Whether the package that prints tickets is installed: an optional peer, because its libraries have 33 MB. */
export const ticketsArePrinted: boolean = isInstalled();

function isInstalled(): boolean {
  try {
    import.meta.resolve('@railyard/ticket');
    return true;
  } catch {
    return false;
  }
}

/** The ticket of a page that shows a voucher with a bar code, while it can be paid; of any other page there is none. */
export function ticketOf(model: PageModel, wanted: string): Ticket | undefined {
  const { state, now, merchantName, description, orderNumber, test } = model;
  if (state.kind !== 'show' || state.show.kind !== 'voucher') return undefined;
  const { reference, details = [], barcode, document, validUntil } = state.show;
  const page = pageOf(model, wanted);
  const { texts, language, amount } = page;
  if (!model.printsTickets || barcode === undefined || document !== undefined || amount === undefined) return undefined;
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
