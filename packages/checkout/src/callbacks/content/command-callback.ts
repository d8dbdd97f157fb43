import { type CallbackWords, type PaymentState, transactionWords } from '@railyard/core/payment';
import { signCallbackFields, signCommand } from '@railyard/core/protocol';
import { newest } from '../../deployment/catalogue-schema.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import type { StoredCard, Payment } from '../../storage/index.ts';
import { type CallbackBody, formBody } from './callback-body.ts';
import {
  callbackDate,
  type CallbackFacts,
  type CallbackField,
  exchangeFields,
  scheduleFields,
  SENT_EMPTY,
  switchedFields,
} from './callback-fields.ts';
import type { RedirectFacts } from './redirect.ts';
import { commissionFields } from './commission-fields.ts';
import { signedValues } from './signed-values.ts';
import { declineReason, standing, transactionDate } from './transaction-body.ts';

/** The command and payment that a callback reports. */
export interface CommandFacts {
  readonly command: AcceptedCommand;
  readonly payment: Payment;
  /** How the payment stands with this callback. */
  readonly next: Pick<PaymentState, 'state' | 'unknown'>;
  /** Where its payer is to be sent. */
  readonly redirect: RedirectFacts | undefined;
  /** The card that it was paid with. */
  readonly kept: StoredCard | undefined;
}

/** The body of a callback to a merchant who asked by a server-to-server command: always a form, without what is empty but for ARN and RRN (reference: Callback). */
export function commandCallbackBody(facts: CallbackFacts, command: CommandFacts): CallbackBody {
  const fields = fieldsOf(facts, command).flatMap(withoutEmpty);
  return formBody([...fields, ['hash', hashOf(facts, command, Object.fromEntries(fields))]]);
}

/** The command of what was done with a payment later; other callbacks report the payment's own. */
const LATER: Readonly<Partial<Record<CallbackWords['type'], string>>> = {
  capture: 'CAPTURE',
  refund: 'CREDITVOID',
  reversal: 'CREDITVOID',
  void: 'VOID',
  chargeback: 'CHARGEBACK',
};

const RESULTS = { success: 'SUCCESS', fail: 'DECLINED', waiting: 'UNDEFINED', undefined: 'UNDEFINED' } as const;

/** The words of a later command: what did not succeed leaves the transaction as it was (reference: CAPTURE, CREDITVOID, VOID). */
function wordsOfLater(action: string, { status }: CallbackWords, { next, payment }: CommandFacts) {
  const result = RESULTS[status];
  if (result === 'SUCCESS') return { result, status: transactionWords(next, payment.operation).status };
  return { result, status: action === 'CAPTURE' ? 'PENDING' : 'SETTLED' };
}

function fieldsOf(facts: CallbackFacts, command: CommandFacts): CallbackField[] {
  const { words, session, modification } = facts;
  const { payment, next, redirect } = command;
  const { order, custom_data } = session.request;
  const later = LATER[words.type];
  const { result, status, ...way } =
    later === undefined
      ? standing(next, redirect, { action: command.command.action, operation: payment.operation })
      : wordsOfLater(later, words, command);
  const at = callbackDate(facts.at);
  const action = later ?? (payment.retryOf === null ? actionOf(command) : 'RETRY');
  // A declined payment by card is reported without its amount, a declined retry with it (reference: Answers; RETRY).
  const isDeclinedCard = command.command.protocol === 'card' && result === 'DECLINED' && action !== 'RETRY';
  const amount = isDeclinedCard ? undefined : (modification?.amount ?? order.amount ?? facts.receivedText);
  return [
    ['action', action],
    ['result', result],
    ['status', status],
    ['order_id', order.number],
    ['trans_id', payment.merchantReference],
    ['trans_date', transactionDate(payment)],
    ['creditvoid_date', later === 'CREDITVOID' ? at : undefined],
    ['chargeback_date', later === 'CHARGEBACK' ? at : undefined],
    ['decline_reason', declineReason(result, facts.reason).decline_reason],
    ['amount', amount],
    ['approved_amount', facts.approvedText],
    ['currency', isDeclinedCard ? undefined : order.currency],
    ...Object.entries(later === undefined ? commissionFields(action, { order }, payment) : {}),
    ...Object.entries(way),
    ...cardFields(facts),
    ...exchangeFields(facts),
    ...switchedFields(facts),
    ['test', session.stored.test ? true : undefined],
    ['custom_data', custom_data],
  ];
}

/** A calculated debit is called back as that until its merchant confirms it, and as a debit afterwards (reference: DEBIT2VIRTUAL). */
function actionOf({ command: { action }, payment, next }: CommandFacts): string {
  if (action !== 'DEBIT2VIRTUAL_CALC') return action;
  const waited = payment.state === 'created' && (next.state === 'created' || next.state === 'expired');
  return waited ? action : 'DEBIT2VIRTUAL';
}

/** The card, and what later payments are made with. */
function cardFields(facts: CallbackFacts): CallbackField[] {
  const { card, mandate, route } = facts;
  return [
    ['card', card?.card],
    ['card_expiration_date', card?.card_expiration_date],
    ['card_token', card?.card_token],
    ['recurring_token', mandate?.recurring_token],
    ...scheduleFields(facts),
    ['digital_wallet', route.digitalWallet],
    ['pan_type', route.panType],
  ];
}

/** Each protocol signs its callbacks in its own way (reference: Signatures of S2S CARD, F2 and F6; of S2S APM, B, E and F). */
function hashOf(
  { session }: CallbackFacts,
  { command, payment, kept }: CommandFacts,
  fields: Readonly<Record<string, unknown>>,
): string {
  const { stored, merchant, request } = session;
  const options = { digest: stored.hashDigest, dialect: stored.hashDialect };
  const password = newest(merchant.config.password);
  const trans_id = payment.merchantReference;
  if (command.protocol === 'card')
    return signCommand('card_transaction', { ...signedValues(session, kept), trans_id }, password, options);
  if (fields['action'] === 'CREDITVOID') return signCommand('credit_void', { trans_id }, password, options);
  if (payment.operation !== 'credit') return signCallbackFields(fields, password, options);
  const status = String(fields['status']);
  return signCommand('payout_callback', { trans_id, order_id: request.order.number, status }, password, options);
}

/** Empty values are not sent, nested ones neither, but for those that the protocol sends so. */
function withoutEmpty([name, value]: CallbackField): CallbackField[] {
  if (value === '' && SENT_EMPTY.has(name)) return [[name, value]];
  if (value === '' || value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, value]];
  const kept = Object.entries(value).flatMap(withoutEmpty);
  return kept.length === 0 ? [] : [[name, Object.fromEntries(kept)]];
}
