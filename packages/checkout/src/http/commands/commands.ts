import { apmSale } from './apm-sale.ts';
import { cardDebit, cardSale } from './card-sale.ts';
import { cardToCard } from './card-to-card.ts';
import { creditToCard } from './credit-to-card.ts';
import { recurringDebit, recurringSale, retry } from './recurring-commands.ts';
import type { Command } from './command.ts';
import { completeDebit } from './complete-debit.ts';
import { calculateDebit, debitToVirtual } from './debit-to-virtual.ts';
import { creditToCrypto, creditToVirtual } from './credit-to-virtual.ts';
import { getTransDetails, getTransStatus, getTransStatusByOrder } from './lookup-commands.ts';
import { SCHEDULE_COMMANDS } from './schedule-commands.ts';
import { capture, creditVoid, voidPayment } from './modify-commands.ts';

/** The commands of an action, by address; one that is absent is understood at the other addresses alone. */
interface Row {
  /** At `/post` and `/v2/post`. */
  readonly card?: Command;
  /** At `/post-va`, and at the others where the fields say so. */
  readonly apm?: Command;
}

/** The commands that are understood, by `action`. */
export const COMMANDS: ReadonlyMap<unknown, Row> = new Map<unknown, Row>([
  ['SALE', { card: cardSale, apm: apmSale }],
  ['DEBIT', { card: cardDebit }],
  ['RECURRING_SALE', { card: recurringSale }],
  ['RECURRING_DEBIT', { card: recurringDebit }],
  ['RETRY', { card: retry }],
  ['CREDIT2CARD', { card: creditToCard }],
  ['CARD2CARD', { card: cardToCard }],
  ['CAPTURE', { card: capture('either'), apm: capture('apm') }],
  ['CREDITVOID', { card: creditVoid('either'), apm: creditVoid('apm') }],
  ['VOID', { card: voidPayment('either'), apm: voidPayment('apm') }],
  ['DEBIT2VIRTUAL', { apm: debitToVirtual }],
  ['DEBIT2VIRTUAL_CALC', { apm: calculateDebit }],
  ['DEBIT2VIRTUAL_COMPLETE', { apm: completeDebit }],
  ['CREDIT2VIRTUAL', { apm: creditToVirtual }],
  ['CREDIT2CRYPTO', { apm: creditToCrypto }],
  ['GET_TRANS_STATUS', { card: getTransStatus('either'), apm: getTransStatus('apm') }],
  ['GET_TRANS_STATUS_BY_ORDER', { card: getTransStatusByOrder }],
  ['GET_TRANS_DETAILS', { card: getTransDetails }],
  ...SCHEDULE_COMMANDS.map(([action, card]) => [action, { card }] as const),
]);

/** The address of S2S APM; S2S CARD has the others (reference: Transport). */
export const APM_PATH = '/post-va';

/** The command that a body asks for at an address. Whatever names a brand belongs to S2S APM, wherever it is sent. */
export function commandFor(path: string, body: Readonly<Record<string, unknown>>): Command | undefined {
  const row = COMMANDS.get(body['action']);
  if (path === APM_PATH) return row?.apm;
  return body['brand'] === undefined ? (row?.card ?? row?.apm) : (row?.apm ?? row?.card);
}
