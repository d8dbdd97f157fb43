import type { DeclineCode, PaymentFacts } from '@railyard/core';
import type { ConnectorValues } from '@railyard/core/driver';
import type { ExclusiveModification } from '@railyard/core/payment';
import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import type { RawBuilder } from 'kysely';
import {
  type ModificationUpdate,
  insertModification,
  insertModificationRun,
  type NewModification,
  updateModification,
} from './modification-parts.ts';
import { type ScheduleChange, schedulePart } from './chain-parts.ts';
import { claimedCallback, insertCallbacks, type NewCallback, type SentCallback } from './callback-parts.ts';
import { toJsonText } from './json-text.ts';
import type { StartedPayment, NewPayment } from './insert-payment.ts';
import type { Db } from './db.ts';
import { paymentOf } from './payment.ts';
import type { Payment, StoredMoney } from './payment.ts';
import {
  moveRun,
  nothing,
  recordProviderEvent,
  endNotification,
  endWaitingRuns,
  type TransitionEvent,
  type TransitionRun,
  writeReply,
} from './cause-parts.ts';
import type { PaymentState, SessionState } from './schema/index.ts';
import type { PaymentsTable } from './schema/payments.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

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

function assignments(change: PaymentUpdate, clock: SqlClock): RawBuilder<unknown>[] {
  const set = [sql`state = ${change.state}`, sql`unknown = ${change.unknown}::boolean`];
  if (change.received !== undefined) {
    const { minor, text, currency } = change.received ?? { minor: 0n, text: null, currency: null };
    set.push(
      sql`received_minor = ${minor.toString()}::numeric`,
      sql`received_text = ${text}`,
      sql`received_currency = ${currency}`,
    );
  }
  if (change.authorizedMinor !== undefined)
    set.push(sql`authorized_minor = ${change.authorizedMinor.toString()}::numeric`);
  if (change.capturedMinor !== undefined) set.push(sql`captured_minor = ${change.capturedMinor.toString()}::numeric`);
  if (change.refundedMinor !== undefined) set.push(sql`refunded_minor = ${change.refundedMinor.toString()}::numeric`);
  if (change.reservedMinor !== undefined) set.push(sql`reserved_minor = ${change.reservedMinor.toString()}::numeric`);
  if (change.modifying !== undefined) set.push(sql`modifying = ${change.modifying}`);
  if (change.decidedBy !== undefined) set.push(sql`decided_by = ${change.decidedBy}`);
  if (change.reason !== undefined) set.push(sql`reason = ${change.reason}`);
  if (change.declineKind !== undefined) set.push(sql`decline_kind = ${change.declineKind}`);
  if (change.declineCode !== undefined) set.push(sql`decline_code = ${change.declineCode}`);
  if (change.providerReference !== undefined) set.push(sql`provider_reference = ${change.providerReference}`);
  if (change.provider !== undefined) {
    const { status = null, code = null, message = null } = change.provider;
    set.push(sql`provider_status = ${status}`, sql`provider_code = ${code}`, sql`provider_message = ${message}`);
  }
  if (change.show !== undefined) set.push(sql`show_text = ${change.show === null ? null : toJsonText(change.show)}`);
  if (change.agreement !== undefined) set.push(sql`agreement_text = ${toJsonText(change.agreement)}`);
  if (change.connectorState !== undefined) set.push(sql`connector_state_text = ${toJsonText(change.connectorState)}`);
  if (change.facts !== undefined) set.push(sql`facts_text = ${toJsonText(change.facts)}`);
  if (change.aside !== undefined) set.push(sql`aside_text = ${change.aside}`);
  if (change.pollInMs === null) set.push(sql`poll_at = NULL`);
  else if (change.pollInMs !== undefined) set.push(sql`poll_at = ${clock()} + ${milliseconds(change.pollInMs)}`);
  return set;
}

/** No run of the operation goes on from here. */
const isDecided = (state: PaymentUpdate['state']): boolean => state !== 'created' && state !== 'pending';

function closeSession(state: Exclude<SessionState, 'open'>, now: RawBuilder<Date>): RawBuilder<unknown> {
  const from = state === 'completed' ? sql`s.state <> 'completed'` : sql`s.state = 'open'`;
  return sql`UPDATE sessions s SET state = ${state}, closed_at = ${now} FROM changed WHERE s.id = changed.session_id AND ${from} RETURNING s.id`;
}

/** The callbacks of one charge are counted through all its tries, also where an earlier one is paid after the later ones were reported. */
function callbacksBefore(more: number): RawBuilder<unknown> {
  if (more === 0) return sql`p.callbacks`;
  return sql`greatest(p.callbacks, (SELECT max(r.callbacks) FROM payments r
    WHERE p.mandate_id IS NOT NULL AND r.retry_of = coalesce(p.retry_of, p.id)))`;
}

function modificationPart(
  { newModification: beginModification, modification }: Transition,
  now: RawBuilder<Date>,
): RawBuilder<unknown> {
  if (beginModification !== undefined) return insertModification(beginModification, now);
  return modification === undefined ? nothing : updateModification(modification, now);
}

/**
 * Changes a payment: its row, one row of its history, its references, its callbacks, the provider's event or the run that caused the change,
 * and its session. One statement: all of it, or nothing.
 *
 * @throws the database's error if a sum would become impossible, or if a reference belongs to another payment
 */
export async function applyTransition(db: Db, clock: SqlClock, transition: Transition): Promise<TransitionResult> {
  const { change, event, providerEvent, run } = transition;
  const now = clock();
  const callbacks = transition.callbacks ?? [];
  const references = (transition.references ?? []).map(({ providerReference, watched, payableUntil }) => ({
    providerReference,
    watched: watched ?? true,
    payableUntil: payableUntil?.toISOString() ?? null,
  }));
  const eventIsNew = providerEvent === undefined ? sql`true` : sql`EXISTS (SELECT FROM seen)`;
  const runIsOurs = run === undefined || providerEvent !== undefined ? sql`true` : sql`EXISTS (SELECT FROM ran)`;
  const applied = await sql<AppliedRow>`
    WITH locked AS (
      SELECT id, state, connector_id, mid_id FROM payments
      WHERE id = ${transition.paymentId}::uuid AND version = ${transition.expectedVersion}::integer FOR UPDATE
    ), seen AS (${providerEvent === undefined ? nothing : recordProviderEvent(providerEvent, now)}
    ), answered AS (${run?.reply === undefined ? nothing : writeReply(run.lease.runId, run.reply, now)}
    ), ran AS (${run === undefined ? nothing : moveRun(run, now, eventIsNew)}
    ), changed AS (
      UPDATE payments p SET ${sql.join(assignments(change, clock))}, version = p.version + 1, updated_at = ${now},
        callbacks = ${callbacksBefore(callbacks.length)} + ${callbacks.length}::integer
      FROM locked WHERE p.id = locked.id AND ${eventIsNew} AND ${runIsOurs}
      RETURNING p.*
    ), waited AS (${run === undefined && isDecided(change.state) ? endWaitingRuns(now) : nothing}
    ), handled AS (${providerEvent?.endsNotification === true ? endNotification(providerEvent, now) : nothing}
    ), recorded AS (
      INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
      SELECT changed.id, changed.version, ${event.kind}, locked.state, changed.state, ${toJsonText(event.data)}, ${now} FROM changed, locked
    ), referred AS (
      INSERT INTO payment_references AS f (connector_id, mid_id, provider_reference, payment_id, watched, payable_until, created_at)
      SELECT changed.connector_id, changed.mid_id, r."providerReference", changed.id, r.watched, r."payableUntil", ${now}
      FROM changed, json_to_recordset(${toJsonText(references)}::json) AS r ("providerReference" text, watched boolean, "payableUntil" timestamptz)
      ON CONFLICT (connector_id, mid_id, provider_reference, payment_id) DO UPDATE SET watched = excluded.watched,
        payable_until = coalesce(excluded.payable_until, f.payable_until)
    ), outbox AS (${insertCallbacks(callbacks, transition.claimMs, now)}
    ), acted AS (${modificationPart(transition, now)}
    ), began AS (${transition.newModification?.run === undefined ? nothing : insertModificationRun(transition.newModification, transition.newModification.run, now)}
    ), closed AS (${transition.closeSession === undefined ? nothing : closeSession(transition.closeSession, now)}
    )${schedulePart(transition.schedule, now)}
    SELECT EXISTS (SELECT FROM locked) AS was_locked, ${eventIsNew} AS was_new, EXISTS (SELECT FROM changed) AS was_changed,
      ${claimedCallback} AS claimed, changed.*
    FROM (SELECT 1) AS one LEFT JOIN changed ON true`.execute(db);
  const row = applied.rows[0];
  if (row === undefined || !row.wasLocked) return { result: 'stale' };
  if (!row.wasNew) return { result: 'seen' };
  const { wasLocked: _locked, wasNew: _new, wasChanged, claimed, ...changed } = row;
  if (!wasChanged) return { result: 'run-lost' };
  const payment = paymentOf(changed);
  return { result: 'applied', payment, ...sentBy(payment, callbacks[0], claimed) };
}

type AppliedRow = Selectable<PaymentsTable> & {
  readonly wasLocked: boolean;
  readonly wasNew: boolean;
  readonly wasChanged: boolean;
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
