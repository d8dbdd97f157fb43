import { money } from '@railyard/core';
import { signRequest } from '@railyard/core/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyChange } from '../../src/payments/change/apply.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import type { GivenCatalogue } from '../../src/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { useDatabase } from '../support/database.ts';
import { lateProvider } from '../support/late-provider.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { createPage, merchant, post, pressPay, sessionBody } from '../support/service.ts';
import { virtualService, type VirtualService, wordsOf } from '../support/virtual-service.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const START = '2026-11-21T12:00:00Z';
const database = useDatabase();
let provider: Awaited<ReturnType<typeof anyMethodProvider>>;
let service: VirtualService;

beforeEach(async () => {
  provider = await anyMethodProvider();
  // Ten are asked for, six are approved.
  provider.state.approves = () => '6.00';
});

afterEach(async () => {
  await service.close();
  await provider.close();
});

type Rule = NonNullable<GivenCatalogue['merchants'][number]['partialApproval']>;

/** A payment of 10.00 of which 6.00 are approved, for a merchant with this rule. */
async function started(rule?: Rule, change: Readonly<Record<string, unknown>> = {}) {
  service = await virtualService(
    database.db,
    (port) => {
      const config = anyMethodConfig({ providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:1', port });
      return {
        ...config,
        merchants: config.merchants.map((each) => ({ ...each, ...(rule && { partialApproval: rule }) })),
      };
    },
    START,
  );
  const body = sessionBody({ methods: ['card'], ...change });
  const path = new URL(await createPage(service.url, body)).pathname;
  await pressPay(`${service.url}${path}`, { method: 'card' });
  const [payment] = await service.context.stores.payments.ofOrder(
    { merchantKey: merchant.key, test: false },
    body.order.number,
    1,
  );
  if (payment === undefined) throw new Error('The payment did not start.');
  return { id: payment.id, page: `${service.url}${path}` };
}

async function statusOf(payment_id: string): Promise<unknown> {
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  const body = { merchant_key: merchant.key, payment_id, hash };
  return (await post(`${service.url}/api/v1/payment/status`, body)).json;
}
const acts = () => merchantActs(service.url);
const findings = () => database.db.selectFrom('findings').selectAll().where('kind', '=', 'partial-approval').execute();
const ledger = () => provider.acts.ledger.map(({ kind, amount }) => `${kind} ${amount ?? 'all'}`);

describe('less than the amount', () => {
  test('is reported as pending with what was approved, and shown to the payer as being checked', async () => {
    const { id, page } = await started('ask');
    expect(await service.find(id)).toMatchObject({ state: 'partially_approved' });
    expect(await service.told(id)).toMatchObject([
      { type: 'sale', status: 'waiting', order_status: 'pending', order_amount: '10.00', approved_amount: '6.00' },
    ]);
    expect(await statusOf(id)).toMatchObject({ status: 'pending', approved_amount: '6.00' });
    expect(await (await fetch(page)).text()).toContain('We are checking');
  });

  test('never expires or declines, however long it is left to the merchant, and an operator is notified once', async () => {
    const { id } = await started('ask');
    await service.pass(30 * DAY);
    expect(await service.find(id)).toMatchObject({ state: 'partially_approved', asideText: null });
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
    expect(await findings()).toMatchObject([{ subject: id, detail: '6.00 received of 10.00 BRL' }]);
    expect(service.events().filter(({ finding }) => finding === 'partial-approval')).toHaveLength(1);
    expect(ledger()).toEqual([]);
  });
});

describe('giving back, which is the rule unless the merchant has another', () => {
  test.each([
    ['what was taken', {}, ['void all']],
    ['what is held', { auth: true }, ['release all']],
  ])('ends %s in a decline', async (_what, change, done) => {
    const { id } = await started(undefined, change);
    await service.pass(SECOND);
    expect(ledger()).toEqual(done);
    expect(await service.find(id)).toMatchObject({ state: 'declined', declineKind: 'soft' });
    const told = await service.told(id);
    expect(wordsOf(told)).toEqual(['sale waiting pending', 'sale fail decline']);
    expect(told.at(-1)).toMatchObject({ reason: 'Only a part of the amount was approved, and it was given back.' });
    expect(told.at(-1)).not.toHaveProperty('approved_amount');
  });

  test('goes by a refund where it is too late for a void', async () => {
    provider.acts.state.behaves = ({ kind }) => (kind === 'void' ? 'refused' : 'done');
    const { id } = await started();
    await service.pass(SECOND);
    expect(ledger()).toEqual(['refund 6.00']);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
  });

  test('is reported as a decline only once the provider has confirmed it', async () => {
    provider.acts.state.behaves = () => 'pending';
    const { id } = await started();
    await service.pass(2 * HOUR);
    expect(await service.find(id)).toMatchObject({ state: 'partially_approved' });
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
    const [sent] = provider.acts.sent;
    provider.acts.settle(sent?.id ?? '', 'done');
    await service.pass(2 * HOUR);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
    expect(ledger()).toEqual(['void all']);
  });

  test('of which the provider does not say whether it took place stays pending and is looked up', async () => {
    provider.acts.state.behaves = () => 'lost-after';
    const { id } = await started();
    await service.pass(SECOND);
    expect(await service.find(id)).toMatchObject({ state: 'partially_approved' });
    provider.acts.state.behaves = () => 'done';
    await service.pass(2 * HOUR);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
    expect(ledger()).toEqual(['void all']);
  });

  test('that the provider refuses in every way stays pending for an operator, and is tried again another day', async () => {
    provider.acts.state.behaves = () => 'refused';
    const { id } = await started();
    await service.pass(HOUR);
    expect(provider.acts.sent.map(({ kind }) => kind)).toEqual(['void', 'refund']);
    expect(await findings()).toMatchObject([{ subject: id }]);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
    provider.acts.state.behaves = () => 'done';
    await service.pass(2 * DAY);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
  });

  test('lets the payer try again', async () => {
    const { id, page } = await started();
    await service.pass(SECOND);
    provider.state.approves = (amount) => amount;
    await pressPay(page, { method: 'card' });
    expect((await service.find(id)).state).toBe('declined');
    expect(await (await fetch(page)).text()).toContain('Payment complete');
  });
});

describe('accepting', () => {
  test('settles with what was approved, and no more than that can be refunded', async () => {
    const { id } = await started('accept');
    await service.pass(SECOND);
    const told = await service.told(id);
    expect(wordsOf(told)).toEqual(['sale waiting pending', 'sale success settled']);
    expect(told.at(-1)).toMatchObject({ order_amount: '10.00', approved_amount: '6.00' });
    expect(await statusOf(id)).toMatchObject({ status: 'settled', approved_amount: '6.00' });
    expect(errorOf(await acts().refund(id, '6.01'))).toMatch(/^208006 /);
    expect((await acts().refund(id, '6.00')).json).toMatchObject({ result: 'accepted' });
    expect((await service.find(id)).state).toBe('refunded');
    expect(ledger()).toEqual(['refund 6.00']);
  });

  test('leaves a part that is held to be captured', async () => {
    const { id } = await started('accept', { auth: true });
    await service.pass(SECOND);
    expect(await service.find(id)).toMatchObject({ state: 'authorized', authorizedMinor: 600n });
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale success pending']);
    expect((await acts().capture(id, '6.00')).json).toMatchObject({ result: 'accepted' });
    expect((await service.find(id)).state).toBe('settled');
  });
});

describe('a merchant who is asked', () => {
  test.each([
    ['what was taken', {}, [] as string[]],
    ['what is held', { auth: true }, ['capture 6.00']],
  ])('takes %s by a capture of it', async (_what, change, done) => {
    const { id } = await started('ask', change);
    expect(errorOf(await acts().capture(id, '6.01'))).toMatch(/^208004 /);
    expect((await acts().capture(id, '6.00')).json).toMatchObject({ result: 'accepted' });
    expect(await service.find(id)).toMatchObject({ state: 'settled', received: { text: '6.00' } });
    expect(ledger()).toEqual(done);
    expect((await service.told(id)).at(-1)).toMatchObject({ order_status: 'settled', approved_amount: '6.00' });
  });

  test.each([
    ['what was taken', {}, ['void all']],
    ['what is held', { auth: true }, ['release all']],
  ])('gives back %s by a void', async (_what, change, done) => {
    const { id } = await started('ask', change);
    expect((await acts().void(id)).json).toMatchObject({ status: 'SUCCESS', payment_status: 'decline' });
    expect(ledger()).toEqual(done);
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
  });
});

describe('an operator', () => {
  test('accepts, and gives back by the service or by hand', async () => {
    const operator = () => paymentOperator(service.context);
    const first = await started('ask');
    expect(await operator().list()).toEqual([]);
    await service.work();
    expect(await operator().list()).toMatchObject([{ id: first.id, state: 'partially_approved' }]);
    expect(await operator().accept(first.id)).toMatchObject({ state: 'settled' });
    await expect(operator().giveBack(first.id)).rejects.toThrow(/is settled/);
    await service.close();

    const second = await started('ask');
    await operator().giveBack(second.id);
    await expect(operator().accept(second.id)).rejects.toThrow(/captured or given back/);
    await service.pass(SECOND);
    expect((await service.find(second.id)).state).toBe('declined');
    expect(ledger()).toEqual(['void all']);
    await service.close();

    const third = await started('ask');
    expect(await operator().giveBack(third.id, { byHand: true })).toMatchObject({ state: 'declined' });
    expect(ledger()).toEqual(['void all']);
    expect(wordsOf(await service.told(third.id)).at(-1)).toBe('sale fail decline');
  });
});

test('what is left of a part that was refunded at the provider in part goes back by a refund, because a void is too late', async () => {
  const { id } = await started('ask');
  const { received } = await service.find(id);
  const change = {
    kind: 'refund',
    providerReference: 're-at-provider',
    amount: money('2.00', received?.currency ?? ''),
    via: 'notification',
  } as const;
  expect(await applyChange(service.context, id, { change })).toMatchObject({ result: 'applied' });
  await paymentOperator(service.context).giveBack(id);
  await service.pass(SECOND);
  expect(ledger()).toEqual(['refund 4.00']);
  expect((await service.find(id)).state).toBe('declined');
});

test('a part that a lookup finds, of an account that can give nothing back, stays pending for an operator', async () => {
  const late = await lateProvider();
  service = await virtualService(database.db, (port) => collectionConfig(late.url, 'http://127.0.0.1:1', port), START);
  const path = new URL(await createPage(service.url, sessionBody({ methods: ['pix-collection'] }))).pathname;
  await pressPay(`${service.url}${path}`, { method: 'pix-collection' });
  const [collection] = late.collections;
  if (collection === undefined) throw new Error('The payment did not start.');
  const payment = await service.context.stores.payments.findByProviderReference(
    'pix-collection',
    'collection',
    collection.id,
  );
  const id = payment?.id ?? '';
  late.pay(collection, { amount: '6.00' });
  await late.notify(service.url, collection);
  await service.pass(10 * DAY);
  expect(await service.find(id)).toMatchObject({ state: 'partially_approved', received: { text: '6.00' } });
  expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale waiting pending']);
  expect((await service.told(id)).at(-1)).toMatchObject({ approved_amount: '6.00' });
  expect(await findings()).toMatchObject([{ subject: id }]);
  await expect(paymentOperator(service.context).giveBack(id)).rejects.toThrow(/--by-hand/);
  await late.close();
});
