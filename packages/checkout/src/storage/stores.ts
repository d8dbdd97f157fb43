import { modificationsStore } from './modifications-store.ts';
import { callbacksStore } from './callbacks-store.ts';
import { chainsStore } from './chains-store.ts';
import { cardsStore } from './cards-store.ts';
import { driftStore } from './drift-store.ts';
import { findingsStore } from './findings-store.ts';
import { idempotencyStore } from './idempotency-store.ts';
import { issuedIdsStore } from './issued-ids-store.ts';
import { journalsStore } from './journal-store.ts';
import { notificationsStore } from './notifications-store.ts';
import type { Db } from './db.ts';
import { paymentsStore } from './payments-store.ts';
import { requestIdsStore } from './request-ids-store.ts';
import { runsStore } from './runs-store.ts';
import { sessionsStore } from './sessions-store.ts';
import { schedulesStore } from './schedules-store.ts';
import type { SqlClock } from './sql-clock.ts';
import { testClocksStore } from './test-clocks-store.ts';

/** Everything that is stored, by the clock that all of it shares. */
export const storesOf = (db: Db, clock: SqlClock) => ({
  sessions: sessionsStore(db, clock),
  payments: paymentsStore(db, clock),
  modifications: modificationsStore(db, clock),
  runs: runsStore(db, clock),
  journals: journalsStore(db, clock),
  callbacks: callbacksStore(db, clock),
  notifications: notificationsStore(db, clock),
  findings: findingsStore(db, clock),
  idempotency: idempotencyStore(db, clock),
  issuedIds: issuedIdsStore(db),
  requestIds: requestIdsStore(db, clock),
  cards: cardsStore(db),
  schedules: schedulesStore(db, clock),
  chains: chainsStore(db, clock),
  testClocks: testClocksStore(db, clock),
  drift: driftStore(db),
});

export type Stores = Readonly<ReturnType<typeof storesOf>>;
