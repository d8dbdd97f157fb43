import { executePlain, sql, toJsonText, type Db, type Piece, type SqlClock } from './database/sql.ts';
import type { PaymentsTable, Selectable } from './tables.ts';
import type { NewCard, NewCardToken } from './cards-store.ts';
import { paymentOf, type Payment } from './payment.ts';
import type { ExecutableRun, RunLease } from './runs.ts';
import { executeTogether, parameters, rowColumns, type ManyRows, type RowValues } from './database/many-rows.ts';
import { isTaken } from './database/failure.ts';

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
  const claimed = sql`claimed AS (
      UPDATE sessions s SET live_payment_id = ${payment.id}::uuid, attempts = attempts + 1
      WHERE id = ${payment.sessionId}::uuid AND ${mayBegin(payment, parameters, clock())}
      RETURNING id, merchant_key, operation, order_number, attempts, test
    )`;
  return insertIn(db, clock, payment, claimed);
}

/** A payment that is to begin with others. */
export interface Insertable {
  readonly payment: NewPayment;
  readonly statement: ManyRows<Selectable<PaymentsTable>>;
}

export function insertable(clock: SqlClock, payment: NewPayment): Insertable {
  return { payment, statement: insertInEach(clock, payment) };
}

/**
 * Begins attempts in several sessions in one statement. A session that is locked just now is left out.
 *
 * @param alike each in a session of its own
 * @returns those that have begun, by session; where there is none, nothing was done
 */
export async function insertTogether(
  db: Db,
  alike: readonly Insertable[],
): Promise<ReadonlyMap<string, StartedPayment>> {
  const byId = new Map(alike.map(({ payment }) => [payment.id, payment]));
  const inserted = await executeTogether(
    db,
    alike.map(({ statement }) => statement),
  );
  const started = new Map<string, StartedPayment>();
  for (const row of inserted) {
    const payment = byId.get(row.id);
    if (payment !== undefined) started.set(payment.sessionId, startedOf(paymentOf(row), payment));
  }
  return started;
}

function insertInEach(clock: SqlClock, payment: NewPayment): ManyRows<Selectable<PaymentsTable>> {
  const now = clock();
  const row = rowColumns(payment.sessionId);
  const claimed = sql`free AS (
      SELECT s.id FROM given g JOIN sessions s ON s.id = g.key WHERE ${mayBegin(payment, row, now)} ORDER BY s.id FOR UPDATE OF s SKIP LOCKED
    ), claimed AS (
      UPDATE sessions s SET live_payment_id = ${row.of('uuid', payment.id)}, attempts = attempts + 1
      FROM free JOIN given g ON g.key = free.id WHERE s.id = free.id
      RETURNING s.id, s.merchant_key, s.operation, s.order_number, s.attempts, s.test
    )`;
  return { row, parts: statementOf(payment, claimed, row, now) };
}

/** Whether the payment `p` has a code, an address or a prompt with its payer, and nothing has come of it; as `isWaitingForPayer` says it. */
const waitsForPayer = sql`p.state = 'pending' AND NOT p.unknown AND p.show_text IS NOT NULL AND p.aside_text IS NULL AND p.received_text IS NULL`;

/** Whether an attempt may begin in the session `s`. */
function mayBegin(payment: NewPayment, row: RowValues, now: Piece<Date>): Piece<unknown> {
  // One that failed leaves room for another, and one that waits for a payer who knows of it.
  const failed = sql`p.state IN ('declined', 'expired')`;
  const leavesRoom = payment.beside === true ? sql`(${failed} OR (${waitsForPayer}))` : sql`(${failed})`;
  return sql`
        (s.payer_presence <> 'page' OR (s.state = 'open' AND s.expires_at > ${now}))
        -- One that begins at the same moment is not seen here, but named by the session.
        AND (s.live_payment_id IS NULL OR EXISTS (SELECT FROM payments p WHERE p.id = s.live_payment_id AND ${leavesRoom}))
        -- An earlier one that failed may have been paid since.
        AND NOT EXISTS (SELECT FROM payments p WHERE p.session_id = s.id AND NOT ${leavesRoom})
        -- Only the first payment may have the session's own id; a request that read the session before that is late.
        AND (s.attempts = 0 OR s.id <> ${row.of('uuid', payment.id)})${unusedToken(payment, row)}`;
}

/** The same in a session that is stored with it. @param claimed parts of the statement, of which `claimed` is the session's new row */
export async function insertIn(
  db: Db,
  clock: SqlClock,
  payment: NewPayment,
  claimed: Piece<unknown>,
): Promise<StartedPayment | undefined> {
  const statement = sql<Selectable<PaymentsTable>>`WITH ${statementOf(payment, claimed, parameters, clock())}`;
  const started = await executePlain(db, statement);
  const row = started.rows[0];
  return row && startedOf(paymentOf(row), payment);
}

/** The part of the statement behind the word WITH. */
function statementOf(
  payment: NewPayment,
  claimed: Piece<unknown>,
  row: RowValues,
  now: Piece<Date>,
): Piece<Selectable<PaymentsTable>> {
  const { amount, run, mandateCharge, follows } = payment;
  const cards = cardIdsOf(payment);
  const text = (value: string | null) => row.of('text', value);
  const uuid = (value: string | null) => row.of('uuid', value);
  const ofClaimed = sql`claimed ${row.joined(sql`claimed.id`)}`;
  const ofStored = sql`stored ${row.joined(sql`stored.session_id`)}`;
  return sql`${claimed}${cardOf(payment, row, now)}, stored AS (
      INSERT INTO payments (id, session_id, merchant_key, operation, order_number, merchant_reference, method, method_alias, connector_id,
        connector_version, mid_id, attempt, payer_try, state, amount_text, currency, amount_minor, amount_open, payer_ip, card_id, card_brand, payee_card_id,
        card_token_hash, digital_wallet, pan_type, mandate_id, retry_of, recurring_token, callbacks, version, created_at, updated_at)
      SELECT ${uuid(payment.id)}, id, merchant_key, operation, order_number, ${text(payment.merchantReference)}, ${text(payment.method)},
        ${text(payment.methodAlias)}, ${text(payment.connectorId)}, ${text(payment.connectorVersion)}, ${text(payment.midId)}, attempts,
        ${payerTry(follows, row)}, 'created', ${text(amount.text)}, ${text(amount.currency)},
        ${row.of('numeric', amount.open ? null : amount.minor.toString())}, ${row.of('boolean', amount.open)}, ${text(payment.payerIp ?? null)},
        ${uuid(cards.cardId)}, ${text(cards.cardBrand)}, ${uuid(cards.payeeCardId)}, ${text(cards.cardTokenHash)}, ${text(cards.digitalWallet)},
        ${text(cards.panType)}, ${uuid(mandateCharge?.mandateId ?? null)}, ${uuid(mandateCharge?.retries?.paymentId ?? null)},
        ${text(payment.recurringToken ?? null)}, ${row.of('integer', mandateCharge?.retries?.callbacks ?? 0)}, 1, ${now}, ${now}
      FROM ${ofClaimed}
      RETURNING *
    ), recorded AS (
      INSERT INTO payment_events (payment_id, version, kind, from_state, to_state, data_text, at)
      SELECT id, version, 'created', NULL, state, ${text(toJsonText(follows === undefined ? {} : { follows: follows.id }))}, ${now} FROM ${ofStored}
    ), running AS (
      INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, started_at, input_text, lease_epoch, state,
        suspended_step, suspended_text, lease_owner, lease_until)
      SELECT ${uuid(run.runId)}, id, operation, connector_id, connector_version, ${now}, ${text(toJsonText(run.input))}, 1, ${howItBegins(run, row, now)}
      FROM ${ofStored}
    )${usedToken(payment, row, now)}
    SELECT * FROM stored`;
}

/** Its state, where it waits, and its holder: a run that waits has none. */
function howItBegins({ waitsAt, owner, leaseMs }: NewPayment['run'], row: RowValues, now: Piece<Date>): Piece<unknown> {
  if (waitsAt === undefined)
    return sql`'running', NULL, NULL, ${row.of('text', owner)}, ${now} + make_interval(secs => ${row.of('double precision', leaseMs)} / 1000)`;
  return sql`'suspended', ${row.of('text', waitsAt.step)}, ${row.of('text', toJsonText(waitsAt.asks))}, NULL, NULL`;
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
function payerTry(follows: Followed | undefined, row: RowValues): Piece<unknown> {
  if (follows !== undefined) return row.of('integer', follows.payerTry);
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

function unusedToken({ wallet }: NewPayment, row: RowValues): Piece<unknown> {
  if (wallet === undefined) return sql``;
  return sql` AND NOT EXISTS (SELECT FROM wallet_tokens u WHERE u.token_hash = ${row.of('text', wallet.tokenHash)})`;
}

/** Of two that use it at the same moment one breaks the primary key. */
function usedToken({ wallet }: NewPayment, row: RowValues, now: Piece<Date>): Piece<unknown> {
  if (wallet === undefined) return sql``;
  return sql`, used AS (
      INSERT INTO wallet_tokens (token_hash, payment_id, used_at)
      SELECT ${row.of('text', wallet.tokenHash)}, id, ${now} FROM stored ${row.joined(sql`stored.session_id`)}
    )`;
}

/** The rows of the cards, and of a token, as parts of the statement: they are there only if the attempt is. */
function cardOf({ id, card }: NewPayment, row: RowValues, now: Piece<Date>): Piece<unknown> {
  if (card === undefined) return sql``;
  const kept = sql`, kept AS (${insertCard(card.kept, row, now)})`;
  const both = card.payee === undefined ? kept : sql`${kept}, payee_kept AS (${insertCard(card.payee, row, now)})`;
  if (card.save === undefined) return both;
  const { tokenHash, tokenText, holderFingerprint } = card.save;
  return sql`${both}, saved AS (
      INSERT INTO card_tokens (token_hash, card_id, merchant_key, test, token_text, holder_fingerprint, made_by, created_at)
      SELECT ${row.of('text', tokenHash)}, ${row.of('uuid', card.kept.id)}, merchant_key, test, ${row.of('text', tokenText)},
        ${row.of('text', holderFingerprint)}, ${row.of('uuid', id)}, ${now}
      FROM claimed ${row.joined(sql`claimed.id`)}
    )`;
}

function insertCard(card: NewCard, row: RowValues, now: Piece<Date>): Piece<unknown> {
  const text = (value: string | null) => row.of('text', value);
  return sql`
      INSERT INTO cards (id, merchant_key, test, number_text, holder_text, fingerprint, first_six, last_four, brand, expiry_month,
        expiry_year, from_token, created_at)
      SELECT ${row.of('uuid', card.id)}, merchant_key, test, ${text(card.numberText)}, ${text(card.holderText)}, ${text(card.fingerprint)},
        ${text(card.firstSix)}, ${text(card.lastFour)}, ${text(card.brand)}, ${text(card.expiryMonth)}, ${text(card.expiryYear)},
        ${row.of('boolean', card.fromToken)}, ${now}
      FROM claimed ${row.joined(sql`claimed.id`)}`;
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

/** The answer to a token that was used; `undefined` for one that was not. */
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
