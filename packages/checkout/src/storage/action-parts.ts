import type { ActionName, ActionStateName } from '@railyard/core/payment';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { toJsonText } from './json-text.ts';
import type { StoredMoney } from './payment.ts';
import { milliseconds } from './sql-clock.ts';

type ProviderWords = { readonly status?: string; readonly code?: string; readonly message?: string };

/** An action on a payment that begins with a change of the payment, and the run of its flow. */
export interface NewAction {
  /** A UUID: the transaction's, and its run's. */
  readonly id: string;
  readonly kind: ActionName;
  readonly amount: StoredMoney;
  /** Absent: it took place at the provider, and is recorded as a success. Without an owner any process takes its run at its next poll. */
  readonly run?: {
    readonly action: string;
    readonly input: unknown;
    readonly owner: string | null;
    readonly leaseMs: number;
  };
  readonly providerReference?: string;
}

/** How an action stands with a change of its payment. What is left out stays as it is. */
export interface ActionUpdate {
  readonly id: string;
  readonly state: ActionStateName;
  readonly providerReference?: string;
  readonly provider?: ProviderWords;
  readonly reason?: string;
  /** When the provider is asked about it next; `null`: not by itself. */
  readonly pollInMs: number | null;
}

/** Part of the statement that changes a payment: `changed` is the payment's new row. */
export function insertAction({ id, kind, amount, run, providerReference }: NewAction, now: RawBuilder<Date>) {
  const state: ActionStateName = run === undefined ? 'succeeded' : 'requested';
  return sql`
    INSERT INTO actions (id, payment_id, kind, amount_text, amount_minor, currency, state, provider_reference, created_at, updated_at)
    SELECT ${id}::uuid, changed.id, ${kind}, ${amount.text}, ${amount.minor.toString()}::numeric, ${amount.currency}, ${state},
      ${providerReference ?? null}, ${now}, ${now}
    FROM changed RETURNING id`;
}

export function insertActionRun({ id }: NewAction, run: NonNullable<NewAction['run']>, now: RawBuilder<Date>) {
  return sql`
    INSERT INTO flow_runs (run_id, payment_id, action, connector_id, connector_version, state, started_at, input_text, lease_owner,
      lease_epoch, lease_until)
    SELECT ${id}::uuid, changed.id, ${run.action}, changed.connector_id, changed.connector_version, 'running', ${now},
      ${toJsonText(run.input)}, ${run.owner}, 1, ${now} + ${milliseconds(run.leaseMs)}
    FROM changed RETURNING run_id`;
}

export function updateAction(update: ActionUpdate, now: RawBuilder<Date>) {
  const { status = null, code = null, message = null } = update.provider ?? {};
  const words =
    update.provider === undefined
      ? sql``
      : sql`provider_status = ${status}, provider_code = ${code}, provider_message = ${message},`;
  const pollAt = update.pollInMs === null ? sql`NULL` : sql`${now} + ${milliseconds(update.pollInMs)}`;
  return sql`
    UPDATE actions a SET state = ${update.state}, ${words}
      provider_reference = coalesce(${update.providerReference ?? null}, a.provider_reference),
      reason = coalesce(${update.reason ?? null}, a.reason), poll_at = ${pollAt}, updated_at = ${now}
    FROM changed WHERE a.id = ${update.id}::uuid AND a.payment_id = changed.id
    RETURNING a.id`;
}
