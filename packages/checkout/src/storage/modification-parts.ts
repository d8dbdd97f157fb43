import type { PaymentFacts } from '@railyard/core';
import type { ModificationName, ModificationStateName } from '@railyard/core/payment';
import { type Piece, sql } from './piece.ts';
import { toJsonText } from './json-text.ts';
import type { StoredMoney } from './payment.ts';
import { milliseconds } from './sql-clock.ts';

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
