import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PixProvider, pixProvider } from '../../checkout/test/support/pix-provider.ts';
import { callbackSecret, receiver, type Receiver } from '../../checkout/test/support/receiver.ts';
import { merchant, startService } from '../../checkout/test/support/service.ts';
import { type AccountCredit, type Client, createClient } from '../src/index.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startService>>;
let client: Client;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startService(provider, shop.url);
  const { key: merchantKey, password } = merchant;
  client = createClient({ baseUrl: service.url, merchantKey, password, callbackSecret, digest: 'sha256' });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});
beforeEach(() => {
  provider.payoutStatus = 'PAID';
});

let orders = 0;
function newPayout(change: Partial<AccountCredit> = {}): AccountCredit {
  orders += 1;
  return {
    brand: 'pix',
    order_id: `straße-${process.pid}-${orders}`,
    order_amount: '10.00',
    order_currency: 'BRL',
    parameters: { key: 'maria@example.com' },
    ...change,
  };
}

/** The callback of an order, as it came. */
const toldOf = (order_id: string, status: string) =>
  shop.until(({ fields }) => fields['order_id'] === order_id && fields['status'] === status);

test('a payout to an account is answered, called back with a signature that verifies, and found by its transaction', async () => {
  const payout = newPayout({ custom_data: { batch: '7' } });
  const { order_id } = payout;
  const answer = await client.creditToVirtual(payout);
  expect(answer).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', order_id, amount: '10.00', currency: 'BRL' });
  const { trans_id } = answer;
  expect(await client.transactionStatus({ trans_id })).toMatchObject({ status: 'SETTLED', order_id, trans_id });
  const callback = await toldOf(order_id, 'SETTLED');
  const fields = { result: 'SUCCESS', status: 'SETTLED', order_id, trans_id, custom_data: { batch: '7' } };
  expect(client.verifyCommandCallback(callback)).toMatchObject({ ok: true, callback: { fields } });
  const forged = { ...callback, body: callback.body.replace('10.00', '10.01') };
  expect(client.verifyCommandCallback(forged)).toEqual({ ok: false, reason: 'wrong-signature' });
});

test('a sale by another method says where its payer is sent', async () => {
  const { parameters: _none, ...order } = newPayout();
  const answer = await client.apmSale({
    ...order,
    order_description: 'Tea',
    payer_ip: '192.0.2.1',
    return_url: 'https://shop.example/back',
  });
  expect(answer).toMatchObject({ result: 'REDIRECT', redirect_params: { qr_code: expect.stringMatching(/./) } });
});

test('a payout that is declined says why; an undecided one is undefined and no error', async () => {
  provider.payoutStatus = 'REJECTED';
  const declined = { result: 'DECLINED', status: 'DECLINED', decline_reason: expect.stringMatching(/./) };
  expect(await client.creditToVirtual(newPayout())).toMatchObject(declined);
  provider.payoutStatus = 'PROCESSING';
  const payout = newPayout();
  const open = { result: 'UNDEFINED', status: 'PREPARE', order_id: payout.order_id };
  expect(await client.creditToVirtual(payout)).toMatchObject(open);
  expect(client.verifyCommandCallback(await toldOf(payout.order_id, 'PREPARE'))).toMatchObject({
    ok: true,
    callback: { fields: open },
  });
});

test('a payout that is sent again with its idempotency key pays once and is answered the same', async () => {
  const payout = newPayout({ order_amount: '10.77' });
  const call = { idempotencyKey: `payout-${payout.order_id}`.replace('ß', 'ss') };
  const first = await client.creditToVirtual(payout, call);
  expect(await client.creditToVirtual(payout, call)).toEqual(first);
  expect(provider.ledger.filter(({ amount }) => amount === '10.77')).toHaveLength(1);
  await expect(client.creditToVirtual(payout)).rejects.toMatchObject({ kind: 'refused', reason: 'Duplicate request.' });
});

test('faults are reported field by field, unknown fields are refused', async () => {
  await expect(client.creditToVirtual(newPayout({ order_amount: '0.00', parameters: {} }))).rejects.toMatchObject({
    kind: 'invalid',
    call: 'POST /post',
    issues: [{ path: 'order_amount', message: expect.any(String), code: 100_000 }],
  });
  await expect(client.creditToVirtual(newPayout({ parameters: {} }))).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: 'parameters[key]' }],
  });
  const trans_id = '33333333-4444-4555-8666-777777777777';
  await expect(client.transactionStatus({ trans_id })).rejects.toMatchObject({ kind: 'refused', code: '101000' });
});
