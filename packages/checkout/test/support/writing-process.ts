// Run by itself: opens the database of a directory, writes payments and tells each write on standard output once it is acknowledged.
import { writeSync } from 'node:fs';
import { databaseClock, openDatabase, paymentsStore, sessionsStore } from '../../src/storage/index.ts';
import { newPayment, newSession } from './rows.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
const { db } = await openDatabase({ dataDir: process.argv[2] ?? '' });
say('open');
const sessions = sessionsStore(db, databaseClock);
const payments = paymentsStore(db, databaseClock);
for (;;) {
  const session = newSession();
  await sessions.create(session);
  const started = await payments.insert(newPayment(session.id));
  if (started === undefined) throw new Error('The payment did not start.');
  say(`${started.payment.id} 1`);
  await payments.applyTransition({
    paymentId: started.payment.id,
    expectedVersion: 1,
    change: { state: 'settled', unknown: false },
    event: { kind: 'settled', data: {} },
    callbacks: [
      { id: started.payment.id, url: 'https://shop.example/', contentType: 'text/plain', body: 'x'.repeat(500) },
    ],
    closeSession: 'completed',
  });
  say(`${started.payment.id} 2`);
}
