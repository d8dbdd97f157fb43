import { declined, money, settled } from '@railyard/core';
import { signRequest } from '@railyard/core/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MODIFICATION_CALLS } from '../../src/http/merchant-api/modification-routes.ts';
import { paymentRetry } from '../../src/http/merchant-api/charges.ts';
import { paymentStatus } from '../../src/http/merchant-api/status-route.ts';
import { applyModification } from '../../src/payments/change/modification.ts';
import { applyChange } from '../../src/payments/change/apply.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { erasedRequest, readStoredSession } from '../../src/sessions/session.ts';
import { tidy } from '../../src/work/upkeep.ts';
import { useDatabase } from '../support/database.ts';
import { merchant, pixConfig } from '../support/pix-config.ts';
import { newPayment } from '../support/rows.ts';
import { PAYER, reopen, storeSession, storeThread, type Thread } from '../support/retention-threads.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();
const provider = { url: 'http://127.0.0.1:1', apiKey: 'a', webhookSecret: 'b' };
const REMOVED = {
  status: 400,
  body: { error_message: 'The data of the payment has been removed after the retention period.' },
};

let at: number;
let made: ReturnType<typeof serviceContext>;
let thread: Thread;

/** A settled order whose retention period is over. */
beforeEach(async () => {
  at = Date.parse('2026-01-01T12:00:00Z');
  made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1/c', 0), () => at);
  thread = await storeThread(made.context);
  at += 400 * 86_400_000;
  await tidy(made.context, false);
});

afterEach(() => made.close());

const ask = (fields: object, hash: string) => JSON.stringify({ merchant_key: merchant.key, ...fields, hash });

function statusOfOrder(order_id: string) {
  const hash = signRequest('status_by_order', { order_id }, merchant.password);
  return paymentStatus.handle(made.context, ask({ order_id }, hash));
}

test('a status lookup answers what is left, and nothing of the payer', async () => {
  const answer = await statusOfOrder(thread.orderNumber);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      payment_id: thread.paymentId,
      status: 'settled',
      order: {
        number: thread.orderNumber,
        amount: '10.00',
        currency: 'BRL',
        description: 'Removed after the retention period.',
      },
    },
  });
  expect(answer.body).not.toHaveProperty('customer');
  const { paymentId: payment_id } = thread;
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  expect((await paymentStatus.handle(made.context, ask({ payment_id }, hash))).body).toEqual(answer.body);
});

test('an order without a payment is as if it had never been', async () => {
  const session = await storeSession(made.context);
  at += 2 * 3_600_000;
  await made.context.stores.sessions.expireDue(10);
  expect(await statusOfOrder(session.orderNumber)).toMatchObject({ status: 200, body: { status: 'decline' } });
  at += 90 * 86_400_000;
  await tidy(made.context, false);
  expect(await statusOfOrder(session.orderNumber)).toMatchObject({
    status: 400,
    body: { error_message: 'Order does not exist.' },
  });
});

test('a session of hosted fields is still one, without the address that asked for its token', async () => {
  const { context } = made;
  const { id } = await storeSession(context, { fields: { askedFrom: '203.0.113.7' } });
  const stored = await context.stores.sessions.find(id);
  if (stored === undefined) throw new Error('It was not stored.');
  const requestText = erasedRequest(context.sealer, stored);
  expect(readStoredSession(context, { ...stored, requestText }).fields).toEqual({});
});

test('a refund is refused and says that the data has been removed, and nothing begins', async () => {
  const { paymentId: payment_id } = thread;
  const amount = '4.00';
  const hash = signRequest('refund', { payment_id, amount }, merchant.password);
  expect(
    await MODIFICATION_CALLS['/payment/refund'].handle(made.context, ask({ payment_id, amount }, hash)),
  ).toMatchObject(REMOVED);
  expect(await database.db.selectFrom('modifications').selectAll().execute()).toEqual([]);
});

test('a capture of a hold that the provider reported after the erasure is refused in the same way', async () => {
  const hold = `state = 'authorized', authorized_minor = 1000, received_text = NULL, received_currency = NULL, received_minor = 0`;
  await reopen(database.db, `UPDATE payments SET ${hold} WHERE id = $1`, thread);
  const { paymentId: payment_id } = thread;
  const amount = '10.00';
  const hash = signRequest('capture', { payment_id, amount }, merchant.password);
  expect(
    await MODIFICATION_CALLS['/payment/capture'].handle(made.context, ask({ payment_id, amount }, hash)),
  ).toMatchObject(REMOVED);
  expect(await database.db.selectFrom('modifications').selectAll().execute()).toEqual([]);
});

test('a retry of a charge is refused in the same way, and nothing is charged', async () => {
  const first = await storeThread(made.context);
  const declinedCharge = `state = 'declined', decline_kind = 'soft', mandate_id = '${first.paymentId}'`;
  await reopen(database.db, `UPDATE payments SET ${declinedCharge} WHERE id = $1`, thread);
  const before = await database.db.selectFrom('payments').selectAll().execute();
  const { paymentId: payment_id } = thread;
  const hash = signRequest('retry', { payment_id }, merchant.password);
  expect(await paymentRetry.handle(made.context, ask({ payment_id }, hash))).toMatchObject(REMOVED);
  expect(await database.db.selectFrom('payments').selectAll().execute()).toEqual(before);
});

test('a void is refused without an error of the service', async () => {
  const { paymentId: payment_id } = thread;
  const hash = signRequest('void', { payment_id }, merchant.password);
  expect(await MODIFICATION_CALLS['/payment/void'].handle(made.context, ask({ payment_id }, hash))).toMatchObject({
    status: 400,
  });
});

test('a refund at the provider is applied and reported without the payer, and is erased in its turn', async () => {
  at += 1000;
  const { stores, sealer } = made.context;
  const change = {
    kind: 'refund',
    providerReference: 're-1',
    amount: money('4.00', 'BRL'),
    via: 'notification',
  } as const;
  expect(await applyChange(made.context, thread.paymentId, { change })).toMatchObject({ result: 'applied' });
  const [callback] = await stores.callbacks.ofPayment(thread.paymentId);
  if (callback === undefined) throw new Error('There is no callback.');
  const body = openText(sealer, callback.body, sealedAt.callbackBody(callback.id));
  expect(body).toContain(thread.orderNumber);
  expect(body).not.toContain(PAYER);
  expect((await statusOfOrder(thread.orderNumber)).body).toMatchObject({ refunded_amount: '4.00' });
  await database.db.updateTable('callbacks').set({ state: 'dead' }).execute();
  at += 400 * 86_400_000;
  await tidy(made.context, false);
  expect(await stores.sessions.find(thread.sessionId)).toHaveProperty('erasedAt', new Date(at));
});

test('the history, which is never erased, has no message of the provider about a payment or its refund', async () => {
  const { context } = made;
  const { id: sessionId } = await storeSession(context);
  const route = { connectorId: 'pix-instant', midId: 'pix-main' };
  const started = await context.stores.payments.insert(newPayment(sessionId, route));
  const id = started?.payment.id ?? '';
  const provider = { status: 'PAID', code: '00', message: `Paid by ${PAYER}` };
  const outcome = settled('tx-2', money('10.00', 'BRL'), { provider });
  await applyChange(context, id, { change: { kind: 'outcome', outcome, via: 'status' } });
  const amount = { text: '4.00', minor: 400n, currency: 'BRL' };
  const run = { purpose: 'refund', input: {}, owner: null, leaseMs: 0 };
  const refund = { id: context.newId(), kind: 'refund', amount, run } as const;
  const { version = 0 } = (await context.stores.payments.find(id)) ?? {};
  await context.stores.payments.applyTransition({
    paymentId: id,
    expectedVersion: version,
    change: { state: 'settled', unknown: false, reservedMinor: 400n },
    event: { kind: 'modification', data: {} },
    newModification: refund,
  });
  await applyModification(context, refund.id, {
    outcome: declined('soft', 'declined_by_provider', { reason: 'No.', provider }),
    via: 'status',
  });
  const history = await database.db.selectFrom('paymentEvents').selectAll().where('paymentId', '=', id).execute();
  const texts = history.map(({ dataText }) => dataText).join();
  expect(texts).not.toContain(PAYER);
  expect(texts.match(/"status":"PAID","code":"00"/g)).toHaveLength(2);
});
