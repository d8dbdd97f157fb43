import { signCallbackFields, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { type Fields, refusalLines, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { merchant, pixConfig, startOn, trial } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startOn((port) => {
    const config = pixConfig(provider, shop.url, port);
    const commissions = [{ currency: 'BRL', percent: '1.5', fixed: '0.30' }];
    const methods = [
      { key: 'pix', mid: 'pix-main', commissions },
      { key: 'pix-free', method: 'pix', title: 'Pix, free', mid: 'pix-main' },
    ];
    return { ...config, merchants: config.merchants.map((each) => ({ ...each, methods })) };
  });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});

/** The fields of a debit, which has its own name for the way back. */
function debit(action: string, change: Fields = {}, signer = merchant): Fields {
  const { return_url: _other, ...fields } = apmSaleFields({ action, payer_address: 'Rua A 1', ...change }, signer);
  return { payer_return_url: 'https://shop.example/back', ...fields };
}

const send = (fields: Fields, path = '/post-va') => sendCommand(service.url, fields, {}, path);
const complete = (trans_id: string, signer = merchant) =>
  send(onApmTransaction('DEBIT2VIRTUAL_COMPLETE', trans_id, {}, signer));
const entriesOf = (trans_id: unknown) => provider.ledger.filter(({ external_id }) => external_id === trans_id);

async function pay(trans_id: unknown): Promise<void> {
  const [entry = expect.fail()] = entriesOf(trans_id);
  entry.status = 'PAID';
  expect(await provider.notify(`${service.url}/notify/pix-main`, entry)).toBe(204);
}

test.each(['/post-va', '/post'])(
  '%s: a debit takes the amount with its commission, and says both in answer and callback',
  async (path) => {
    const fields = debit('DEBIT2VIRTUAL');
    const { status, json } = await send(fields, path);
    const sums = { amount: '10.00', commission: '0.45', total_amount: '10.45' };
    const asked = { action: 'DEBIT2VIRTUAL', result: 'REDIRECT', status: 'REDIRECT', ...sums };
    expect([status, json]).toMatchObject([200, asked]);
    expect(entriesOf(json['trans_id'])).toMatchObject([{ amount: '10.45' }]);
    await pay(json['trans_id']);
    const callback = await toldCommand(shop, fields['order_id'], 'SETTLED');
    expect(callback).toMatchObject({ action: 'DEBIT2VIRTUAL', result: 'SUCCESS', ...sums });
    expect(callback['hash']).toBe(signCallbackFields(callback, merchant.password));
  },
);

test('a method without commissions takes the amount alone', async () => {
  const { json } = await send(debit('DEBIT2VIRTUAL', { brand: 'pix-free' }));
  expect(json).toMatchObject({ amount: '10.00', commission: '0.00', total_amount: '10.00' });
});

test('what is calculated is said and called back, and asks no provider', async () => {
  const fields = debit('DEBIT2VIRTUAL_CALC');
  const { status, json } = await send(fields);
  const said = {
    action: 'DEBIT2VIRTUAL_CALC',
    result: 'SUCCESS',
    status: 'PREPARE',
    commission: '0.45',
    total_amount: '10.45',
  };
  expect([status, json]).toMatchObject([200, said]);
  const trans_id = String(json['trans_id']);
  const callback = await toldCommand(shop, fields['order_id'], 'PREPARE');
  expect(callback).toMatchObject({ ...said, trans_id, hash: signCallbackFields(callback, merchant.password) });
  const found = await send(statusFields(trans_id));
  expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'PREPARE' });
  expect(entriesOf(trans_id)).toEqual([]);
});

test('of eight confirmations one debits the payer, and each is answered as it stands', async () => {
  const fields = debit('DEBIT2VIRTUAL_CALC');
  const trans_id = String((await send(fields)).json['trans_id']);
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(trans_id)));
  expect(entriesOf(trans_id)).toMatchObject([{ amount: '10.45' }]);
  const action = 'DEBIT2VIRTUAL_COMPLETE';
  for (const { status, json } of answers)
    expect([status, json]).toMatchObject([200, { action, trans_id, commission: '0.45', total_amount: '10.45' }]);
  expect(answers.map(({ json }) => json['result'])).toContain('REDIRECT');
  await pay(trans_id);
  expect(await toldCommand(shop, fields['order_id'], 'SETTLED')).toMatchObject({
    action: 'DEBIT2VIRTUAL',
    trans_id,
    commission: '0.45',
    total_amount: '10.45',
  });
  expect((await complete(trans_id)).json).toMatchObject({ action, result: 'SUCCESS', status: 'SETTLED' });
  expect(entriesOf(trans_id)).toHaveLength(1);
});

test('a debit is refused by the names of its fields', async () => {
  const lines = async (fields: Fields) => refusalLines(await send(fields));
  const { payer_address: _address, ...without } = debit('DEBIT2VIRTUAL_CALC');
  expect(await lines(without)).toEqual(['payer_address: This value should not be blank.']);
  expect(await lines(debit('DEBIT2VIRTUAL', { payer_return_url: 'shop' }))).toEqual([
    'payer_return_url: This value is not a valid URL.',
  ]);
  const { identifier: _identifier, ...unnamed } = debit('DEBIT2VIRTUAL');
  expect(await lines(unnamed)).toEqual(['identifier: This value should not be blank.']);
  expect(await lines(debit('DEBIT2VIRTUAL', { hash: 'f'.repeat(32) }))).toEqual(['hash: Hash is not valid.']);
});

test('only what was calculated by the same key is completed', async () => {
  const before = provider.ledger.length;
  const calculated = String((await send(debit('DEBIT2VIRTUAL_CALC'))).json['trans_id']);
  const unknown = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
  const sale = String((await send(debit('DEBIT2VIRTUAL'))).json['trans_id']);
  for (const answer of [
    await complete(unknown),
    await complete(sale),
    await complete(calculated, { ...merchant, ...trial }),
  ])
    expect(JSON.stringify(answer.json)).toContain('Transaction does not exist.');
  const hash = signCommand('credit_void', { trans_id: calculated }, merchant.password);
  expect(refusalLines(await send({ ...onApmTransaction('DEBIT2VIRTUAL_COMPLETE', calculated), hash }))).toEqual([
    'hash: Hash is not valid.',
  ]);
  expect(provider.ledger).toHaveLength(before + 1);
});
