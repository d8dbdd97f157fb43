import { type Piece, sql } from './piece.ts';
import { claimedCallback, insertCallbacks, type NewCallback, type SentCallback } from './callback-parts.ts';
import { endNotification, endWaitingRuns, moveRun, nothing, recordProviderEvent, writeReply } from './cause-parts.ts';
import { schedulePart } from './chain-parts.ts';
import { toJsonText } from './json-text.ts';
import type { ManyRows } from './many-rows.ts';
import { insertModification, insertModificationRun, updateModification } from './modification-parts.ts';
import { type Payment, paymentOf } from './payment.ts';
import { rowColumns, type RowValues } from './row-values.ts';
import type { Selectable } from './schema/columns.ts';
import type { SessionState } from './schema/index.ts';
import type { PaymentsTable } from './schema/payments.ts';
import type { SqlClock } from './sql-clock.ts';
import type { PaymentUpdate, Transition, TransitionResult } from './transition.ts';

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
