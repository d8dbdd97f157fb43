import {
  type EXCHANGE_FIELDS,
  FACTS,
  REFERENCE_FIELDS,
  STORED_CARD_FIELDS,
  THREE_D_SECURE_FIELDS,
} from '@railyard/core/payment';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GivenCatalogue } from '../../src/index.ts';
import { type AcquirerService, acquirerService, startMandate, payOrder, told } from '../support/acquirer-service.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { CARD } from '../support/card-service.ts';
import { merchant } from '../support/service.ts';

const SWITCHED = [...REFERENCE_FIELDS, ...STORED_CARD_FIELDS, ...THREE_D_SECURE_FIELDS];
const ALL = { callbackData: SWITCHED, statusData: SWITCHED };
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

type Switches = Pick<GivenCatalogue['merchants'][number], 'callbackData' | 'statusData'>;

const configure = (switches: Switches) =>
  service.configure((merchants) => merchants.map((each) => ({ ...each, ...switches })));

const ofFacts = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => FACTS.some((fact) => fact === name)));

async function statusOf(number: string) {
  return ofFacts(Object([await service.byOrder(number, '1')].flat()[0]));
}

/** The facts in the callback of an order, and in its status. */
async function factsOf(number: string, fits: Readonly<Record<string, string>> = { order_status: 'settled' }) {
  const fields = await told(service, number, fits);
  expect(fields['hash']).toBe(callbackHashOf(fields, merchant.password));
  return { callback: ofFacts(fields), status: await statusOf(number) };
}

describe('the facts of a payment by card', () => {
  test('are in no callback and no status unless they are switched on', async () => {
    await configure({ callbackData: [], statusData: [] });
    expect(await factsOf(await payOrder(service, { recurring_init: true }))).toEqual({ callback: {}, status: {} });
  });

  test('are all in both where they are switched on', async () => {
    await configure(ALL);
    const { callback, status } = await factsOf(await payOrder(service, { recurring_init: true }));
    expect(callback).toEqual({
      arn: expect.stringMatching(/^\d{23}$/),
      rrn: expect.stringMatching(/^\d{12}$/),
      approval_code: expect.stringMatching(/^\d{6}$/),
      issuer_country: 'US',
      issuer_bank: 'Example Bank',
      initiator: 'payer',
      source: 'entered',
      sequence: 'first',
      threeDSServerTransID: expect.stringMatching(UUID),
      dsTransID: expect.stringMatching(UUID),
      acsTransID: expect.stringMatching(UUID),
      xid: expect.stringMatching(/^\d{20}$/),
      transStatus: 'Y',
      eci: '05',
      protocolVersion: '2.2.0',
      authenticationFlow: 'Frictionless',
    });
    expect(status).toEqual(callback);
  });

  test.each(SWITCHED.filter((name) => name !== 'transStatusReason'))(
    '%s has a switch of its own for callbacks, and one for status',
    async (name) => {
      const only = { [name]: expect.stringMatching(/./) };
      await configure({ callbackData: [name], statusData: [] });
      expect(await factsOf(await payOrder(service, { recurring_init: true }))).toEqual({ callback: only, status: {} });
      await configure({ callbackData: [], statusData: [name] });
      expect(await factsOf(await payOrder(service, { recurring_init: true }))).toEqual({ callback: {}, status: only });
    },
  );

  test('say of a decline why 3-D Secure failed; ARN and RRN are empty in the callback and absent of the status', async () => {
    await configure(ALL);
    service.state.answer = ({ url }) =>
      url.endsWith('/v1/sales')
        ? {
            status: 402,
            body: {
              id: 'pay-n',
              status: 'DECLINED',
              amount: 1000,
              currency: 'USD',
              response_code: '1A',
              three_d_secure: { status: 'N', status_reason: '01', eci: '07', flow: 'Challenge' },
            },
          }
        : undefined;
    const number = await payOrder(service);
    service.state.answer = () => undefined;
    const secure = { transStatus: 'N', transStatusReason: '01', eci: '07', authenticationFlow: 'Challenge' };
    expect(await factsOf(number, { order_status: 'decline' })).toEqual({
      callback: { arn: '', rrn: '', ...secure },
      status: secure,
    });
  });

  test('that cannot be read are left out, and the payment counts', async () => {
    await configure(ALL);
    service.state.answer = ({ url }) =>
      url.endsWith('/v1/sales')
        ? {
            status: 201,
            body: { id: 'pay-odd', status: 'APPROVED', amount: 1000, currency: 'USD', arn: 7, three_d_secure: 'yes' },
          }
        : undefined;
    const number = await payOrder(service);
    service.state.answer = () => undefined;
    expect(await factsOf(number)).toEqual({ callback: { arn: '', rrn: '' }, status: {} });
  });

  test('name the exchange that the acquirer applied, without a switch', async () => {
    await configure({ callbackData: [], statusData: [] });
    const number = await payOrder(service, {}, { currency: 'EUR' });
    expect((await factsOf(number)).callback).toEqual({
      exchange_rate: '1.00',
      exchange_rate_base: '1.00',
      exchange_currency: 'USD',
      exchange_amount: '10.00',
    } satisfies Record<(typeof EXCHANGE_FIELDS)[number], string>);
  });
});

describe('what is not the first payment with a card', () => {
  test('a refund has numbers of its own, and its callback leaves those of the payment out', async () => {
    await configure(ALL);
    const number = await payOrder(service);
    const sale = await told(service, number, { order_status: 'settled' });
    await service.refund(sale['id'] ?? '', '10.00');
    const { callback, status } = await factsOf(number, { type: 'refund', status: 'success' });
    expect(callback).toEqual({
      arn: expect.stringMatching(/^\d{23}$/),
      rrn: expect.stringMatching(/^\d{12}$/),
    });
    expect(callback['arn']).not.toBe(sale['arn']);
    expect(status['arn']).toBe(sale['arn']);
  });

  test('a later charge is the merchant’s, with a stored card', async () => {
    await configure(ALL);
    const { mandate } = await startMandate(service);
    const order = { number: `later-${process.pid}`, amount: '3.00', description: 'A later charge' };
    await service.recurring(mandate, order);
    const { callback, status } = await factsOf(order.number, { type: 'recurring', order_status: 'settled' });
    expect(callback).toMatchObject({ initiator: 'merchant', source: 'stored', sequence: 'subsequent' });
    expect(callback).toMatchObject({ arn: expect.stringMatching(/^\d{23}$/) });
    expect(callback).not.toHaveProperty('transStatus');
    expect(status).toEqual(callback);
  });

  test('a saved card is used again by the payer', async () => {
    await configure(ALL);
    const first = await payOrder(service, { req_token: true });
    const { card_token = '' } = await told(service, first, { order_status: 'settled' });
    const { 'card.cvv': cvv } = CARD;
    const number = await payOrder(service, { card_token: [card_token] }, {}, { 'card.saved': '0', 'card.cvv': cvv });
    const { callback, status } = await factsOf(number);
    expect(callback).toMatchObject({ initiator: 'payer', source: 'stored', sequence: 'subsequent' });
    expect(status).toEqual(callback);
  });

  test('a payment that stores no card and uses none has no such fields', async () => {
    await configure(ALL);
    const { callback } = await factsOf(await payOrder(service));
    for (const name of STORED_CARD_FIELDS) expect(callback).not.toHaveProperty(name);
  });

  test('a capture reports the facts of its payment, without empty ones', async () => {
    await configure(ALL);
    const number = await payOrder(service, { auth: true });
    const { id = '' } = await told(service, number, { order_status: 'pending', status: 'success' });
    await service.capture(id, '10.00');
    const { callback } = await factsOf(number, { type: 'capture', status: 'success' });
    expect(callback).toMatchObject({ arn: expect.stringMatching(/^\d{23}$/), transStatus: 'Y' });
    expect(Object.values(callback)).not.toContain('');
  });
});
