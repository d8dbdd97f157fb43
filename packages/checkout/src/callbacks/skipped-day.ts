import { signCommand } from '@railyard/core/protocol';
import { newest } from '../deployment/catalogue.ts';
import type { MandateTokens } from '../payments/payment.ts';
import { callbackHash, type OpenSession } from '../sessions/session.ts';
import type { Payment, StoredCard } from '../storage/index.ts';
import { formBody, signedValues, type CallbackBody } from './body.ts';
import { callbackDate, type CallbackField } from './fields.ts';

/** A due day that a schedule does not charge. */
export interface SkippedFacts {
  /** The first payment, whose ids the callback has: no other came about. */
  readonly first: Payment;
  readonly card: Pick<StoredCard, 'firstSix' | 'lastFour'> | undefined;
  readonly mandate: MandateTokens | undefined;
  /** The session that its charge would have had, with the order number of the day. */
  readonly session: OpenSession;
  readonly reason: string;
  /** `true`: nothing more is charged before the merchant wants it. */
  readonly isSchedulePaused: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The callback of a due day that is not charged. The protocol has no word for it: `skipped` is ours, in the fields that callbacks have. */
export function skippedDayBody(facts: SkippedFacts): CallbackBody {
  const { session } = facts;
  if (session.command !== undefined) return formBody(present(commandFields(facts)));
  const fields = present(sessionFields(facts));
  return session.merchant.config.callbackFormat === 'json'
    ? { contentType: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) }
    : formBody(fields);
}

const present = (fields: readonly CallbackField[]): CallbackField[] =>
  fields.filter(([, value]) => value !== undefined && value !== '');

function sessionFields({ first, session, mandate, reason, at, isSchedulePaused }: SkippedFacts): CallbackField[] {
  const { order, custom_data, schedule_id } = session.request;
  return [
    ['id', first.id],
    ['order_number', order.number],
    ['order_amount', order.amount],
    ['order_currency', order.currency],
    ['order_description', order.description],
    ['order_status', 'skipped'],
    ['type', 'recurring'],
    ['status', 'skipped'],
    ['date', callbackDate(at)],
    ['reason', reason],
    ['recurring_init_trans_id', mandate?.recurring_init_trans_id],
    ['recurring_token', mandate?.recurring_token],
    ['schedule_id', schedule_id],
    ['schedule_paused', isSchedulePaused ? true : undefined],
    ['test', session.stored.test ? true : undefined],
    ['custom_data', custom_data],
    ['hash', callbackHash(session, first.id)],
  ];
}

function commandFields(facts: SkippedFacts): CallbackField[] {
  const { first, session, mandate, reason, at, card, isSchedulePaused } = facts;
  const { order, custom_data, schedule_id } = session.request;
  const { merchant, stored } = session;
  const options = { digest: stored.hashDigest, dialect: stored.hashDialect };
  const trans_id = first.merchantReference;
  const covered = { ...signedValues(session, card), trans_id };
  return [
    ['action', session.command?.action],
    ['result', 'SKIPPED'],
    ['status', 'SKIPPED'],
    ['order_id', order.number],
    ['trans_id', trans_id],
    ['trans_date', callbackDate(at)],
    ['decline_reason', reason],
    ['amount', order.amount],
    ['currency', order.currency],
    ['recurring_token', mandate?.recurring_token],
    ['schedule_id', schedule_id],
    ['schedule_paused', isSchedulePaused ? true : undefined],
    ['test', stored.test ? true : undefined],
    ['custom_data', custom_data],
    ['hash', signCommand('card_transaction', covered, newest(merchant.config.password), options)],
  ];
}
