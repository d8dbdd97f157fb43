import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { paymentsStore } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const database = useDatabase();

it('keeps transactions as far apart as its server is set to', async () => {
  const { rows } = await sql<{ level: string }>`SELECT current_setting('transaction_isolation') AS level`.execute(
    database.db,
  );
  expect(rows).toEqual([{ level: inject('isolation') ?? 'read committed' }]);
});

it('lets one of many changes of a payment at once through, and the others find that it has changed', async () => {
  const { clock } = testClock();
  const { payment } = await insertPayment(database.db, clock);
  const payments = paymentsStore(database.db, clock);
  const changes = await Promise.all(
    Array.from({ length: 8 }, () =>
      payments.applyTransition({
        paymentId: payment.id,
        expectedVersion: 1,
        change: { state: 'pending', unknown: false },
        event: { kind: 'told', data: {} },
        callbacks: [],
      }),
    ),
  );
  expect(changes.map(({ result }) => result).sort()).toEqual(['applied', ...Array.from({ length: 7 }, () => 'stale')]);
});
