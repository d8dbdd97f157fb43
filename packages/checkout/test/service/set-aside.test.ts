import { declined } from '@railyard/core';
import type { HttpRequest } from '@railyard/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyChange } from '../../src/payments/change/apply.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import { useDatabase } from '../support/database.ts';
import { type LedgerEntry, pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, pixConfig, pressPay, sessionBody } from '../support/service.ts';
import { virtualService, type VirtualService, wordsOf } from '../support/virtual-service.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const database = useDatabase();
let provider: PixProvider;
let service: VirtualService;

beforeEach(async () => {
  provider = await pixProvider();
  service = await virtualService(
    database.db,
    (port) => pixConfig(provider, 'http://127.0.0.1:1', port),
    '2026-11-21T12:00:00Z',
  );
  [provider.lifetimeMs, provider.clock] = [DAY, service.now];
});

afterEach(async () => {
  await service.close();
  await provider.close();
});

async function started(): Promise<{ readonly id: string; readonly charge: LedgerEntry; readonly page: string }> {
  const path = new URL(await createPage(service.url, sessionBody())).pathname;
  await pressPay(`${service.url}${path}`);
  const charge = provider.ledger.at(-1);
  const payment =
    charge && (await service.context.stores.payments.findByProviderReference('pix-instant', 'pix-main', charge.id));
  if (charge === undefined || payment === undefined) throw new Error('The payment did not start.');
  return { id: payment.id, charge, page: `${service.url}${path}` };
}

/** Signed, and wrong: less, more, and other currencies. */
const TAMPERED = Array.from({ length: 40 }, (_, at) => {
  const amount = at % 2 === 0 ? `${Math.floor(at / 4)}.${10 + at}` : `${10 + at}.00`;
  return at % 5 === 4 ? { amount: '10.00', currency: ['USD', 'EUR', 'ARS'][at % 3] ?? 'USD' } : { amount };
});

const notify = (charge: LedgerEntry, change: { amount?: string; currency?: string; eventId?: string } = {}) =>
  provider.notify(`${service.url}/notify/pix-main`, charge, { at: service.now(), ...change });
const finals = async (id: string) => wordsOf(await service.told(id)).filter((words) => !words.includes(' waiting '));
const findings = () => database.db.selectFrom('findings').selectAll().where('kind', '=', 'money-set-aside').execute();

test('forty signed notifications of another amount or currency settle nothing, are set aside, and keep the payment open', async () => {
  const { id, charge, page } = await started();
  for (const [at, change] of TAMPERED.entries())
    expect(await notify({ ...charge, status: 'PAID' }, { ...change, eventId: `evt-${at}` })).toBe(204);
  const rows = await database.db.selectFrom('providerEvents').selectAll().where('paymentId', '=', id).execute();
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 40 }, () => 'quarantined'));
  expect(await (await fetch(page)).text()).toContain('We are checking');

  // Session and code are over, and the provider says that the code expired: money may be there all the same.
  charge.status = 'EXPIRED';
  await service.pass(30 * DAY);
  expect(await service.find(id)).toMatchObject({ state: 'pending', received: null });
  expect(await finals(id)).toEqual([]);
  expect(await findings()).toMatchObject([{ subject: id, detail: expect.stringContaining('asked for was 10.00 BRL') }]);
  expect(service.events().filter(({ finding }) => finding === 'money-set-aside')).toHaveLength(1);
  expect(await paymentOperator(service.context).list()).toMatchObject([{ id, asideText: expect.any(String) }]);
});

test('what is right is taken although something wrong came before', async () => {
  const { id, charge } = await started();
  charge.status = 'PAID';
  await notify(charge, { amount: '15.00' });
  expect((await service.find(id)).asideText).toBe('15.00 BRL');
  await notify(charge);
  expect(await service.find(id)).toMatchObject({ state: 'settled', asideText: null });
  expect(await finals(id)).toEqual(['sale success settled']);
});

test('a lookup of another amount sets it aside once, and says so once', async () => {
  const { id, charge } = await started();
  provider.ledger[provider.ledger.indexOf(charge)] = { ...charge, amount: '15.00', status: 'PAID' };
  await service.pass(2 * DAY);
  expect(await service.find(id)).toMatchObject({ state: 'pending', asideText: '15.00 BRL' });
  expect(service.events().filter(({ event }) => event === 'quarantined')).toHaveLength(1);
  expect(await finals(id)).toEqual([]);
});

test('an operator dismisses the money, and the payment may end; or declines the payment', async () => {
  const operator = paymentOperator(service.context);
  const [first, second] = [await started(), await started()];
  for (const { charge } of [first, second]) await notify({ ...charge, status: 'PAID' }, { amount: '15.00' });
  await expect(operator.dismiss((await started()).id)).rejects.toThrow(/no money is set aside/);
  await operator.dismiss(first.id);
  expect(await operator.resolve(second.id, { outcome: 'declined' })).toMatchObject({ state: 'declined' });
  await service.pass(3 * DAY);
  expect((await service.find(first.id)).state).toBe('expired');
  expect(await findings()).toEqual([]);
});

test('a flow that is answered with more than was asked for leaves the payment pending', async () => {
  provider.beforeReply = (entry) => {
    Object.assign(entry, { amount: '15.00', status: 'PAID' });
    return true;
  };
  const { id } = await started();
  await service.pass(3 * DAY);
  expect(await service.find(id)).toMatchObject({ state: 'pending', asideText: '15.00 BRL' });
  expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
});

test('a charge that succeeds while a notification declines the payment is looked up, and settles', async () => {
  provider.beforeReply = (entry) => {
    entry.status = 'PAID';
    return true;
  };
  onceAnswered(async () => {
    const [payment] = await database.db.selectFrom('payments').select('id').execute();
    const outcome = declined('soft', 'not_completed', { reason: 'Not paid.' });
    const change = { kind: 'outcome', outcome, via: 'notification' } as const;
    expect(await applyChange(service.context, payment?.id ?? '', { change })).toMatchObject({ result: 'applied' });
  });
  const { id } = await started();
  await service.pass(2000);
  expect(await service.find(id)).toMatchObject({ state: 'settled', asideText: null });
  expect(await finals(id)).toEqual(['sale fail decline', 'sale success settled']);
});

/** Does something when the provider has answered and the answer has not reached the service. */
function onceAnswered(meanwhile: () => Promise<void>): void {
  const { breakers } = service.context;
  let isFirst = true;
  const transport = (mid: string) => ({
    async send(request: HttpRequest) {
      const result = await breakers.transport(mid).send(request);
      if (isFirst) await meanwhile();
      isFirst = false;
      return result;
    },
  });
  Object.assign(service.context, { breakers: { ...breakers, transport } });
}
