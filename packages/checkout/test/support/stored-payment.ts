import { randomUUID } from 'node:crypto';
import { createSealer, encryptionKeys, sealedAt } from '../../src/secrets/index.ts';
import { databaseClock, type NewPayment, openDatabase, storesOf } from '../../src/storage/index.ts';
import type { Place } from './data-dir.ts';
import { newPayment, newSession } from './rows.ts';
import { sessionBody } from './service.ts';

/** A payment as it stands before a service is started on the data. */
export interface StoredPayment {
  readonly id?: string;
  readonly state: 'settled' | 'authorized' | 'declined';
  readonly amount: string;
  readonly minor: bigint;
  readonly currency: string;
  readonly reference?: string;
  readonly recurringToken?: string;
  readonly route?: Partial<Pick<NewPayment, 'method' | 'methodAlias' | 'connectorId' | 'midId'>>;
  /** The first payment of its mandate. */
  readonly mandateId?: string;
}

/** Stores payments whose ids and tokens somebody else has chosen. */
export async function storePayments(place: Place, payments: readonly StoredPayment[]): Promise<void> {
  const { dataDir, databaseUrl, encryptionKey } = place;
  const sealer = createSealer(encryptionKeys(encryptionKey === undefined ? [] : [encryptionKey], { dataDir }));
  const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
  const stores = storesOf(db, databaseClock);
  for (const {
    id = randomUUID(),
    state,
    amount,
    minor,
    currency,
    reference,
    recurringToken,
    route,
    mandateId,
  } of payments) {
    const body = sessionBody({ methods: ['card'], recurring_init: mandateId === undefined }, { amount, currency });
    const session = newSession({
      id,
      test: false,
      orderNumber: body.order.number,
      requestText: JSON.stringify(body),
      payerPresence: mandateId === undefined ? 'page' : 'none',
    });
    await stores.sessions.create(session);
    const run = newPayment(id).run;
    const sealed = recurringToken && sealer.seal(recurringToken, sealedAt.recurringToken(id));
    const started = await stores.payments.insert(
      newPayment(id, {
        id,
        amount: { open: false, text: amount, minor, currency },
        ...(reference !== undefined && { merchantReference: reference }),
        ...(sealed !== undefined && { recurringToken: sealed }),
        ...(mandateId !== undefined && { mandateCharge: { mandateId, cardId: null, cardBrand: null } }),
        ...route,
        run,
      }),
    );
    if (started === undefined) throw new Error('The payment did not start.');
    const applied = await stores.payments.applyTransition({
      paymentId: id,
      expectedVersion: 1,
      change: {
        state,
        unknown: false,
        providerReference: `tx-${id}`,
        ...(state === 'settled' && { received: { text: amount, minor, currency } }),
        ...(state === 'authorized' && { authorizedMinor: minor }),
        ...(state === 'declined' && {
          declineKind: 'soft',
          declineCode: 'card_declined',
          reason: 'Declined by processing.',
        }),
        ...(recurringToken !== undefined && { agreement: { agreement: 'agr_1' } }),
      },
      event: { kind: 'outcome', data: {} },
      run: { lease: { runId: run.runId, owner: run.owner, epoch: 1 }, next: { state: 'finished', outcome: {} } },
    });
    if (applied.result !== 'applied') throw new Error(applied.result);
  }
  await close();
}
