import { sql, type Expression, type RawBuilder } from 'kysely';
import { toJsonText, type Db, type SqlClock } from './database/sql.ts';
import { insertPayment, type NewPayment } from './insert-payment.ts';
import { paymentOf, type Payment } from './payment.ts';
import { withoutEntry } from './sessions.ts';
import type { PaymentsTable, Selectable } from './tables.ts';
import type { NewCallback, PaymentUpdate, SentCallback, Transition, TransitionResult } from './transition.ts';

/**
 * Changes a payment: its row, one row of its history, its references, its callbacks, the provider's event or the run that caused the change,
 * and its session. One statement: all of it, or nothing.
 *
 * @throws the database's error if a sum would become impossible, or if a reference belongs to another payment
 */
export async function applyTransition(db: Db, clock: SqlClock, transition: Transition): Promise<TransitionResult> {
  const { rows } = await applyTransitions([transition], clock(), false).execute(db);
  const [row] = rows;
  return row === undefined ? { result: 'stale' } : resultOf(row, transition);
}

/** Whether others can be written with it: what it changes is found by its payment alone. */
export const goesWithOthers = ({ failover, schedule, modification, newModification }: Transition): boolean =>
  failover === undefined && schedule === undefined && modification === undefined && newModification === undefined;

/**
 * Changes several payments in one statement. A payment that is locked just now is left out, and so is one whose run or session is.
 *
 * @param transitions each of another payment
 * @returns the results by payment; where there is none, at most the reply of a run was written: the transition is to be applied by itself
 */
export async function applyTogether(
  db: Db,
  clock: SqlClock,
  transitions: readonly Transition[],
): Promise<ReadonlyMap<string, TransitionResult>> {
  const byId = new Map(transitions.map((transition) => [transition.paymentId, transition]));
  const { rows } = await applyTransitions(transitions, clock(), true).execute(db);
  const results = new Map<string, TransitionResult>();
  for (const row of rows) {
    const transition = byId.get(row.ofPayment);
    if (transition !== undefined && row.wasLocked) results.set(row.ofPayment, resultOf(row, transition));
  }
  return results;
}

/** The result of a transition, by the row that its statement has of it. */
function resultOf(row: AppliedRow, { callbacks }: Transition): TransitionResult {
  if (!row.wasLocked) return { result: 'stale' };
  if (!row.wasNew) return { result: 'seen' };
  if (!row.wasChanged) return { result: 'run-lost' };
  const payment = paymentOf(row);
  return { result: 'applied', payment, closedSession: row.wasClosed, ...sentBy(payment, callbacks?.[0], row.claimed) };
}

function sentBy(
  { id: paymentId, merchantKey }: Payment,
  first: NewCallback | undefined,
  claimed: AppliedRow['claimed'],
): { readonly claimed?: SentCallback } {
  if (first === undefined || claimed === null) return {};
  return { claimed: { ...first, ...claimed, paymentId, merchantKey, attempts: 1, tries: 1 } };
}

class NotInsertedError extends Error {
  override readonly name = 'NotInsertedError';
}

/**
 * Changes a payment and begins the one that takes its place, in one transaction: a reader sees the first under way or the
 * second, and a crash leaves both changes or none. See `applyTransition` and `insertPayment`.
 */
export async function applyAndInsert(
  db: Db,
  clock: SqlClock,
  transition: Transition,
  failover: NewPayment,
): Promise<TransitionResult> {
  try {
    return await db.transaction().execute(async (trx) => {
      const applied = await applyTransition(trx, clock, transition);
      if (applied.result !== 'applied') return applied;
      const started = await insertPayment(trx, clock, failover);
      if (started === undefined) throw new NotInsertedError();
      return { ...applied, started };
    });
  } catch (error) {
    if (error instanceof NotInsertedError) return { result: 'not-inserted' };
    throw error;
  }
}

type AppliedRow = Selectable<PaymentsTable> & {
  readonly ofPayment: string;
  readonly wasLocked: boolean;
  readonly wasNew: boolean;
  readonly wasChanged: boolean;
  readonly wasClosed: boolean;
  readonly claimed: Pick<SentCallback, 'seq' | 'test'> | null;
};

/**
 * Changes payments, each with all that its change brings along, or not at all. A row of `t` is a transition. A part that the transition has not is
 * null in its row, so that its statement finds no row to write. There are two texts.
 *
 * @param transitions each of another payment
 * @param together with others: a payment, session or run that is locked just now is left out, so that the others do not wait for it. Modifications
 *   and schedules are changed alone: each table that a statement may write to costs the server some microseconds
 */
const applyTransitions = (
  transitions: readonly Transition[],
  now: Expression<Date>,
  together: boolean,
): RawBuilder<AppliedRow> => sql<AppliedRow>`
WITH t AS (
  SELECT * FROM json_to_recordset(${toJsonText(transitions.map(rowOf))}::text::json) AS t (
    payment_id uuid, expected_version integer, set jsonb, event_kind text, event_data text, refs json, callbacks json, claim_ms float8, close_session text,
    heard_id text, heard_kind text, heard_reference text, heard_amount text, heard_currency text, heard_data text, notification_id uuid, ends_notification boolean,
    run_id uuid, run_epoch integer, run_state text, run_outcome text, run_step text, run_asks text, reply_step text, reply text,
    new_mod_id uuid, new_mod_kind text, new_mod_amount text, new_mod_minor numeric, new_mod_currency text, new_mod_state text, new_mod_reference text,
    new_run_purpose text, new_run_input text, new_run_owner text, new_run_lease_ms float8,
    mod_id uuid, mod_set jsonb, mod_poll_in_ms float8,
    schedule_id uuid, token_hash text, began text, start_date text, charge_ended text, today text)
  -- Of a function a server assumes a hundred rows, and reads whole tables for them; of those within two bounds one in two hundred.
  WHERE octet_length(t.payment_id::text) BETWEEN 1 AND 1000

), ${together ? LOCKED_IF_FREE : LOCKED}

-- The provider's event, once. It is applied now if it matched no payment when it first came, or if it tells a dispute's result whose beginning
-- came later.
), seen AS (
  INSERT INTO provider_events AS e (connector_id, mid_id, event_id, payment_id, notification_id, kind, provider_reference, amount_text, currency, data_text, state, at)
  SELECT l.connector_id, l.mid_id, t.heard_id, l.id, t.notification_id, t.heard_kind, t.heard_reference, t.heard_amount, t.heard_currency, t.heard_data, 'applied', ${now}
  FROM locked l JOIN t ON t.payment_id = l.id WHERE t.heard_id IS NOT NULL
  ON CONFLICT (connector_id, mid_id, event_id) DO UPDATE
    SET payment_id = excluded.payment_id, notification_id = excluded.notification_id, state = 'applied', reason = NULL, at = excluded.at
    WHERE e.state = 'unmatched' OR (e.state = 'quarantined' AND e.kind = 'chargeback')
  RETURNING e.payment_id

-- The reply that led to the change is a fact: it is written whatever becomes of the change. The first one wins.
), answered AS (
  UPDATE journal j SET state = 'done', reply_text = t.reply, done_at = ${now}
  FROM t WHERE j.run_id = t.run_id AND j.step = t.reply_step AND j.state <> 'done'

-- The run that caused the change ends or waits for the payer, if it is still ours.
), ran AS (
  UPDATE flow_runs r SET state = t.run_state, outcome_text = coalesce(t.run_outcome, r.outcome_text),
    finished_at = CASE WHEN t.run_state = 'finished' THEN ${now} ELSE r.finished_at END,
    suspended_step = coalesce(t.run_step, r.suspended_step), suspended_text = coalesce(t.run_asks, r.suspended_text),
    lease_owner = NULL, lease_until = NULL
  FROM locked l JOIN t ON t.payment_id = l.id
  WHERE r.run_id = t.run_id AND r.payment_id = l.id AND r.lease_epoch = t.run_epoch AND r.state = 'running'
    AND (t.heard_id IS NULL OR EXISTS (SELECT FROM seen WHERE seen.payment_id = l.id))
  RETURNING r.payment_id

-- The payment: what is not in t.set stays as it is.
), changed AS (
  UPDATE payments p SET (state, unknown, received_minor, received_text, received_currency, authorized_minor, captured_minor, refunded_minor,
      reserved_minor, modifying, decided_by, reason, decline_kind, decline_code, provider_reference, provider_status, provider_code,
      provider_message, show_text, agreement_text, connector_state_text, facts_text, aside_text)
    = (SELECT n.state, n.unknown, n.received_minor, n.received_text, n.received_currency, n.authorized_minor, n.captured_minor, n.refunded_minor,
      n.reserved_minor, n.modifying, n.decided_by, n.reason, n.decline_kind, n.decline_code, n.provider_reference, n.provider_status, n.provider_code,
      n.provider_message, n.show_text, n.agreement_text, n.connector_state_text, n.facts_text, n.aside_text
      FROM jsonb_populate_record(p, t.set) n),
    poll_at = CASE WHEN t.set ? 'poll_in_ms' THEN ${now} + make_interval(secs => (t.set->>'poll_in_ms')::float8 / 1000) ELSE p.poll_at END,
    -- The callbacks of one charge are counted through all its tries, also where an earlier one is paid after the later ones were reported.
    callbacks = CASE WHEN json_array_length(t.callbacks) = 0 THEN p.callbacks ELSE greatest(p.callbacks, (SELECT max(r.callbacks) FROM payments r
      WHERE p.mandate_id IS NOT NULL AND r.retry_of = coalesce(p.retry_of, p.id))) + json_array_length(t.callbacks) END,
    version = p.version + 1, updated_at = ${now}
  FROM locked l JOIN t ON t.payment_id = l.id
  WHERE p.id = l.id AND CASE
    WHEN t.heard_id IS NOT NULL THEN EXISTS (SELECT FROM seen WHERE seen.payment_id = l.id)
    WHEN t.run_id IS NOT NULL THEN EXISTS (SELECT FROM ran WHERE ran.payment_id = l.id)
    ELSE true END
  RETURNING p.*

-- Runs that wait for the payer of a payment that was decided without them. The epoch counts, because pages compare it.
), waited AS (
  UPDATE flow_runs r SET state = 'finished', outcome_text = '{"status":"overtaken"}', finished_at = ${now}, suspended_step = NULL, suspended_text = NULL,
    lease_epoch = r.lease_epoch + 1
  FROM changed c JOIN t ON t.payment_id = c.id
  WHERE r.payment_id = c.id AND r.state = 'suspended' AND t.run_id IS NULL AND c.state NOT IN ('created', 'pending')

), handled AS (
  UPDATE provider_notifications n SET state = 'handled', handled_at = ${now}
  FROM changed c JOIN t ON t.payment_id = c.id
  WHERE t.ends_notification AND n.id = t.notification_id AND n.state = 'received'

), recorded AS (
  INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
  SELECT c.id, c.version, t.event_kind, l.state, c.state, t.event_data, ${now}
  FROM changed c JOIN t ON t.payment_id = c.id JOIN locked l ON l.id = c.id

), referred AS (
  INSERT INTO payment_references AS f (connector_id, mid_id, provider_reference, payment_id, watched, payable_until, created_at)
  SELECT c.connector_id, c.mid_id, r.reference, c.id, r.watched, r.payable_until, ${now}
  FROM changed c JOIN t ON t.payment_id = c.id
    CROSS JOIN LATERAL json_to_recordset(t.refs) AS r (reference text, watched boolean, payable_until timestamptz)
  ON CONFLICT (connector_id, mid_id, provider_reference, payment_id) DO UPDATE
    SET watched = excluded.watched, payable_until = coalesce(excluded.payable_until, f.payable_until)

), ${outbox(now)}

-- Of payments that close one session together, the one that completes it counts.
), closed AS (
  UPDATE sessions s SET state = c.close_session, closed_at = ${now}, ${withoutEntry},
    paid_payment_id = CASE WHEN c.close_session = 'completed' THEN c.id ELSE s.paid_payment_id END
  FROM (SELECT DISTINCT ON (c.session_id) c.session_id, c.id, t.close_session FROM changed c JOIN t ON t.payment_id = c.id
    WHERE t.close_session IS NOT NULL ORDER BY c.session_id, t.close_session = 'completed' DESC, c.id) c
  WHERE s.id = c.session_id AND (s.state = 'open' OR c.close_session = 'completed' AND s.state <> 'completed')
  RETURNING s.id, s.state, s.paid_payment_id

${together ? sql`` : sql`), ${modificationsAndSchedules(now)}`})
SELECT t.payment_id AS of_payment, EXISTS (SELECT FROM locked WHERE locked.id = t.payment_id) AS was_locked,
  t.heard_id IS NULL OR EXISTS (SELECT FROM seen WHERE seen.payment_id = t.payment_id) AS was_new, changed.id IS NOT NULL AS was_changed,
  EXISTS (SELECT FROM closed WHERE closed.id = changed.session_id AND closed.state = t.close_session
    AND (t.close_session <> 'completed' OR closed.paid_payment_id = changed.id)) AS was_closed,
  (SELECT json_build_object('seq', o.seq, 'test', o.test) FROM outbox o WHERE o.payment_id = changed.id AND o.claimed_until IS NOT NULL) AS claimed,
  changed.*
FROM t LEFT JOIN changed ON changed.id = t.payment_id`;

/** The parts of a transition that is applied alone. */
const modificationsAndSchedules = (now: Expression<Date>) => sql`
-- A modification that begins with the change, its run, or one that moves with it.
acted AS (
  INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, provider_reference, created_at, updated_at)
  SELECT t.new_mod_id, c.id, c.mid_id, t.new_mod_kind, t.new_mod_amount, t.new_mod_minor, t.new_mod_currency, t.new_mod_state, t.new_mod_reference, ${now}, ${now}
  FROM changed c JOIN t ON t.payment_id = c.id WHERE t.new_mod_id IS NOT NULL

), began AS (
  INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, state, started_at, input_text, lease_owner, lease_epoch, lease_until)
  SELECT t.new_mod_id, c.id, t.new_run_purpose, c.connector_id, c.connector_version, 'running', ${now}, t.new_run_input, t.new_run_owner, 1,
    ${now} + make_interval(secs => t.new_run_lease_ms / 1000)
  FROM changed c JOIN t ON t.payment_id = c.id WHERE t.new_run_purpose IS NOT NULL

), moved AS (
  UPDATE modifications a SET (state, provider_status, provider_code, provider_message, provider_reference, reason, facts_text)
      = (SELECT n.state, n.provider_status, n.provider_code, n.provider_message, n.provider_reference, n.reason, n.facts_text
         FROM jsonb_populate_record(a, t.mod_set) n),
    poll_at = ${now} + make_interval(secs => t.mod_poll_in_ms / 1000), updated_at = ${now}
  FROM changed c JOIN t ON t.payment_id = c.id WHERE a.id = t.mod_id AND a.payment_id = c.id

-- A payer has agreed to later charges. Of a schedule that is deleted in the same moment one of both waits for the other.
), agreed AS (
  SELECT s.id, s.merchant_key, s.test, t.payment_id FROM t JOIN schedules s ON s.id = t.schedule_id FOR KEY SHARE OF s
), chained AS (
  INSERT INTO chains (id, schedule_id, merchant_key, test, mid_id, token_hash, began, start_date, poll_at, created_at)
  SELECT c.id, s.id, s.merchant_key, s.test, c.mid_id, t.token_hash, t.began, t.start_date, ${now}, ${now}
  FROM changed c JOIN t ON t.payment_id = c.id JOIN agreed s ON s.payment_id = c.id
  ON CONFLICT (id) DO NOTHING

-- A charge of a schedule has ended. Chains are locked before their days. Of one that settled the plan holds no try, or one that finds it settled.
), woken AS (
  UPDATE chains m SET wakes = m.wakes + 1, poll_at = CASE WHEN m.ended_at IS NULL THEN ${now} END,
    paused_after = CASE WHEN t.charge_ended = 'declined_hard' THEN coalesce(m.paused_after, t.today) ELSE m.paused_after END
  FROM changed c JOIN t ON t.payment_id = c.id
  WHERE m.id = c.mandate_id AND t.charge_ended IN ('declined_soft', 'declined_hard')
  RETURNING m.id
), dued AS (
  UPDATE due_days d SET state = t.charge_ended, last_tried = t.today, at = ${now}
  FROM changed c JOIN t ON t.payment_id = c.id LEFT JOIN woken w ON w.id = c.mandate_id
  WHERE d.mandate_id = c.mandate_id AND d.charge_id = coalesce(c.retry_of, c.id) AND (t.charge_ended = 'settled' OR w.id IS NOT NULL)`;

const LOCKED = sql.raw(`locked AS (
  SELECT p.id, p.state, p.connector_id, p.mid_id FROM t JOIN payments p ON p.id = t.payment_id
  WHERE p.version = t.expected_version FOR UPDATE OF p`);

const LOCKED_IF_FREE = sql.raw(`free AS (
  SELECT p.id, p.state, p.connector_id, p.mid_id, p.session_id FROM t JOIN payments p ON p.id = t.payment_id
  WHERE p.version = t.expected_version ORDER BY p.id FOR UPDATE OF p SKIP LOCKED
), free_sessions AS (
  SELECT s.id FROM free f JOIN t ON t.payment_id = f.id JOIN sessions s ON s.id = f.session_id
  WHERE t.close_session IS NOT NULL FOR UPDATE OF s SKIP LOCKED
), free_runs AS (
  SELECT r.run_id FROM free f JOIN t ON t.payment_id = f.id JOIN flow_runs r ON r.run_id = t.run_id FOR UPDATE OF r SKIP LOCKED
), locked AS (
  SELECT f.* FROM free f JOIN t ON t.payment_id = f.id
  WHERE (t.close_session IS NULL OR f.session_id IN (SELECT id FROM free_sessions)) AND (t.run_id IS NULL OR t.run_id IN (SELECT run_id FROM free_runs))`);

/**
 * The callbacks of the payments `changed`, in the order of `t.callbacks`. With `t.claim_ms` the first one is the writer's to send, and claimed for so
 * long, unless one of the payment waits before it or its address is paused or disabled.
 */
export const outbox = (now: Expression<Date>) => sql`mine AS MATERIALIZED (
  SELECT c.id AS payment_id, greatest(e.next_try_at, ${now}) AS next_try_at,
    EXISTS (SELECT FROM sessions s WHERE s.id = c.session_id AND s.test) AS test,
    t.claim_ms IS NOT NULL AND e.next_try_at IS NULL
      AND NOT EXISTS (SELECT FROM callback_addresses a WHERE a.url = t.callbacks->0->>'url' AND a.merchant_key = c.merchant_key AND a.paused_until > ${now})
      AND NOT EXISTS (SELECT FROM disabled_callback_addresses d WHERE d.url = t.callbacks->0->>'url' AND d.merchant_key = c.merchant_key) AS is_mine
  FROM changed c JOIN t ON t.payment_id = c.id
    CROSS JOIN LATERAL (SELECT max(next_try_at) AS next_try_at FROM callbacks w WHERE w.payment_id = c.id AND w.state = 'waiting') e
  WHERE json_array_length(t.callbacks) > 0
), outbox AS (
  INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, own_url, content_type, body, next_try_at, created_at, test, attempts, tries, claimed_until)
  SELECT b.id, c.id, c.merchant_key, c.callbacks - json_array_length(t.callbacks) + b.position, b.url, b."ownUrl", b."contentType", b.body, mine.next_try_at,
    ${now}, mine.test, (b.position = 1 AND mine.is_mine)::integer, (b.position = 1 AND mine.is_mine)::integer,
    CASE WHEN b.position = 1 AND mine.is_mine THEN ${now} + make_interval(secs => t.claim_ms / 1000) END
  FROM changed c JOIN t ON t.payment_id = c.id JOIN mine ON mine.payment_id = c.id
    CROSS JOIN LATERAL json_to_recordset(t.callbacks) AS b (id text, url text, "ownUrl" boolean, "contentType" text, body text, position integer)
  RETURNING payment_id, seq, test, claimed_until`;

/** A transition as a row of `t`. JSON leaves out what is undefined. */
function rowOf(transition: Transition) {
  const {
    change,
    event,
    references = [],
    callbacks = [],
    providerEvent: heard,
    run,
    newModification: begun,
    modification: moved,
    schedule,
  } = transition;
  const { next } = run ?? {};
  return {
    payment_id: transition.paymentId,
    expected_version: transition.expectedVersion,
    set: columnsOf(change),
    event_kind: event.kind,
    event_data: toJsonText(event.data),
    refs: references.map(({ providerReference, watched = true, payableUntil }) => ({
      reference: providerReference,
      watched,
      payable_until: payableUntil,
    })),
    callbacks: numbered(callbacks),
    claim_ms: transition.claimMs,
    close_session: transition.closeSession,
    ...(heard !== undefined && {
      heard_id: heard.eventId,
      heard_kind: heard.kind,
      heard_reference: heard.providerReference,
      heard_amount: heard.amountText,
      heard_currency: heard.currency,
      heard_data: toJsonText(heard.data),
      notification_id: heard.notificationId,
      ends_notification: heard.endsNotification,
    }),
    ...(run !== undefined && {
      run_id: run.lease.runId,
      run_epoch: run.lease.epoch,
      reply_step: run.reply?.step,
      reply: run.reply?.text,
    }),
    ...(next?.state === 'finished' && { run_state: 'finished', run_outcome: toJsonText(next.outcome) }),
    ...(next?.state === 'suspended' && {
      run_state: 'suspended',
      run_step: next.step,
      run_asks: toJsonText(next.asks),
    }),
    ...(begun !== undefined && {
      new_mod_id: begun.id,
      new_mod_kind: begun.kind,
      new_mod_amount: begun.amount.text,
      new_mod_minor: begun.amount.minor.toString(),
      new_mod_currency: begun.amount.currency,
      new_mod_state: begun.run === undefined ? 'succeeded' : 'requested',
      new_mod_reference: begun.providerReference,
    }),
    ...(begun?.run !== undefined && {
      new_run_purpose: begun.run.purpose,
      new_run_input: toJsonText(begun.run.input),
      new_run_owner: begun.run.owner,
      new_run_lease_ms: begun.run.leaseMs,
    }),
    ...(moved !== undefined && {
      mod_id: moved.id,
      mod_set: {
        state: moved.state,
        ...words(moved.provider),
        provider_reference: moved.providerReference,
        reason: moved.reason,
        facts_text: moved.facts && toJsonText(moved.facts),
      },
      mod_poll_in_ms: moved.pollInMs,
    }),
    ...(schedule?.kind === 'began' && {
      schedule_id: schedule.scheduleId,
      token_hash: schedule.tokenHash,
      began: schedule.began,
      start_date: schedule.startDate,
    }),
    ...(schedule?.kind === 'ended' && { charge_ended: schedule.state, today: schedule.today }),
  };
}

/** The columns that a change sets, by their names. */
function columnsOf(change: PaymentUpdate) {
  const { received } = change;
  return {
    state: change.state,
    unknown: change.unknown,
    ...(received !== undefined && {
      received_minor: (received?.minor ?? 0n).toString(),
      received_text: received?.text ?? null,
      received_currency: received?.currency ?? null,
    }),
    authorized_minor: change.authorizedMinor?.toString(),
    captured_minor: change.capturedMinor?.toString(),
    refunded_minor: change.refundedMinor?.toString(),
    reserved_minor: change.reservedMinor?.toString(),
    modifying: change.modifying,
    decided_by: change.decidedBy,
    reason: change.reason,
    decline_kind: change.declineKind,
    decline_code: change.declineCode,
    provider_reference: change.providerReference,
    ...words(change.provider),
    show_text: change.show === undefined || change.show === null ? change.show : toJsonText(change.show),
    agreement_text: change.agreement && toJsonText(change.agreement),
    connector_state_text: change.connectorState && toJsonText(change.connectorState),
    facts_text: change.facts && toJsonText(change.facts),
    aside_text: change.aside,
    poll_in_ms: change.pollInMs,
  };
}

/** All three or none: of a new answer of the provider no word of an older one stays. */
const words = (provider: PaymentUpdate['provider']) =>
  provider && {
    provider_status: provider.status ?? null,
    provider_code: provider.code ?? null,
    provider_message: provider.message ?? null,
  };

/** Callbacks for `outbox`, which takes them from `t.callbacks`. */
export const numbered = (callbacks: readonly NewCallback[]) =>
  callbacks.map((callback, index) => ({ ownUrl: false, ...callback, position: index + 1 }));
