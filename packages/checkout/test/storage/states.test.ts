import {
  isExclusive,
  LEGAL_MODIFICATION_MOVES,
  LEGAL_MOVES,
  MODIFICATION_NAMES,
  PAYMENT_STATES,
  type PaymentStateName,
} from '@railyard/core/payment';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Payment, paymentsStore } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const database = useDatabase();
const { clock } = testClock();

/** How a payment gets into a state along the table. */
const WAYS: Readonly<Record<PaymentStateName, readonly PaymentStateName[]>> = {
  created: [],
  pending: ['pending'],
  authorized: ['authorized'],
  partially_approved: ['partially_approved'],
  settled: ['settled'],
  declined: ['declined'],
  expired: ['expired'],
  voided: ['settled', 'voided'],
  refunded: ['settled', 'refunded'],
  reversed: ['settled', 'reversed'],
  charged_back: ['settled', 'charged_back'],
};

async function paymentIn(state: PaymentStateName): Promise<Payment> {
  const { payment } = await insertPayment(database.db, clock);
  for (const step of WAYS[state]) await write(payment.id, step);
  const found = await paymentsStore(database.db, clock).find(payment.id);
  if (found === undefined) throw new Error('The payment is gone.');
  return found;
}

/** Beside the service: SQL as somebody might type it. */
const write = (id: string, state: PaymentStateName) =>
  sql`UPDATE payments SET state = ${state}, version = version + 1 WHERE id = ${id}::uuid`.execute(database.db);

async function refusal(statement: Promise<unknown>): Promise<string> {
  return statement.then(
    () => 'was let through',
    (error: unknown) => (error instanceof Error ? error.message : 'strange'),
  );
}

describe('the database', () => {
  it('holds the legal changes of state that core holds', async () => {
    const rows = await database.db.selectFrom('legalTransitions').selectAll().execute();
    const held = rows.map(({ fromState, toState }) => `${fromState} ${toState}`);
    expect(held.toSorted()).toEqual(LEGAL_MOVES.map(({ from, to }) => `${from} ${to}`).toSorted());
  });

  it('holds the legal changes of a modification that core holds', async () => {
    const rows = await database.db.selectFrom('legalModificationTransitions').selectAll().execute();
    const held = rows.map(({ fromState, toState }) => `${fromState} ${toState}`);
    expect(held.toSorted()).toEqual(LEGAL_MODIFICATION_MOVES.map(({ from, to }) => `${from} ${to}`).toSorted());
  });

  it.each([
    ['modifications_kind_check', MODIFICATION_NAMES],
    ['payments_modifying_check', MODIFICATION_NAMES.filter(isExclusive)],
  ] as const)('accepts the modifications that core has, and no other: %s', async (constraint, names) => {
    const { rows } = await sql<{ text: string }>`
      SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = ${constraint}`.execute(database.db);
    const accepted = rows.flatMap(({ text }) => [...text.matchAll(/'([^']+)'/g)].map(([, name]) => name));
    expect(accepted.toSorted()).toEqual(names.toSorted());
  });

  it('refuses a modification that ends twice, begins at its end, changes its amount, or runs beside another one', async () => {
    const { id } = await paymentIn('authorized');
    const insert = (modification: string, kind: string, state: string) =>
      sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at)
        VALUES (${modification}::uuid, ${id}::uuid, 'mid-1', ${kind}, '1.00', 100, 'BRL', ${state}, now(), now())`.execute(
        database.db,
      );
    const [capture, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const set = (change: string) =>
      sql`UPDATE modifications SET ${sql.raw(change)} WHERE id = ${capture}::uuid`.execute(database.db);
    expect(await refusal(insert(capture, 'capture', 'pending'))).toBe(
      'a modification does not become pending after none',
    );
    expect(await refusal(insert(capture, 'capture', 'requested'))).toBe('was let through');
    expect(await refusal(insert(other, 'release', 'requested'))).toMatch(/modifications_one_exclusive/);
    expect(await refusal(set('amount_minor = 200'))).toBe('what a modification was begun with does not change');
    expect(await refusal(set("state = 'succeeded'"))).toBe('was let through');
    expect(await refusal(set("state = 'pending'"))).toBe('a modification does not become pending after succeeded');
    expect(await refusal(insert(other, 'capture', 'requested'))).toMatch(/modifications_one_capture/);
  });

  it('lets exactly these through, whichever process writes', async () => {
    for (const from of PAYMENT_STATES)
      for (const to of PAYMENT_STATES) {
        if (from === to) continue;
        const { id } = await paymentIn(from);
        const legal = LEGAL_MOVES.some((move) => move.from === from && move.to === to);
        expect(await refusal(write(id, to))).toBe(
          legal ? 'was let through' : `a payment does not become ${to} after ${from}`,
        );
      }
  });

  it('refuses a payment that does not begin at the beginning', async () => {
    const { id } = await paymentIn('created');
    const copy = (change: string) =>
      sql`INSERT INTO payments SELECT (json_populate_record(p, ${change}::json)).* FROM payments p WHERE id = ${id}::uuid`.execute(
        database.db,
      );
    const fresh = { id: '00000000-0000-4000-8000-000000000001', merchant_reference: 'r-1', attempt: 2 };
    expect(await refusal(copy(JSON.stringify({ ...fresh, state: 'settled' })))).toBe(
      'a payment does not become settled after none',
    );
    expect(await refusal(copy(JSON.stringify({ ...fresh, version: 2 })))).toBe('a payment begins with version 1');
    expect(await refusal(copy(JSON.stringify(fresh)))).toBe('was let through');
  });

  it.for([
    'refunded_minor = 600, reserved_minor = 401',
    'refunded_minor = 1001',
    'reserved_minor = 1001',
    'reserved_minor = -1',
    'refunded_minor = -1',
    'captured_minor = 1',
    'authorized_minor = 999',
    "modifying = 'refund'",
    'unknown = true',
    "state = 'refunded'",
  ])('refuses sums and marks that cannot be: %s', async (change) => {
    const { id } = await paymentIn('settled');
    await sql`UPDATE payments SET received_minor = 1000, received_text = '10.00', received_currency = 'BRL', version = version + 1
      WHERE id = ${id}::uuid`.execute(database.db);
    const update = sql`UPDATE payments SET ${sql.raw(change)}, version = version + 1 WHERE id = ${id}::uuid`;
    expect(await refusal(update.execute(database.db))).toMatch(/violates check constraint/);
  });

  it.for([
    "state = 'pending'",
    'reserved_minor = 0, modifying = NULL, unknown = true',
    'version = version + 2',
    'version = version - 1',
  ])('refuses a change that does not count: %s', async (change) => {
    const { id } = await paymentIn('created');
    expect(await refusal(sql`UPDATE payments SET ${sql.raw(change)} WHERE id = ${id}::uuid`.execute(database.db))).toBe(
      'a change of a payment makes its version one more',
    );
  });

  it('lets the time of the next lookup move without a version', async () => {
    const { id, version } = await paymentIn('pending');
    await paymentsStore(database.db, clock).schedulePoll(id, 1000);
    expect(await paymentsStore(database.db, clock).find(id)).toMatchObject({ version });
  });

  it.for([
    "amount_minor = 1, amount_text = '0.01'",
    "merchant_key = 'other'",
    "operation = 'credit'",
    "merchant_reference = 'other'",
  ])('keeps what a payment was begun with: %s', async (change) => {
    const { id } = await paymentIn('pending');
    const update = sql`UPDATE payments SET ${sql.raw(change)}, version = version + 1 WHERE id = ${id}::uuid`;
    expect(await refusal(update.execute(database.db))).toBe('what a payment was begun with does not change');
  });
});
