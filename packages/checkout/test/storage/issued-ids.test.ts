import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { issuedIdsStore } from '../../src/storage/requests.ts';
import { databaseClock } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const database = useDatabase();

const UNKNOWN = '3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63';

it('knows the ids of payments that were deleted, and no others', async () => {
  const { db } = database;
  const store = issuedIdsStore(db);
  const known = async ({ id, merchantReference }: { readonly id: string; readonly merchantReference: string }) => [
    await store.isPayment(id),
    await store.isTransaction(merchantReference),
  ];
  const { payment } = await insertPayment(db, databaseClock);
  expect(await known(payment)).toEqual([true, true]);
  await sql`DELETE FROM flow_runs WHERE payment_id = ${payment.id}`.execute(db);
  // As an operator does who has to delete: what is kept for ever is refused otherwise.
  await sql`ALTER TABLE payment_events DISABLE TRIGGER USER`.execute(db);
  await sql`DELETE FROM payment_events WHERE payment_id = ${payment.id}`.execute(db);
  await sql`ALTER TABLE payment_events ENABLE TRIGGER USER`.execute(db);
  await db.deleteFrom('payments').where('id', '=', payment.id).execute();
  expect(await known(payment)).toEqual([true, true]);
  expect(await known({ id: UNKNOWN, merchantReference: UNKNOWN })).toEqual([false, false]);
});
