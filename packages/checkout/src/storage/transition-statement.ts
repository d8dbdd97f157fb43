import type { Day } from '@railyard/core/protocol';
import { milliseconds, sql, toJsonText, type Piece, type SqlClock } from './database/sql.ts';
import type { DeclineCode, PaymentFacts } from '@railyard/core';
import type { ExclusiveModification, ModificationName, ModificationStateName } from '@railyard/core/payment';
import { paymentOf, type Payment, type StoredMoney } from './payment.ts';
import type { CallbacksTable, PaymentState, PaymentsTable, Selectable, SessionState } from './tables.ts';
import { rowColumns, type ManyRows, type RowValues } from './database/many-rows.ts';
import type { RunLease } from './runs.ts';
import type { ConnectorValues } from '@railyard/core/driver';
import type { NewPayment, StartedPayment } from './insert-payment.ts';

/** A callback to the merchant, which is written with the change that it reports. */
export interface NewCallback {
  /** It stays the same over all attempts. */
  readonly id: string;
  readonly url: string;
  /** The address is this payment's own: it does not follow the merchant's. */
  readonly ownUrl?: boolean;
  readonly contentType: string;
  /** Sent as it is. */
  readonly body: string;
}

/** A callback as it is sent. */
export type SentCallback = Pick<
  Selectable<CallbacksTable>,
  'id' | 'paymentId' | 'merchantKey' | 'test' | 'seq' | 'url' | 'contentType' | 'body' | 'attempts' | 'tries'
>;

/**
 * Inserts the callbacks of the payment `changed`, in this order.
 *
 * @param claimMs the first one is the writer's to send and claimed for so long, under the conditions of every claim: nothing of the payment waits
 *   before it, and its address is neither paused nor disabled. Unless given, a poll finds it. Behind one that waits they are due when that one is.
 */
export function insertCallbacks(
  callbacks: readonly NewCallback[],
  claimMs: number | undefined,
  row: RowValues,
  now: Piece<Date>,
): Piece<unknown> {
  const [first] = callbacks;
  if (first === undefined)
    return sql`SELECT NULL::uuid AS payment_id, NULL::integer AS seq, NULL::boolean AS test, NULL::timestamptz AS claimed_until WHERE false`;
  const rows = callbacks.map((callback, index) => ({ ownUrl: false, ...callback, position: index + 1 }));
  const url = row.of('text', first.url);
  const of = row.joined(sql`changed.id`);
  // One statement, whether it claims or not: servers keep its plan, and tests know it.
  const mine = sql`SELECT changed.id AS payment_id, ${row.of('boolean', claimMs !== undefined)} AND e.next_try_at IS NULL
      AND NOT EXISTS (SELECT FROM callback_addresses a WHERE a.url = ${url} AND a.merchant_key = changed.merchant_key AND a.paused_until > ${now})
      AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = ${url} AND d.merchant_key = changed.merchant_key) AS is_mine,
      EXISTS (SELECT FROM sessions s WHERE s.id = changed.session_id AND s.test) AS test, greatest(e.next_try_at, ${now}) AS next_try_at
    FROM changed ${of}
      CROSS JOIN LATERAL (SELECT max(next_try_at) AS next_try_at FROM callbacks w WHERE w.payment_id = changed.id AND w.state = 'waiting') e`;
  const isMine = sql`(c.position = 1 AND mine.is_mine)`;
  const claimedFor = sql`make_interval(secs => ${row.of('double precision', claimMs ?? 0)} / 1000)`;
  return sql`
      WITH mine AS MATERIALIZED (${mine})
      INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, own_url, content_type, body, next_try_at, created_at, test,
        attempts, tries, claimed_until)
      SELECT c.id, changed.id, changed.merchant_key, changed.callbacks - ${row.of('integer', rows.length)} + c.position, c.url, c."ownUrl",
        c."contentType", c.body, mine.next_try_at, ${now}, mine.test,
        ${isMine}::integer, ${isMine}::integer, CASE WHEN ${isMine} THEN ${now} + ${claimedFor} END
      FROM changed ${of} JOIN mine ON mine.payment_id = changed.id CROSS JOIN LATERAL json_to_recordset(${row.of('json', rows)})
        AS c (id text, url text, "ownUrl" boolean, "contentType" text, body text, position integer)
      RETURNING payment_id, seq, test, claimed_until`;
}

/** The addresses of merchants for which callbacks wait and that are neither paused nor disabled, each found by one step in an index. */
export const openAddresses = (now: Piece<Date>): Piece<unknown> => sql`
  WITH RECURSIVE waited_at AS (
    (SELECT url, merchant_key FROM callbacks WHERE state = 'waiting' ORDER BY url, merchant_key LIMIT 1)
    UNION ALL
    SELECT next.url, next.merchant_key FROM waited_at a CROSS JOIN LATERAL (
      SELECT url, merchant_key FROM callbacks
      WHERE state = 'waiting' AND (url, merchant_key) > (a.url, a.merchant_key) ORDER BY url, merchant_key LIMIT 1
    ) AS next
  )
  SELECT a.url, a.merchant_key FROM waited_at a
  WHERE NOT EXISTS (SELECT FROM callback_addresses p WHERE p.url = a.url AND p.merchant_key = a.merchant_key AND p.paused_until > ${now})
    AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = a.url AND d.merchant_key = a.merchant_key)`;

/** Of the claimed callback that `insertCallbacks` returned for the payment `changed`, if any: its number and whether it is one of a test, as JSON. */
export const claimedCallback = sql`(SELECT json_build_object('seq', o.seq, 'test', o.test) FROM outbox o
  WHERE o.payment_id = changed.id AND o.claimed_until IS NOT NULL)`;

/** The provider's event that causes a change of a payment. */
export interface TransitionEvent {
  readonly eventId: string;
  readonly kind: string;
  readonly providerReference: string;
  readonly amountText?: string;
  readonly currency?: string;
  /** JSON. */
  readonly data: unknown;
  readonly notificationId?: string;
  /** It is all that the notification says, which is handled with it. */
  readonly endsNotification?: boolean;
}

/** The run that causes a change of a payment. */
export interface TransitionRun {
  readonly lease: RunLease;
  /** The reply that led to it, where it is not written yet. It is a fact: it is written whatever becomes of the change. */
  readonly reply?: { readonly step: string; readonly text: string } | undefined;
  readonly next:
    | { readonly state: 'finished'; readonly outcome: unknown }
    | { readonly state: 'suspended'; readonly step: string; readonly asks: unknown };
}

/** Stands in a statement for a part that a transition has not. */
export const nothing = sql`SELECT NULL::uuid AS id WHERE false`;

/** Records the event of the payment `locked`, once. */
export function recordProviderEvent(event: TransitionEvent, row: RowValues, now: Piece<Date>): Piece<unknown> {
  return sql`
    INSERT INTO provider_events AS e (connector_id, mid_id, event_id, payment_id, notification_id, kind, provider_reference, amount_text, currency,
      data_text, state, at)
    SELECT connector_id, mid_id, ${row.of('text', event.eventId)}, id, ${row.of('uuid', event.notificationId ?? null)}, ${row.of('text', event.kind)},
      ${row.of('text', event.providerReference)}, ${row.of('text', event.amountText ?? null)}, ${row.of('text', event.currency ?? null)},
      ${row.of('text', toJsonText(event.data))}, 'applied', ${now}
    FROM locked ${row.joined(sql`locked.id`)}
    ON CONFLICT (connector_id, mid_id, event_id) DO UPDATE SET payment_id = excluded.payment_id, notification_id = excluded.notification_id,
      state = 'applied', reason = NULL, at = excluded.at
      WHERE e.state = 'unmatched'
    RETURNING e.payment_id`;
}

/** Ends the notification of an event with the payment `changed`. */
export function endNotification({ notificationId }: TransitionEvent, row: RowValues, now: Piece<Date>): Piece<unknown> {
  return sql`
    UPDATE provider_notifications n SET state = 'handled', handled_at = ${now} FROM changed ${row.joined(sql`changed.id`)}
    WHERE n.id = ${row.of('uuid', notificationId ?? null)} AND n.state = 'received' RETURNING n.id`;
}

/** Ends the runs that wait for the payer of the payment `changed`, which was decided without them. The epoch counts, because pages compare it. */
export const endWaitingRuns = (now: Piece<Date>): Piece<unknown> => sql`
    UPDATE flow_runs r SET state = 'finished', outcome_text = ${toJsonText({ status: 'overtaken' })}, finished_at = ${now},
      suspended_step = NULL, suspended_text = NULL, lease_epoch = r.lease_epoch + 1
    FROM changed WHERE r.payment_id = changed.id AND r.state = 'suspended' RETURNING r.run_id`;

/** The first reply wins, as in `sqlJournal.finish`. */
export function writeReply(
  runId: string,
  { step, text }: NonNullable<TransitionRun['reply']>,
  row: RowValues,
  now: Piece<Date>,
): Piece<unknown> {
  return sql`
    UPDATE journal j SET state = 'done', reply_text = ${row.of('text', text)}, done_at = ${now} FROM given g
    WHERE j.run_id = ${row.of('uuid', runId)} AND j.step = ${row.of('text', step)} AND j.state <> 'done' RETURNING j.run_id`;
}

/** Ends or suspends the run of the payment `locked`, if it is ours. */
export function moveRun(
  { lease, next }: TransitionRun,
  row: RowValues,
  now: Piece<Date>,
  gate: Piece<unknown>,
): Piece<unknown> {
  const end =
    next.state === 'finished'
      ? sql`state = 'finished', outcome_text = ${row.of('text', toJsonText(next.outcome))}, finished_at = ${now}`
      : sql`state = 'suspended', suspended_step = ${row.of('text', next.step)}, suspended_text = ${row.of('text', toJsonText(next.asks))}`;
  return sql`
    UPDATE flow_runs r SET ${end}, lease_owner = NULL, lease_until = NULL
    FROM locked ${row.joined(sql`locked.id`)}
    WHERE r.run_id = ${row.of('uuid', lease.runId)} AND r.payment_id = locked.id AND r.lease_epoch = ${row.of('integer', lease.epoch)}
      AND r.state = 'running' AND ${gate}
    RETURNING r.payment_id`;
}

/** The change that one of a payment makes to its schedule. */
export type ScheduleChange =
  /** A payer has agreed to later charges: a chain begins with this payment, unless its schedule was deleted meanwhile. */
  | {
      readonly kind: 'began';
      readonly scheduleId: string;
      readonly tokenHash: string;
      /** The day of the payment. */
      readonly began: Day;
      readonly startDate?: Day | undefined;
    }
  /** A charge of the schedule has ended, on this day. A hard decline pauses its chain in the same statement. */
  | { readonly kind: 'ended'; readonly state: 'settled' | 'declined_soft' | 'declined_hard'; readonly today: Day };

/** Parts of the statement that changes a payment: `changed` is the payment's new row. Chains are locked before their days, as everywhere. */
export function schedulePart(change: ScheduleChange | undefined, now: Piece<Date>): Piece<unknown> {
  if (change === undefined) return sql``;
  if (change.kind === 'began') return sql`, chained AS (${beginChain(change, now)})`;
  const { state, today } = change;
  const end = (from: Piece<unknown>) => sql`, dued AS (
      UPDATE due_days d SET state = ${state}, last_tried = ${today}, at = ${now}
      FROM ${from} WHERE d.mandate_id = changed.mandate_id AND d.charge_id = coalesce(changed.retry_of, changed.id) RETURNING d.mandate_id
    )`;
  // The plan of its chain holds no try for it, or one that finds it settled.
  if (state === 'settled') return end(sql`changed`);
  const pause = state === 'declined_hard' ? sql`, paused_after = coalesce(c.paused_after, ${today})` : sql``;
  return sql`, chained AS (
      UPDATE chains c SET wakes = c.wakes + 1, poll_at = CASE WHEN c.ended_at IS NULL THEN ${now} END${pause}
      FROM changed WHERE c.id = changed.mandate_id RETURNING c.id
    )${end(sql`changed JOIN chained ON true`)}`;
}

/** Of a schedule that is deleted in the same moment one of both waits for the other. The first look at the chain plans its first charge. */
function beginChain(
  { scheduleId, tokenHash, began, startDate }: Extract<ScheduleChange, { kind: 'began' }>,
  now: Piece<Date>,
): Piece<unknown> {
  return sql`
      INSERT INTO chains (id, schedule_id, merchant_key, test, mid_id, token_hash, began, start_date, poll_at, created_at)
      SELECT changed.id, s.id, s.merchant_key, s.test, changed.mid_id, ${tokenHash}, ${began}, ${startDate ?? null},
        ${now}, ${now}
      FROM changed, (SELECT id, merchant_key, test FROM schedules WHERE id = ${scheduleId}::uuid FOR KEY SHARE) s
      ON CONFLICT (id) DO NOTHING RETURNING id`;
}

type ProviderWords = { readonly status?: string; readonly code?: string; readonly message?: string };

/** A modification on a payment that begins with a change of the payment, and the run of its flow. */
export interface NewModification {
  /** A UUID: the transaction's, and its run's. */
  readonly id: string;
  readonly kind: ModificationName;
  readonly amount: StoredMoney;
  /** Absent: it took place at the provider, and is recorded as a success. Without an owner any process takes its run at its next poll. */
  readonly run?: {
    readonly purpose: string;
    readonly input: unknown;
    readonly owner: string | null;
    readonly leaseMs: number;
  };
  readonly providerReference?: string;
}

/** How a modification stands with a change of its payment. What is left out stays as it is. */
export interface ModificationUpdate {
  readonly id: string;
  readonly state: ModificationStateName;
  readonly providerReference?: string;
  readonly provider?: ProviderWords;
  readonly reason?: string;
  readonly facts?: PaymentFacts;
  /** When the provider is asked about it next; `null`: not by itself. */
  readonly pollInMs: number | null;
}

/** Part of the statement that changes a payment: `changed` is the payment's new row. */
export function insertModification({ id, kind, amount, run, providerReference }: NewModification, now: Piece<Date>) {
  const state: ModificationStateName = run === undefined ? 'succeeded' : 'requested';
  return sql`
    INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, provider_reference, created_at, updated_at)
    SELECT ${id}::uuid, changed.id, changed.mid_id, ${kind}, ${amount.text}, ${amount.minor.toString()}::numeric, ${amount.currency}, ${state},
      ${providerReference ?? null}, ${now}, ${now}
    FROM changed RETURNING id`;
}

export function insertModificationRun(
  { id }: NewModification,
  run: NonNullable<NewModification['run']>,
  now: Piece<Date>,
) {
  return sql`
    INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, state, started_at, input_text, lease_owner,
      lease_epoch, lease_until)
    SELECT ${id}::uuid, changed.id, ${run.purpose}, changed.connector_id, changed.connector_version, 'running', ${now},
      ${toJsonText(run.input)}, ${run.owner}, 1, ${now} + ${milliseconds(run.leaseMs)}
    FROM changed RETURNING run_id`;
}

export function updateModification(update: ModificationUpdate, now: Piece<Date>) {
  const { status = null, code = null, message = null } = update.provider ?? {};
  const words =
    update.provider === undefined
      ? sql``
      : sql`provider_status = ${status}, provider_code = ${code}, provider_message = ${message},`;
  const pollAt = update.pollInMs === null ? sql`NULL` : sql`${now} + ${milliseconds(update.pollInMs)}`;
  return sql`
    UPDATE modifications a SET state = ${update.state}, ${words}
      provider_reference = coalesce(${update.providerReference ?? null}, a.provider_reference),
      reason = coalesce(${update.reason ?? null}, a.reason),
      facts_text = coalesce(${update.facts === undefined ? null : toJsonText(update.facts)}, a.facts_text), poll_at = ${pollAt}, updated_at = ${now}
    FROM changed WHERE a.id = ${update.id}::uuid AND a.payment_id = changed.id
    RETURNING a.id`;
}

function assignments(change: PaymentUpdate, row: RowValues, now: Piece<Date>): Piece<unknown>[] {
  const text = (value: string | null) => row.of('text', value);
  const minor = (value: bigint) => row.of('numeric', value.toString());
  const set = [sql`state = ${text(change.state)}`, sql`unknown = ${row.of('boolean', change.unknown)}`];
  if (change.received !== undefined) {
    const { minor: sum, text: written, currency } = change.received ?? { minor: 0n, text: null, currency: null };
    set.push(
      sql`received_minor = ${minor(sum)}`,
      sql`received_text = ${text(written)}`,
      sql`received_currency = ${text(currency)}`,
    );
  }
  if (change.authorizedMinor !== undefined) set.push(sql`authorized_minor = ${minor(change.authorizedMinor)}`);
  if (change.capturedMinor !== undefined) set.push(sql`captured_minor = ${minor(change.capturedMinor)}`);
  if (change.refundedMinor !== undefined) set.push(sql`refunded_minor = ${minor(change.refundedMinor)}`);
  if (change.reservedMinor !== undefined) set.push(sql`reserved_minor = ${minor(change.reservedMinor)}`);
  if (change.modifying !== undefined) set.push(sql`modifying = ${text(change.modifying)}`);
  if (change.decidedBy !== undefined) set.push(sql`decided_by = ${text(change.decidedBy)}`);
  if (change.reason !== undefined) set.push(sql`reason = ${text(change.reason)}`);
  if (change.declineKind !== undefined) set.push(sql`decline_kind = ${text(change.declineKind)}`);
  if (change.declineCode !== undefined) set.push(sql`decline_code = ${text(change.declineCode)}`);
  if (change.providerReference !== undefined) set.push(sql`provider_reference = ${text(change.providerReference)}`);
  if (change.provider !== undefined) {
    const { status = null, code = null, message = null } = change.provider;
    set.push(
      sql`provider_status = ${text(status)}`,
      sql`provider_code = ${text(code)}`,
      sql`provider_message = ${text(message)}`,
    );
  }
  if (change.show !== undefined)
    set.push(sql`show_text = ${text(change.show === null ? null : toJsonText(change.show))}`);
  if (change.agreement !== undefined) set.push(sql`agreement_text = ${text(toJsonText(change.agreement))}`);
  if (change.connectorState !== undefined)
    set.push(sql`connector_state_text = ${text(toJsonText(change.connectorState))}`);
  if (change.facts !== undefined) set.push(sql`facts_text = ${text(toJsonText(change.facts))}`);
  if (change.aside !== undefined) set.push(sql`aside_text = ${text(change.aside)}`);
  if (change.pollInMs === null) set.push(sql`poll_at = NULL`);
  else if (change.pollInMs !== undefined)
    set.push(sql`poll_at = ${now} + make_interval(secs => ${row.of('double precision', change.pollInMs)} / 1000)`);
  return set;
}

/** No run of the operation goes on from here. */
const isDecided = (state: PaymentUpdate['state']): boolean => state !== 'created' && state !== 'pending';

function closeSession(state: Exclude<SessionState, 'open'>, now: Piece<Date>): Piece<unknown> {
  const from = state === 'completed' ? sql`s.state <> 'completed'` : sql`s.state = 'open'`;
  const paidBy = state === 'completed' ? sql`, paid_payment_id = changed.id` : sql``;
  return sql`UPDATE sessions s SET state = ${state}, closed_at = ${now}${paidBy} FROM changed WHERE s.id = changed.session_id AND ${from} RETURNING s.id`;
}

/** The callbacks of one charge are counted through all its tries, also where an earlier one is paid after the later ones were reported. */
function callbacksBefore(more: number): Piece<unknown> {
  if (more === 0) return sql`p.callbacks`;
  return sql`greatest(p.callbacks, (SELECT max(r.callbacks) FROM payments r
    WHERE p.mandate_id IS NOT NULL AND r.retry_of = coalesce(p.retry_of, p.id)))`;
}

function modificationPart(
  { newModification: beginModification, modification }: Transition,
  now: Piece<Date>,
): Piece<unknown> {
  if (beginModification !== undefined) return insertModification(beginModification, now);
  return modification === undefined ? nothing : updateModification(modification, now);
}

/** @param together with others: a payment, session or run that is locked just now is left out, so that the others do not wait for it */
export function transitionStatement(clock: SqlClock, transition: Transition, together: boolean): ManyRows<AppliedRow> {
  const { change, event, providerEvent, run } = transition;
  const now = clock();
  const row = rowColumns(transition.paymentId);
  const callbacks = transition.callbacks ?? [];
  const references = (transition.references ?? []).map(({ providerReference, watched, payableUntil }) => ({
    providerReference,
    watched: watched ?? true,
    payableUntil: payableUntil?.toISOString() ?? null,
  }));
  const eventIsNew = (id: Piece<unknown>) =>
    providerEvent === undefined ? sql`true` : sql`EXISTS (SELECT FROM seen WHERE seen.payment_id = ${id})`;
  const runIsOurs =
    run === undefined || providerEvent !== undefined
      ? sql`true`
      : sql`EXISTS (SELECT FROM ran WHERE ran.payment_id = locked.id)`;
  const ofLocked = sql`locked JOIN given g ON g.key = locked.id`;
  const ofChanged = sql`changed JOIN given g ON g.key = changed.id`;
  const closes = together && transition.closeSession !== undefined;
  const runs = together && run !== undefined;
  const parts = sql<AppliedRow>`locked AS (
      SELECT p.id, p.state, p.connector_id, p.mid_id FROM given g JOIN payments p ON p.id = g.key
        ${closes ? sql`JOIN sessions s ON s.id = p.session_id` : sql``}
        ${runs ? sql`JOIN flow_runs r ON r.run_id = ${row.of('uuid', run.lease.runId)}` : sql``}
      WHERE p.version = ${row.of('integer', transition.expectedVersion)}
      ${together ? sql`ORDER BY p.id` : sql``} FOR UPDATE OF p${closes ? sql`, s` : sql``}${runs ? sql`, r` : sql``} ${together ? sql`SKIP LOCKED` : sql``}
    ), seen AS (${providerEvent === undefined ? nothing : recordProviderEvent(providerEvent, row, now)}
    ), answered AS (${run?.reply === undefined ? nothing : writeReply(run.lease.runId, run.reply, row, now)}
    ), ran AS (${run === undefined ? nothing : moveRun(run, row, now, eventIsNew(sql`locked.id`))}
    ), changed AS (
      UPDATE payments p SET ${sql.list(assignments(change, row, now))}, version = p.version + 1, updated_at = ${now},
        callbacks = ${callbacksBefore(callbacks.length)} + ${row.of('integer', callbacks.length)}
      FROM ${ofLocked} WHERE p.id = locked.id AND ${eventIsNew(sql`locked.id`)} AND ${runIsOurs}
      RETURNING p.*
    ), waited AS (${run === undefined && isDecided(change.state) ? endWaitingRuns(now) : nothing}
    ), handled AS (${providerEvent?.endsNotification === true ? endNotification(providerEvent, row, now) : nothing}
    ), recorded AS (
      INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
      SELECT changed.id, changed.version, ${row.of('text', event.kind)}, locked.state, changed.state, ${row.of('text', toJsonText(event.data))}, ${now}
      FROM ${ofChanged} JOIN locked ON locked.id = changed.id
    ), referred AS (${references.length === 0 ? nothing : refer(row.of('json', references), ofChanged, now)}
    ), outbox AS (${insertCallbacks(callbacks, transition.claimMs, row, now)}
    ), acted AS (${modificationPart(transition, now)}
    ), began AS (${transition.newModification?.run === undefined ? nothing : insertModificationRun(transition.newModification, transition.newModification.run, now)}
    ), closed AS (${transition.closeSession === undefined ? nothing : closeSession(transition.closeSession, now)}
    )${schedulePart(transition.schedule, now)}
    SELECT g.key AS of_payment, EXISTS (SELECT FROM locked WHERE locked.id = g.key) AS was_locked,
      ${eventIsNew(sql`g.key`)} AS was_new, changed.id IS NOT NULL AS was_changed,
      EXISTS (SELECT FROM closed WHERE closed.id = changed.session_id) AS was_closed, ${claimedCallback} AS claimed, changed.*
    FROM given g LEFT JOIN changed ON changed.id = g.key`;
  return { row, parts };
}

function refer(references: Piece<unknown>, ofChanged: Piece<unknown>, now: Piece<Date>) {
  return sql`
      INSERT INTO payment_references AS f (connector_id, mid_id, provider_reference, payment_id, watched, payable_until, created_at)
      SELECT changed.connector_id, changed.mid_id, r."providerReference", changed.id, r.watched, r."payableUntil", ${now}
      FROM ${ofChanged} CROSS JOIN LATERAL json_to_recordset(${references}) AS r ("providerReference" text, watched boolean, "payableUntil" timestamptz)
      ON CONFLICT (connector_id, mid_id, provider_reference, payment_id) DO UPDATE SET watched = excluded.watched,
        payable_until = coalesce(excluded.payable_until, f.payable_until)`;
}

/** The result of a transition, by the row that its statement has of it. */
export function resultOf(row: AppliedRow, { callbacks }: Transition): TransitionResult {
  if (!row.wasLocked) return { result: 'stale' };
  if (!row.wasNew) return { result: 'seen' };
  if (!row.wasChanged) return { result: 'run-lost' };
  const payment = paymentOf(row);
  return { result: 'applied', payment, closedSession: row.wasClosed, ...sentBy(payment, callbacks?.[0], row.claimed) };
}

export type AppliedRow = Selectable<PaymentsTable> & {
  readonly ofPayment: string;
  readonly wasLocked: boolean;
  readonly wasNew: boolean;
  readonly wasChanged: boolean;
  readonly wasClosed: boolean;
  readonly claimed: Pick<SentCallback, 'seq' | 'test'> | null;
};

function sentBy(
  { id: paymentId, merchantKey }: Payment,
  first: NewCallback | undefined,
  claimed: AppliedRow['claimed'],
): { readonly claimed?: SentCallback } {
  if (first === undefined || claimed === null) return {};
  return { claimed: { ...first, ...claimed, paymentId, merchantKey, attempts: 1, tries: 1 } };
}

/** The new standing of a payment. What is left out stays as it is. */
export interface PaymentUpdate {
  readonly state: PaymentState;
  readonly unknown: boolean;
  /** `null`: nothing any more. */
  readonly received?: StoredMoney | null;
  readonly authorizedMinor?: bigint;
  readonly capturedMinor?: bigint;
  readonly refundedMinor?: bigint;
  readonly reservedMinor?: bigint;
  readonly modifying?: ExclusiveModification | null;
  readonly decidedBy?: string | null;
  readonly reason?: string | null;
  readonly declineKind?: 'soft' | 'hard' | null;
  readonly declineCode?: DeclineCode;
  readonly providerReference?: string;
  readonly provider?: { readonly status?: string; readonly code?: string; readonly message?: string };
  /** JSON; `null`: nothing any more. */
  readonly show?: unknown;
  readonly agreement?: ConnectorValues;
  readonly connectorState?: ConnectorValues;
  readonly facts?: PaymentFacts;
  /** Money that came and does not fit, as it is shown to an operator; `null`: none any more. */
  readonly aside?: string | null;
  /** When the provider is asked next; `null`: not by itself. */
  readonly pollInMs?: number | null;
}

export interface Transition {
  readonly paymentId: string;
  /** The version that the decision was made on. */
  readonly expectedVersion: number;
  readonly change: PaymentUpdate;
  /** The row of the payment's history; `data` is JSON. */
  readonly event: { readonly kind: string; readonly data: object };
  /** The provider's references that lead to this payment from now on. */
  readonly references?: readonly {
    readonly providerReference: string;
    readonly watched?: boolean;
    /** Until when it can be paid; as it was known before unless given. */
    readonly payableUntil?: Date;
  }[];
  /** The callbacks to the merchant, in this order. */
  readonly callbacks?: readonly NewCallback[];
  /** For how long the first of them is claimed, if the caller sends it. */
  readonly claimMs?: number | undefined;
  /** The provider's event that caused it, once; one that matched no payment when it first came is applied now. */
  readonly providerEvent?: TransitionEvent;
  /** The run that caused it, which ends with it or waits for the payer. If it is not ours any more, nothing happens. */
  readonly run?: TransitionRun;
  /** A modification on the payment that begins with it, or one that moves with it. */
  readonly newModification?: NewModification;
  readonly modification?: ModificationUpdate;
  /** The payment that is begun in place of this one, at another account: both are written, or nothing is. */
  readonly failover?: NewPayment;
  /** The change that it makes to the schedule that charges by the agreement, or is to charge by it. */
  readonly schedule?: ScheduleChange | undefined;
  /** How the payment's session ends with it. Money that came completes a session that had expired or was cancelled, too. */
  readonly closeSession?: Exclude<SessionState, 'open'>;
}

export type TransitionResult =
  | {
      readonly result: 'applied';
      readonly payment: Payment;
      /** Whether it ended the session; it had ended before otherwise. */
      readonly closedSession: boolean;
      readonly started?: StartedPayment;
      /** The callback that is the caller's to send. */
      readonly claimed?: SentCallback;
    }
  /** The payment that was to be begun with it could not be: the session has ended, or its time is over. */
  | { readonly result: 'not-inserted' }
  /** The payment changed meanwhile: read it again and decide again. */
  | { readonly result: 'stale' }
  /** The provider's event was applied or set aside before. */
  | { readonly result: 'seen' }
  /** Another process has claimed the run, or it has ended. */
  | { readonly result: 'run-lost' }
  /** Two payments under one reference could take each other's money: a reference of it belongs to another payment. */
  | { readonly result: 'foreign-reference' }
  /** The database undid it for the sake of another statement: decide again. */
  | { readonly result: 'undone' };
