import { sql, type Expression, type RawBuilder } from 'kysely';
import { eraseRequests, type LeftOfRequest } from './upkeep.ts';
import { BATCH_LIMIT, inBatches, milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import { numbered, outbox } from './apply-transition.ts';
import type { NewCallback } from './transition.ts';

/** Writes one callback with a payment's stored state. If the payment has changed or was reported since, it writes none. */
export async function reportStored(
  db: Db,
  clock: SqlClock,
  paymentId: string,
  callbacks: readonly NewCallback[],
): Promise<void> {
  if (callbacks.length === 0) return;
  await sql`
    WITH changed AS (
      UPDATE payments SET callbacks = ${callbacks.length}::integer
      WHERE id = ${paymentId}::uuid AND version = 1 AND callbacks = 0 RETURNING *
    ), t AS (
      SELECT ${paymentId}::uuid AS payment_id, ${toJsonText(numbered(callbacks))}::json AS callbacks, NULL::float8 AS claim_ms
    ), ${outbox(clock())}
    )
    SELECT FROM outbox`.execute(db);
}

/** Of a payment `p`: money may still move, or something about it is under way. */
export const isMoving = (): RawBuilder<unknown> => sql`(
  p.state IN ('created', 'pending', 'partially_approved', 'authorized') OR p.unknown OR p.modifying IS NOT NULL OR p.reserved_minor > 0 OR p.poll_at IS NOT NULL OR p.aside_text IS NOT NULL
  OR EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))
  OR EXISTS (SELECT FROM flow_runs r WHERE r.payment_id = p.id AND r.state <> 'finished'))`;

/**
 * Of a payment `p`: what it keeps of the payer is still needed, because it is moving, the merchant has not received its callbacks, an operator has
 * to look into an event of it, its mandate may be charged again, or the card that it saved can be paid with.
 */
export const isNeeded = (): RawBuilder<unknown> => sql`(
  ${isMoving()}
  OR EXISTS (SELECT FROM callbacks w WHERE w.payment_id = p.id AND w.state = 'waiting')
  OR EXISTS (SELECT FROM provider_events e WHERE e.payment_id = p.id AND e.state IN ('quarantined', 'unmatched'))
  OR EXISTS (SELECT FROM chains c WHERE c.id = p.id AND c.ended_at IS NULL)
  OR (p.recurring_token IS NOT NULL AND p.received_minor > 0 AND p.agreement_text <> '{}')
  OR EXISTS (SELECT FROM card_tokens t WHERE t.made_by = p.id))`;

type Sql = RawBuilder<unknown>;

/** The deletion or erasure of a table's rows once they are old enough. `erase-requests`: see `eraseRequests`. */
export interface RetentionRule {
  readonly setting: RetentionSetting;
  readonly tables: readonly string[];
  /** The subject of the rows' data. */
  readonly personal: string;
  readonly effect: string;
  /** The rows that are never touched, however old they are. */
  readonly never: string;
  /** The key of the rows that are due, in `id` (and `part`), and in `since` from when their days count. */
  readonly due: (limit: Sql) => Sql;
  /** Changes the rows of `due`, a list of keys of limited length. */
  readonly change: 'erase-requests' | ((due: Sql, now: Expression<unknown>) => Sql);
}

/** A token of a purchase that failed, of which its merchant never heard, and which no other payment used. */
const isForgotten = (limit: Sql): Sql => sql`(t.created_at <= ${limit}
  AND EXISTS (SELECT FROM payments m WHERE m.id = t.made_by AND m.operation = 'purchase' AND m.state IN ('declined', 'expired'))
  AND NOT EXISTS (SELECT FROM payments p WHERE p.card_token_hash = t.token_hash
    AND (p.state NOT IN ('declined', 'expired') OR p.updated_at > ${limit})))`;

/** Everything personal that the database keeps; in this order, because later rules need what earlier ones have done. */
export const RETENTION_PLAN: readonly RetentionRule[] = [
  {
    setting: 'cards',
    tables: ['card_tokens'],
    personal: 'tokens of cards whose purchase failed',
    effect: 'deleted',
    never: 'a token that its merchant knows',
    due: (limit) =>
      sql`SELECT t.token_hash AS id, t.created_at AS since FROM card_tokens t WHERE ${isForgotten(limit)}`,
    change: (due) => sql`DELETE FROM card_tokens WHERE token_hash IN (SELECT id FROM (${due}) d)`,
  },
  {
    setting: 'cards',
    tables: ['cards'],
    personal: 'number and name on the card',
    effect: 'number and name erased',
    never: 'a saved card; the card of a payment that is open or a hold',
    due: (
      limit,
    ) => sql`SELECT c.id, c.created_at AS since FROM cards c WHERE c.removed_at IS NULL AND c.created_at <= ${limit}
      AND NOT EXISTS (SELECT FROM card_tokens t WHERE t.card_id = c.id AND NOT ${isForgotten(limit)})
      AND NOT EXISTS (SELECT FROM payments p WHERE (p.card_id = c.id OR p.payee_card_id = c.id)
        AND (p.state IN ('created', 'pending', 'partially_approved', 'authorized') OR p.updated_at > ${limit}))`,
    change: (due, now) => sql`UPDATE cards SET number_text = NULL, holder_text = NULL, removed_at = ${now}
      WHERE id IN (SELECT id FROM (${due}) d)`,
  },
  {
    setting: 'attempts',
    tables: ['callback_attempts'],
    personal: 'none as such: what the merchant’s server answered',
    effect: 'deleted',
    never: 'the attempts of a callback that waits',
    due: (limit) => sql`SELECT a.callback_id AS id, a.attempt AS part, a.at AS since
      FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id WHERE a.at <= ${limit} AND c.state <> 'waiting'`,
    change: (due) =>
      sql`DELETE FROM callback_attempts WHERE (callback_id, attempt) IN (SELECT id, part FROM (${due}) d)`,
  },
  {
    setting: 'callbacks',
    tables: ['callbacks', 'callback_attempts'],
    personal: 'the payer’s name, address, e-mail and IP address; masked card, tokens',
    effect: 'deleted',
    never: 'a callback that waits',
    due: (limit) => sql`SELECT c.id, greatest(c.created_at, c.delivered_at, c.next_try_at) AS since FROM callbacks c
      WHERE c.state <> 'waiting' AND c.created_at <= ${limit} AND greatest(c.created_at, c.delivered_at, c.next_try_at) <= ${limit}`,
    change: (due) => sql`WITH due AS MATERIALIZED (${due}),
        gone AS (DELETE FROM callback_attempts WHERE callback_id IN (SELECT id FROM due))
      DELETE FROM callbacks WHERE id IN (SELECT id FROM due)`,
  },
  {
    setting: 'notifications',
    tables: ['provider_notifications'],
    personal: 'whatever the provider sends: names, accounts, documents',
    effect: 'deleted',
    never: 'one that is not handled; one behind a quarantined or unmatched event',
    due: (limit) => sql`SELECT n.id, n.received_at AS since FROM provider_notifications n
      WHERE n.received_at <= ${limit} AND n.state <> 'received'
        AND NOT EXISTS (SELECT FROM provider_events e WHERE e.notification_id = n.id AND e.state IN ('quarantined', 'unmatched'))`,
    change: (due) => sql`DELETE FROM provider_notifications WHERE id IN (SELECT id FROM (${due}) d)`,
  },
  {
    setting: 'events',
    tables: ['provider_events'],
    personal: 'the provider’s words about an event',
    effect: 'the words erased; id, reference, amount and state stay, so that no event counts twice',
    never: 'a quarantined or unmatched event',
    due: (
      limit,
    ) => sql`SELECT e.connector_id AS id, e.mid_id AS part, e.event_id AS last, e.at AS since FROM provider_events e
      WHERE e.data_text <> '{}' AND e.at <= ${limit} AND e.state IN ('applied', 'ignored')`,
    change: (due) => sql`UPDATE provider_events SET data_text = '{}'
      WHERE (connector_id, mid_id, event_id) IN (SELECT id, part, last FROM (${due}) d)`,
  },
  {
    setting: 'runs',
    tables: ['flow_runs', 'journal'],
    personal: 'what the payer entered, what the provider answered',
    effect: 'deleted',
    never: 'a run that has not ended; the runs of a payment that is open, unknown, a hold or has an open modification',
    due: (limit) => sql`SELECT f.run_id AS id, f.finished_at AS since FROM flow_runs f
      WHERE f.state = 'finished' AND f.finished_at <= ${limit}
        AND NOT EXISTS (SELECT FROM payments p WHERE p.id = f.payment_id AND ${isMoving()})`,
    change: (due) => sql`WITH due AS MATERIALIZED (${due}),
        gone AS (DELETE FROM journal WHERE run_id IN (SELECT id FROM due))
      DELETE FROM flow_runs WHERE run_id IN (SELECT id FROM due)`,
  },
  {
    setting: 'sessions',
    tables: ['sessions'],
    personal: 'the request of a session without a payment: customer, addresses, the merchant’s own data',
    effect: 'deleted',
    never: 'an open session',
    due: (
      limit,
    ) => sql`SELECT s.id, s.closed_at AS since FROM sessions s WHERE s.state <> 'open' AND s.closed_at <= ${limit}
      AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id)`,
    change: (due) => sql`DELETE FROM sessions WHERE id IN (SELECT id FROM (${due}) d)`,
  },
  {
    setting: 'payments',
    tables: ['sessions', 'payments', 'modifications', 'cards'],
    personal: 'the request; IP address, what was shown, the connector’s values, the provider’s message, masked card',
    effect: 'erased and the cards deleted; order number, amounts, states, references and history stay',
    never:
      'open or unknown payments, holds, open modifications, runs under way, waiting callbacks, quarantined or unmatched events, mandates that may be charged again, payments whose saved card can be paid with: all of their session',
    due: (
      limit,
    ) => sql`SELECT s.id, greatest(s.closed_at, (SELECT max(p.updated_at) FROM payments p WHERE p.session_id = s.id)) AS since
      FROM sessions s WHERE s.state <> 'open' AND s.closed_at <= ${limit}
        AND EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND (s.erased_at IS NULL OR p.updated_at > s.erased_at))
        AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND (p.updated_at > ${limit} OR ${isNeeded()}))`,
    change: 'erase-requests',
  },
  {
    setting: 'drift',
    tables: ['reply_drift'],
    personal: 'none: names of fields and words of providers',
    effect: 'deleted',
    never: 'what is still seen',
    due: (limit) =>
      sql`SELECT r.ctid AS id, r.last_seen_at AS since FROM reply_drift r WHERE r.last_seen_at <= ${limit}`,
    // A row that is counted meanwhile is another version of it, and stays.
    change: (due) => sql`DELETE FROM reply_drift WHERE ctid = ANY (ARRAY(SELECT id FROM (${due}) d))`,
  },
];

/** How many days personal data is kept: the default, the least that may be set, and the moment from which the days count. */
interface Keeping {
  readonly days: number;
  readonly least: number;
  readonly from: string;
}

/** The longest that any setting takes: a hundred years. */
export const MOST_DAYS = 36_500;

/**
 * One setting for data that belongs together. 400 days: a payer may dispute a payment for 13 months, and the dispute needs the data so long.
 */
export const RETENTION = {
  sessions: { days: 90, least: 30, from: 'An unpaid session, from its end.' },
  payments: {
    days: 400,
    least: 120,
    from: 'Who paid, from where and with what, from the last change of a session’s payments. After that the service cannot refund them.',
  },
  runs: {
    days: 180,
    least: 30,
    from: 'The input of a connector’s flow and the provider’s answers to it, from the flow’s end.',
  },
  notifications: { days: 180, least: 30, from: 'Notifications of providers, from their arrival.' },
  events: { days: 400, least: 30, from: 'The provider’s words in an event, from the event.' },
  callbacks: { days: 400, least: 30, from: 'Callbacks, from their delivery or last attempt.' },
  attempts: { days: 90, least: 30, from: 'The log of callback attempts, from the attempt.' },
  cards: {
    days: 30,
    least: 1,
    from: 'A card’s number and the name on it, from the last change of its payment, unless the card is saved.',
  },
  drift: {
    days: 180,
    least: 7,
    from: 'Differences between providers’ replies and the connectors’ declarations, from when each was last seen.',
  },
} as const satisfies Record<string, Keeping>;

export type RetentionSetting = keyof typeof RETENTION;

/** Days by setting. */
export type RetentionDays = Readonly<Record<RetentionSetting, number>>;

const DAY = 86_400_000;

/** The result of one rule of the plan, or of its dry run. */
export interface Retained {
  readonly setting: RetentionSetting;
  readonly days: number;
  readonly tables: readonly string[];
  readonly rows: number;
}

export interface Due extends Retained {
  readonly effect: string;
  /** From when the days of the oldest row count. */
  readonly oldest: Date | null;
}

/** Deletes or erases data that is older than `days` says, in batches. `only`: the rules of one setting. */
export async function applyRetention(
  db: Db,
  clock: SqlClock,
  days: RetentionDays,
  leftOf: LeftOfRequest,
  only?: RetentionSetting,
): Promise<Retained[]> {
  const done: Retained[] = [];
  for (const rule of RETENTION_PLAN) {
    if (only !== undefined && rule.setting !== only) continue;
    const { setting, tables } = rule;
    done.push({ setting, days: days[setting], tables, rows: await applyRule(db, clock, rule, days[setting], leftOf) });
  }
  return done;
}

const limitOf = (clock: SqlClock, days: number): RawBuilder<unknown> => sql`${clock()} - ${milliseconds(days * DAY)}`;

function applyRule(
  db: Db,
  clock: SqlClock,
  { due, change }: RetentionRule,
  days: number,
  leftOf: LeftOfRequest,
): Promise<number> {
  const rows = due(limitOf(clock, days));
  if (change === 'erase-requests') return eraseRequests(db, rows, clock(), leftOf);
  return inBatches(db, change(sql`${rows} LIMIT ${BATCH_LIMIT}::integer`, clock()));
}

/** Counts what `applyRetention` would change, and changes nothing. */
export async function dueForRetention(db: Db, clock: SqlClock, days: RetentionDays): Promise<Due[]> {
  const found: Due[] = [];
  for (const { setting, tables, effect, due } of RETENTION_PLAN) {
    const counted = await sql<{ rows: number; oldest: Date | null }>`
      SELECT count(*)::integer AS rows, min(since) AS oldest FROM (${due(limitOf(clock, days[setting]))}) d`.execute(
      db,
    );
    const { rows, oldest } = counted.rows[0] ?? { rows: 0, oldest: null };
    found.push({ setting, days: days[setting], tables, effect, rows, oldest });
  }
  return found;
}
