import { type PaymentState, transactionWords } from '@railyard/core/payment';
import { signCommand } from '@railyard/core/protocol';
import { newest } from '../../deployment/catalogue-schema.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import type { Payment } from '../../storage/index.ts';
import { declineReason, transactionDate } from './transaction-body.ts';
import { type CallbackBody, formBody } from './callback-body.ts';
import { type CallbackFacts, type CallbackField, switchedFields } from './callback-fields.ts';

/** The command and payment that a callback reports. */
export interface CommandFacts {
  readonly command: AcceptedCommand;
  readonly payment: Payment;
  /** How the payment stands with this callback. */
  readonly next: Pick<PaymentState, 'state' | 'unknown'>;
}

/** The body of a callback to a merchant who asked by a server-to-server command: always a form, without what is empty (reference: Callback). */
export function commandCallbackBody(facts: CallbackFacts, command: CommandFacts): CallbackBody {
  return formBody(fieldsOf(facts, command).flatMap(withoutEmpty));
}

function fieldsOf(facts: CallbackFacts, { command, payment, next }: CommandFacts): CallbackField[] {
  const { order, custom_data } = facts.session.request;
  const { result, status } = transactionWords(next);
  const { decline_reason } = declineReason(status, facts.reason);
  const signed = { trans_id: payment.merchantReference, order_id: order.number, status };
  return [
    ['action', command.action],
    ['result', result],
    ['status', status],
    ['order_id', signed.order_id],
    ['trans_id', signed.trans_id],
    ['trans_date', transactionDate(payment)],
    ['decline_reason', decline_reason],
    ['amount', order.amount ?? facts.receivedText],
    ['approved_amount', facts.approvedText],
    ['currency', order.currency],
    ...switchedFields(facts),
    ['test', facts.session.stored.test ? true : undefined],
    ['custom_data', custom_data],
    ['hash', callbackHash(facts.session, signed)],
  ];
}

function callbackHash(
  { stored, merchant }: OpenSession,
  signed: { readonly trans_id: string; readonly order_id: string; readonly status: string },
): string {
  const options = { digest: stored.hashDigest, dialect: stored.hashDialect };
  return signCommand('payout_callback', signed, newest(merchant.config.password), options);
}

/** Empty values are not sent, nested ones neither. */
function withoutEmpty([name, value]: CallbackField): CallbackField[] {
  if (value === '' || value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, value]];
  const kept = Object.entries(value).flatMap(withoutEmpty);
  return kept.length === 0 ? [] : [[name, Object.fromEntries(kept)]];
}
