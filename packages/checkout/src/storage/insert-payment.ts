import { sql, type Expression } from 'kysely';
import { toJsonText, type Db, type SqlClock } from './database/sql.ts';
import type { PaymentsTable, Selectable } from './tables.ts';
import type { NewCard, NewCardToken } from './cards-store.ts';
import { paymentOf, type Payment } from './payment.ts';
import type { ExecutableRun, RunLease } from './runs.ts';
import { isTaken } from './database/failure.ts';
import { withoutEntry } from './sessions.ts';

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
  /** `true`: it may begin beside payments that wait for the payer, who knows of them. */
  readonly beside?: boolean;
  /** The card that the payer entered into the merchant's form: it begins one payment. */
  readonly entryId?: string | undefined;
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
  const now = clock();
  return insertIn(db, payment, now, claimSessions(now, false));
}

/**
 * Begins attempts in several sessions in one statement. A session that is locked just now is left out.
 *
 * @param payments each in a session of its own
 * @returns the payments that have begun, by session. A session without one was left as it is
 */
export async function insertTogether(
  db: Db,
  clock: SqlClock,
  payments: readonly NewPayment[],
): Promise<ReadonlyMap<string, StartedPayment>> {
  const now = clock();
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const inserted = await insertPayments(payments, now, claimSessions(now, true)).execute(db);
  const started = new Map<string, StartedPayment>();
  for (const row of inserted.rows) {
    const payment = byId.get(row.id);
    if (payment !== undefined) started.set(payment.sessionId, startedOf(paymentOf(row), payment));
  }
  return started;
}

/** The same in a session that is stored with it. @param claimed see `insertPayments` */
export async function insertIn(
  db: Db,
  payment: NewPayment,
  now: Expression<Date>,
  claimed: Expression<unknown>,
): Promise<StartedPayment | undefined> {
  const { rows } = await insertPayments([payment], now, claimed).execute(db);
  const [row] = rows;
  return row && startedOf(paymentOf(row), payment);
}

/**
 * Stores payments, each with all that begins with it. A row of `t` is a payment. A part that the payment has not is null in its row, so that its
 * statement finds no row to write.
 *
 * @param payments each in a session of its own
 * @param claimed parts of the statement, of which `claimed` has the new rows of the sessions in which the payments may begin
 */
const insertPayments = (payments: readonly NewPayment[], now: Expression<Date>, claimed: Expression<unknown>) => sql<
  Selectable<PaymentsTable>
>`
WITH t AS (
  SELECT * FROM json_to_recordset(${toJsonText(payments.map(rowOf))}::text::json) AS t (
    session_id uuid, id uuid, beside boolean, payment jsonb, event_data text, cards jsonb, saved_token jsonb, used_token text, entry_id uuid,
    run_id uuid, run_input text, run_state text, run_step text, run_asks text, run_owner text, run_lease_ms float8)
  -- Of a function a server assumes a hundred rows, and reads whole tables for them; of those within two bounds one in two hundred.
  WHERE octet_length(t.session_id::text) BETWEEN 1 AND 1000

), ${claimed}

), kept AS (
  INSERT INTO cards (id, merchant_key, test, number_text, holder_text, fingerprint, first_six, last_four, brand, brand_chosen_by,
    expiry_month, expiry_year, from_token, created_at)
  SELECT n.id, c.merchant_key, c.test, n.number_text, n.holder_text, n.fingerprint, n.first_six, n.last_four, n.brand, n.brand_chosen_by,
    n.expiry_month, n.expiry_year, n.from_token, ${now}
  FROM claimed c JOIN t ON t.session_id = c.id CROSS JOIN LATERAL jsonb_populate_recordset(NULL::cards, t.cards) n

), saved AS (
  INSERT INTO card_tokens (token_hash, card_id, merchant_key, test, token_text, holder_fingerprint, made_by, created_at)
  SELECT n.token_hash, n.card_id, c.merchant_key, c.test, n.token_text, n.holder_fingerprint, t.id, ${now}
  FROM claimed c JOIN t ON t.session_id = c.id CROSS JOIN LATERAL jsonb_populate_record(NULL::card_tokens, t.saved_token) n
  WHERE t.saved_token IS NOT NULL

-- The first try of a session has number 1. The holder of the session's row sees all earlier payments.
), stored AS (
  INSERT INTO payments (id, session_id, merchant_key, operation, order_number, merchant_reference, method, method_alias, connector_id,
    connector_version, mid_id, attempt, payer_try, state, amount_text, currency, amount_minor, amount_open, payer_ip, card_id, card_brand, payee_card_id,
    card_token_hash, digital_wallet, pan_type, mandate_id, retry_of, recurring_token, callbacks, version, created_at, updated_at)
  SELECT t.id, c.id, c.merchant_key, c.operation, c.order_number, n.merchant_reference, n.method, n.method_alias, n.connector_id,
    n.connector_version, n.mid_id, c.attempts, coalesce(n.payer_try, (SELECT coalesce(max(p.payer_try), 0) + 1 FROM payments p WHERE p.session_id = c.id)),
    'created', n.amount_text, n.currency, n.amount_minor, n.amount_open, n.payer_ip, n.card_id, n.card_brand, n.payee_card_id,
    n.card_token_hash, n.digital_wallet, n.pan_type, n.mandate_id, n.retry_of, n.recurring_token, n.callbacks, 1, ${now}, ${now}
  FROM claimed c JOIN t ON t.session_id = c.id CROSS JOIN LATERAL jsonb_populate_record(NULL::payments, t.payment) n
  RETURNING *

), recorded AS (
  INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
  SELECT s.id, s.version, 'created', NULL, s.state, t.event_data, ${now} FROM stored s JOIN t ON t.id = s.id

-- A run that waits for the payer has no owner.
), running AS (
  INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, started_at, input_text, lease_epoch, state,
    suspended_step, suspended_text, lease_owner, lease_until)
  SELECT t.run_id, s.id, s.operation, s.connector_id, s.connector_version, ${now}, t.run_input, 1, t.run_state,
    t.run_step, t.run_asks, t.run_owner, ${now} + make_interval(secs => t.run_lease_ms / 1000)
  FROM stored s JOIN t ON t.id = s.id

-- Of two payments that use a wallet's token at the same moment one breaks the primary key.
), used AS (
  INSERT INTO wallet_tokens (token_hash, payment_id, used_at)
  SELECT t.used_token, s.id, ${now} FROM stored s JOIN t ON t.id = s.id WHERE t.used_token IS NOT NULL
)
SELECT * FROM stored`;

/**
 * The sessions of `t` in which a payment may begin, and counts it there.
 *
 * @param together with others: a session that is locked just now is left out, so that the others do not wait for it
 */
const claimSessions = (now: Expression<Date>, together: boolean) => sql`free AS (
  SELECT s.id FROM t JOIN sessions s ON s.id = t.session_id
  WHERE (s.payer_presence NOT IN ('page', 'fields') OR (s.state = 'open' AND s.expires_at > ${now}))
    -- Of two payments with one entry the first takes it away.
    AND (t.entry_id IS NULL OR s.entry_id = t.entry_id)
    -- A payment that begins at the same moment is not seen here, but named by the session.
    AND (s.live_payment_id IS NULL OR EXISTS (SELECT FROM payments p WHERE p.id = s.live_payment_id))
    -- Another payment leaves room if it failed, or if it has a code, an address or a prompt with its payer, who knows of it, and nothing has come of
    -- it (as isWaitingForPayer says it). An earlier one that failed may have been paid since.
    AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND NOT (p.state IN ('declined', 'expired') OR (t.beside AND p.state = 'pending'
      AND NOT p.unknown AND p.show_text IS NOT NULL AND p.aside_text IS NULL AND p.received_text IS NULL)))
    -- Only the first payment may have the session's own id; a request that read the session before that is late.
    AND (s.attempts = 0 OR s.id <> t.id)
    AND NOT EXISTS (SELECT FROM wallet_tokens u WHERE u.token_hash = t.used_token)
  ORDER BY s.id FOR UPDATE OF s ${together ? sql`SKIP LOCKED` : sql``}
), claimed AS (
  UPDATE sessions s SET live_payment_id = t.id, attempts = s.attempts + 1, ${withoutEntry}
  FROM free JOIN t ON t.session_id = free.id WHERE s.id = free.id
  RETURNING s.id, s.merchant_key, s.operation, s.order_number, s.attempts, s.test`;

/** A payment as a row of `t`. JSON leaves out what is undefined. */
function rowOf(payment: NewPayment) {
  const { id, amount, card, wallet, mandateCharge, follows, run } = payment;
  return {
    session_id: payment.sessionId,
    id,
    beside: payment.beside === true,
    payment: {
      merchant_reference: payment.merchantReference,
      method: payment.method,
      method_alias: payment.methodAlias,
      connector_id: payment.connectorId,
      connector_version: payment.connectorVersion,
      mid_id: payment.midId,
      payer_try: follows?.payerTry,
      amount_text: amount.text,
      currency: amount.currency,
      amount_minor: amount.open ? null : amount.minor.toString(),
      amount_open: amount.open,
      payer_ip: payment.payerIp,
      ...paidWith(payment),
      mandate_id: mandateCharge?.mandateId,
      retry_of: mandateCharge?.retries?.paymentId,
      recurring_token: payment.recurringToken,
      callbacks: mandateCharge?.retries?.callbacks ?? 0,
    },
    event_data: toJsonText(follows === undefined ? {} : { follows: follows.id }),
    cards: [card?.kept, card?.payee].filter((each) => each !== undefined).map(cardRow),
    saved_token: card?.save && {
      token_hash: card.save.tokenHash,
      card_id: card.kept.id,
      token_text: card.save.tokenText,
      holder_fingerprint: card.save.holderFingerprint,
    },
    used_token: wallet?.tokenHash,
    entry_id: payment.entryId,
    run_id: run.runId,
    run_input: toJsonText(run.input),
    ...(run.waitsAt === undefined
      ? { run_state: 'running', run_owner: run.owner, run_lease_ms: run.leaseMs }
      : { run_state: 'suspended', run_step: run.waitsAt.step, run_asks: toJsonText(run.waitsAt.asks) }),
  };
}

function paidWith({ card, wallet, mandateCharge, follows }: NewPayment) {
  if (follows !== undefined)
    return {
      card_id: follows.cardId,
      card_brand: follows.cardBrand,
      payee_card_id: follows.payeeCardId,
      card_token_hash: follows.cardTokenHash,
      digital_wallet: follows.digitalWallet,
      pan_type: follows.panType,
    };
  return {
    card_id: card?.kept.id ?? mandateCharge?.cardId,
    card_brand: card?.kept.brand ?? mandateCharge?.cardBrand,
    payee_card_id: card?.payee?.id,
    card_token_hash: card?.save?.tokenHash ?? card?.tokenHash,
    digital_wallet: wallet?.digitalWallet,
    pan_type: wallet?.panType,
  };
}

const cardRow = (card: NewCard) => ({
  id: card.id,
  number_text: card.numberText,
  holder_text: card.holderText,
  fingerprint: card.fingerprint,
  first_six: card.firstSix,
  last_four: card.lastFour,
  brand: card.brand,
  brand_chosen_by: card.brandChosenBy,
  expiry_month: card.expiryMonth,
  expiry_year: card.expiryYear,
  from_token: card.fromToken,
});

/** A payment that is stored, with its run as it was stored with it. */
export function startedOf(payment: Payment, { run: { runId, owner, input } }: Pick<NewPayment, 'run'>): StartedPayment {
  const { id: paymentId, operation: purpose, createdAt: startedAt } = payment;
  return {
    payment,
    lease: { runId, owner, epoch: 1 },
    run: { runId, paymentId, purpose, startedAt, inputText: toJsonText(input), tries: 0 },
  };
}

/** A wallet's token that paid before cannot pay again. */
export type TokenUsed = 'token-used';

type WithToken = NewPayment & { readonly wallet: PaidByWallet };

/**
 * Begins an attempt with a wallet's token, see `insertPayment`: in all processes together, one token begins one payment.
 *
 * @returns undefined also for a second press, while the first one's payment may still bring money or has brought it
 */
export async function insertWithToken(
  db: Db,
  clock: SqlClock,
  payment: WithToken,
): Promise<StartedPayment | TokenUsed | undefined> {
  try {
    const started = await insertPayment(db, clock, payment);
    return started ?? (await usedBefore(db, payment))?.answer;
  } catch (error) {
    const used = isTaken(error) ? await usedBefore(db, payment) : undefined;
    if (used !== undefined) return used.answer;
    throw error;
  }
}

/** The answer to a used token; `undefined` for an unused one. */
async function usedBefore(
  db: Db,
  { sessionId, wallet }: WithToken,
): Promise<{ readonly answer: TokenUsed | undefined } | undefined> {
  const used = await db
    .selectFrom('walletTokens')
    .innerJoin('payments', 'payments.id', 'walletTokens.paymentId')
    .select('payments.sessionId')
    .where('tokenHash', '=', wallet.tokenHash)
    .executeTakeFirst();
  if (used === undefined) return undefined;
  const isPressedTwice = used.sessionId === sessionId && (await hasLivePayment(db, sessionId));
  return { answer: isPressedTwice ? undefined : 'token-used' };
}

async function hasLivePayment(db: Db, sessionId: string): Promise<boolean> {
  const ofSession = db.selectFrom('payments').select('id').where('sessionId', '=', sessionId);
  const live = ofSession.where('state', 'not in', ['declined', 'expired']).limit(1);
  return (await live.executeTakeFirst()) !== undefined;
}
