import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import type { RawBuilder } from 'kysely';
import { toJsonText } from './json-text.ts';
import type { NewCard, NewCardToken } from './cards-store.ts';
import type { Db } from './db.ts';
import { paymentOf } from './payment.ts';
import type { Payment } from './payment.ts';
import type { ExecutableRun, RunLease } from './runs-store.ts';
import type { PaymentsTable } from './schema/payments.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

export interface NewPayment {
  /** A UUID: the public payment id. */
  readonly id: string;
  readonly sessionId: string;
  /** Ours at the provider, unique for ever: a UUID, by promise of the contract. */
  readonly merchantReference: string;
  /** The registry's key, and the key the merchant used. */
  readonly method: string;
  readonly methodAlias: string;
  readonly connectorId: string;
  readonly connectorVersion: string;
  readonly midId: string;
  /** `open`: the payer chooses; `text` is then the amount that the merchant sent, if any. */
  readonly amount:
    | { readonly open: false; readonly text: string; readonly minor: bigint; readonly currency: string }
    | { readonly open: true; readonly text: string | null; readonly currency: string };
  /** Where the payer's browser came from. */
  readonly payerIp?: string | null;
  readonly card?: PaidWith;
  readonly wallet?: PaidByWallet;
  /** The merchant's token to charge again, sealed. */
  readonly recurringToken?: string;
  /** Of a later charge of a mandate. */
  readonly mandateCharge?: NewMandateCharge;
  /** The declined payment of the same try of the payer that this one follows at another account. */
  readonly follows?: Followed;
  /** The run of the operation's flow. Its input is JSON and holds no secret. */
  readonly run: {
    readonly runId: string;
    readonly input: unknown;
    readonly owner: string;
    readonly leaseMs: number;
    /** It waits at this step before anything else; `asks` is JSON, sealed. */
    readonly waitsAt?: { readonly step: string; readonly asks: unknown };
  };
}

/** A later charge of a mandate. */
export interface NewMandateCharge {
  /** The first payment of the mandate. */
  readonly mandateId: string;
  /** The card of the first payment; it is not opened again. */
  readonly cardId: string | null;
  readonly cardBrand: string | null;
  /** The charge that this one tries again, and how many callbacks there were before it. */
  readonly retries?: { readonly paymentId: string; readonly callbacks: number };
}

/** The part of a payment that the one which follows it takes over. A try has one card, in one row. */
export type Followed = Pick<
  Payment,
  'id' | 'payerTry' | 'cardId' | 'cardBrand' | 'payeeCardId' | 'cardTokenHash' | 'digitalWallet' | 'panType'
>;

/** The digital wallet of an attempt, and the hash under which its token pays once. */
export interface PaidByWallet {
  readonly digitalWallet: string;
  readonly panType: 'dpan' | 'fpan' | null;
  readonly tokenHash: string;
}

/** The card of an attempt. */
export interface PaidWith {
  readonly kept: NewCard;
  /** The card that is paid to. */
  readonly payee?: NewCard;
  /** The saved card that is paid with, or that the merchant has of this card already. */
  readonly tokenHash?: string;
  /** Saves the card. */
  readonly save?: NewCardToken;
}

export interface StartedPayment {
  readonly payment: Payment;
  readonly lease: RunLease;
  /** The run of its operation, of which nothing is written down yet. */
  readonly run: ExecutableRun;
}

/**
 * Begins an attempt: claims the session, stores the payment with its first event and begins the run of its operation, leased to its owner.
 * One statement, so a crash leaves all of it or nothing, and of two tabs or two clicks one wins.
 *
 * @returns undefined if the session's page has ended or is past its time, or if there is an attempt that may still bring money, or if the wallet's
 *   token has paid before (see `insertWithToken`)
 */
export function insertPayment(db: Db, clock: SqlClock, payment: NewPayment): Promise<StartedPayment | undefined> {
  return insertIn(db, clock, payment, claimedSession(payment, clock()));
}

/** Claims the session of an attempt. */
const claimedSession = (payment: NewPayment, now: RawBuilder<Date>): RawBuilder<unknown> => sql`claimed AS (
      UPDATE sessions s SET live_payment_id = ${payment.id}::uuid, attempts = attempts + 1
      WHERE id = ${payment.sessionId}::uuid AND (payer_presence <> 'page' OR (state = 'open' AND expires_at > ${now})) AND (
        live_payment_id IS NULL
        OR EXISTS (SELECT FROM payments p WHERE p.id = s.live_payment_id AND p.state IN ('declined', 'expired'))
      )
        -- An earlier one that failed may have been paid since.
        AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND p.state NOT IN ('declined', 'expired'))
        -- Only the first payment may have the session's own id; a request that read the session before that is late.
        AND (attempts = 0 OR id <> ${payment.id}::uuid)${unusedToken(payment)}
      RETURNING id, merchant_key, operation, order_number, attempts, test
    )`;

/** The same in a session that is stored with it. @param claimed parts of the statement, of which `claimed` is the session's new row */
export async function insertIn(
  db: Db,
  clock: SqlClock,
  payment: NewPayment,
  claimed: RawBuilder<unknown>,
): Promise<StartedPayment | undefined> {
  const now = clock();
  const { amount, run, mandateCharge, follows } = payment;
  const cards = cardIdsOf(payment);
  const minor = amount.open ? null : amount.minor.toString();
  const started = await sql<Selectable<PaymentsTable>>`
    WITH ${claimed}${cardOf(payment, now)}, stored AS (
      INSERT INTO payments (id, session_id, merchant_key, operation, order_number, merchant_reference, method, method_alias, connector_id,
        connector_version, mid_id, attempt, payer_try, state, amount_text, currency, amount_minor, amount_open, payer_ip, card_id, card_brand, payee_card_id,
        card_token_hash, digital_wallet, pan_type, mandate_id, retry_of, recurring_token, callbacks, version, created_at, updated_at)
      SELECT ${payment.id}::uuid, id, merchant_key, operation, order_number, ${payment.merchantReference}, ${payment.method}, ${payment.methodAlias},
        ${payment.connectorId}, ${payment.connectorVersion}, ${payment.midId}, attempts, ${payerTry(follows)}, 'created', ${amount.text}, ${amount.currency},
        ${minor}::numeric, ${amount.open}::boolean, ${payment.payerIp ?? null},
        ${cards.cardId}::uuid, ${cards.cardBrand}, ${cards.payeeCardId}::uuid, ${cards.cardTokenHash}, ${cards.digitalWallet}, ${cards.panType},
        ${mandateCharge?.mandateId ?? null}::uuid, ${mandateCharge?.retries?.paymentId ?? null}::uuid, ${payment.recurringToken ?? null},
        ${mandateCharge?.retries?.callbacks ?? 0}::integer, 1, ${now}, ${now}
      FROM claimed
      RETURNING *
    ), recorded AS (
      INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
      SELECT id, version, 'created', NULL, state, ${toJsonText(follows === undefined ? {} : { follows: follows.id })}, ${now} FROM stored
    ), running AS (
      INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, started_at, input_text, lease_epoch, state,
        suspended_step, suspended_text, lease_owner, lease_until)
      SELECT ${run.runId}::uuid, id, operation, connector_id, connector_version, ${now}, ${toJsonText(run.input)}, 1, ${howItBegins(run, now)}
      FROM stored
    )${usedToken(payment, now)}
    SELECT * FROM stored`.execute(db);
  const row = started.rows[0];
  return row && startedOf(paymentOf(row), payment);
}

/** Its state, where it waits, and its holder: a run that waits has none. */
function howItBegins({ waitsAt, owner, leaseMs }: NewPayment['run'], now: ReturnType<SqlClock>): RawBuilder<unknown> {
  if (waitsAt === undefined) return sql`'running', NULL, NULL, ${owner}, ${now} + ${milliseconds(leaseMs)}`;
  return sql`'suspended', ${waitsAt.step}, ${toJsonText(waitsAt.asks)}, NULL, NULL`;
}

/** A payment that is stored, with its run as it was stored with it. */
export function startedOf(payment: Payment, { run: { runId, owner, input } }: Pick<NewPayment, 'run'>): StartedPayment {
  const { id: paymentId, operation: purpose, createdAt: startedAt } = payment;
  return {
    payment,
    lease: { runId, owner, epoch: 1 },
    run: { runId, paymentId, purpose, startedAt, inputText: toJsonText(input), tries: 0 },
  };
}

/** The first of its session has number 1. The holder of the session's row sees all earlier payments. */
function payerTry(follows: Followed | undefined): RawBuilder<unknown> {
  if (follows !== undefined) return sql`${follows.payerTry}::integer`;
  return sql`(SELECT coalesce(max(p.payer_try), 0) + 1 FROM payments p WHERE p.session_id = claimed.id)`;
}

function cardIdsOf({ card, wallet, mandateCharge, follows }: NewPayment): Omit<Followed, 'id' | 'payerTry'> {
  if (follows !== undefined) return follows;
  return {
    cardId: card?.kept.id ?? mandateCharge?.cardId ?? null,
    cardBrand: card?.kept.brand ?? mandateCharge?.cardBrand ?? null,
    payeeCardId: card?.payee?.id ?? null,
    cardTokenHash: card?.save?.tokenHash ?? card?.tokenHash ?? null,
    digitalWallet: wallet?.digitalWallet ?? null,
    panType: wallet?.panType ?? null,
  };
}

function unusedToken({ wallet }: NewPayment): RawBuilder<unknown> {
  if (wallet === undefined) return sql``;
  return sql` AND NOT EXISTS (SELECT FROM wallet_tokens u WHERE u.token_hash = ${wallet.tokenHash})`;
}

/** Of two that use it at the same moment one breaks the primary key. */
function usedToken({ wallet }: NewPayment, now: ReturnType<SqlClock>): RawBuilder<unknown> {
  if (wallet === undefined) return sql``;
  return sql`, used AS (
      INSERT INTO wallet_tokens (token_hash, payment_id, used_at) SELECT ${wallet.tokenHash}, id, ${now} FROM stored
    )`;
}

/** The rows of the cards, and of a token, as parts of the statement: they are there only if the attempt is. */
function cardOf({ id, card }: NewPayment, now: ReturnType<SqlClock>): RawBuilder<unknown> {
  if (card === undefined) return sql``;
  const kept = sql`, kept AS (${insertCard(card.kept, now)})`;
  const both = card.payee === undefined ? kept : sql`${kept}, payee_kept AS (${insertCard(card.payee, now)})`;
  if (card.save === undefined) return both;
  const { tokenHash, tokenText } = card.save;
  return sql`${both}, saved AS (
      INSERT INTO card_tokens (token_hash, card_id, merchant_key, test, token_text, made_by, created_at)
      SELECT ${tokenHash}, ${card.kept.id}::uuid, merchant_key, test, ${tokenText}, ${id}::uuid, ${now} FROM claimed
    )`;
}

function insertCard(card: NewCard, now: ReturnType<SqlClock>): RawBuilder<unknown> {
  return sql`
      INSERT INTO cards (id, merchant_key, test, number_text, holder_text, fingerprint, first_six, last_four, brand, expiry_month,
        expiry_year, from_token, created_at)
      SELECT ${card.id}::uuid, merchant_key, test, ${card.numberText}, ${card.holderText}, ${card.fingerprint}, ${card.firstSix},
        ${card.lastFour}, ${card.brand}, ${card.expiryMonth}, ${card.expiryYear}, ${card.fromToken}::boolean, ${now}
      FROM claimed`;
}
