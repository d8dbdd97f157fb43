import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  address,
  authorized,
  confirmOnDevice,
  declined,
  defineConnector,
  linkSent,
  money,
  notificationsFor,
  oneCall,
  type Outcome,
  paymentDetails,
  pending,
  type ProviderEvent,
  qr,
  redirect,
  settled,
  type Show,
  statusTable,
  type Steps,
  unknown,
  voucher,
  amountFields,
  amountOf,
  withAmount,
} from '../../src/index.ts';
import { CardHandle, CONTRACT_VERSION, eventKey } from '../../src/driver.ts';
import { MAX_TIMEOUT_MS } from '../../src/connector/endpoint.ts';
import { connector, createCharge, declaration, endpoint, getCharge, method, statuses } from './support.ts';

const ten = money('10.00', 'USD');
const facts = { providerReference: 'r-1', amount: ten };

describe('a status table', () => {
  test.for<[string, Outcome]>([
    ['PAID', { status: 'settled', providerReference: 'r-1', amount: ten, provider: { status: 'PAID' } }],
    ['HELD', { status: 'authorized', providerReference: 'r-1', amount: ten, provider: { status: 'HELD' } }],
    ['OPEN', { status: 'pending', providerReference: 'r-1', provider: { status: 'OPEN' } }],
    [
      'GONE',
      {
        status: 'declined',
        kind: 'soft',
        code: 'expired',
        reason: 'It expired.',
        providerReference: 'r-1',
        provider: { status: 'GONE' },
      },
    ],
  ])('reads %s and keeps the provider’s word', ([word, outcome]) => {
    expect(statuses.read({ ...facts, word })).toEqual(outcome);
  });

  test.for(['paid', ' PAID', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'does not know %j, which is neither pending nor declined',
    (word) => {
      expect(statuses.read({ ...facts, word })).toEqual({
        status: 'unknown',
        why: `The provider answered the unknown status "${word}".`,
        providerReference: 'r-1',
        provider: { status: word },
      });
    },
  );

  test('gives unknown for every word but its own', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        const known = Object.hasOwn(statuses.rows, word);
        expect(statuses.read({ ...facts, word }).status === 'unknown').toBe(!known);
      }),
    );
  });

  test('passes on code, text, what to show and what to keep', () => {
    const show = qr({ content: 'x' });
    expect(
      statuses.read({ ...facts, word: 'OPEN', show, code: '00', message: 'Ok', agreement: { token: 't' } }),
    ).toEqual({
      status: 'pending',
      providerReference: 'r-1',
      show,
      provider: { status: 'OPEN', code: '00', message: 'Ok' },
      agreement: { token: 't' },
    });
  });

  test('may name a word that objects inherit', () => {
    expect(
      statusTable(Object.fromEntries([['constructor', 'settled' as const]])).read({ ...facts, word: 'constructor' })
        .status,
    ).toBe('settled');
  });
});

test('outcomes carry what they are made of and nothing else', () => {
  expect([
    settled('r', ten),
    authorized('r', ten, { connectorState: { a: 'b' } }),
    pending('r'),
    pending('r', qr({ content: 'x' })),
    declined('hard', 'not_supported'),
    declined('soft', 'declined_by_provider', { reason: 'No.', providerReference: 'r', provider: { code: '51' } }),
    unknown('Why.'),
    unknown('Why.', { providerReference: 'r' }),
  ]).toEqual([
    { status: 'settled', providerReference: 'r', amount: ten },
    { status: 'authorized', providerReference: 'r', amount: ten, connectorState: { a: 'b' } },
    { status: 'pending', providerReference: 'r' },
    { status: 'pending', providerReference: 'r', show: { kind: 'qr', content: 'x', copy: true } },
    {
      status: 'declined',
      kind: 'hard',
      code: 'not_supported',
      reason: 'The payment cannot be made in this way.',
    },
    {
      status: 'declined',
      kind: 'soft',
      code: 'declined_by_provider',
      reason: 'No.',
      providerReference: 'r',
      provider: { code: '51' },
    },
    { status: 'unknown', why: 'Why.' },
    { status: 'unknown', why: 'Why.', providerReference: 'r' },
  ]);
});

const validUntil = '2026-11-21T12:00:00Z';

describe('a reply', () => {
  const reply = withAmount(z.object({ id: z.string(), ...amountFields }));
  const read = (amount: unknown, currency = 'USD') => reply.safeParse({ id: 'r', amount, currency });

  test.for<[unknown, string]>([
    ['10.50', '10.50'],
    ['10.5000', '10.50'],
    ['1e1', '10.00'],
    [10, '10.00'],
  ])('with the amount %j says %s', ([amount, expected]) => {
    const { data } = read(amount);
    expect(data && amountOf(data).text).toBe(expected);
  });

  test.for<[unknown, string]>([
    ['10.505', 'USD'],
    ['10.50', 'QQQ'],
    ['10.50', 'XOF'],
    ['ten', 'USD'],
    ['-1', 'USD'],
    [-1, 'USD'],
    [10.5, 'USD'],
  ])('with the amount %j %s is not understood', ([amount, currency]) => {
    expect(read(amount, currency).success).toBe(false);
  });
});

test.for<[Show, Show]>([
  [qr({ content: 'x' }), { kind: 'qr', content: 'x', copy: true }],
  [qr({ content: 'x', copy: false, validUntil }), { kind: 'qr', content: 'x', copy: false, validUntil }],
  [redirect({ url: 'https://a' }), { kind: 'redirect', url: 'https://a', surface: 'page' }],
  [redirect({ url: 'app:a', surface: 'app' }), { kind: 'redirect', url: 'app:a', surface: 'app' }],
  [voucher({ reference: 'r', document: 'd' }), { kind: 'voucher', reference: 'r', document: 'd' }],
  [paymentDetails({ beneficiary: undefined, details: [] }), { kind: 'payment-details', details: [] }],
  [paymentDetails({ beneficiary: 'Shop', details: [] }), { kind: 'payment-details', beneficiary: 'Shop', details: [] }],
  [confirmOnDevice({ channel: 'stk' }), { kind: 'confirm-on-device', channel: 'stk' }],
  [linkSent({ channel: 'sms', validUntil }), { kind: 'link-sent', channel: 'sms', validUntil }],
  [address({ address: 'a', asset: 'BTC' }), { kind: 'address', address: 'a', asset: 'BTC' }],
])('what is shown is plain data: %j', ([made, expected]) => {
  expect(made).toEqual(expected);
});

describe('a connector', () => {
  const nothing = () => [];

  test('keeps what was declared, with its methods and flows', () => {
    expect(connector).toMatchObject({ id: 'c', contract: CONTRACT_VERSION, version: '1.2.3', serves: [{ method }] });
    expect(connector.baseUrl({ base_url: 'https://a', api_key: 'k' })).toBe('https://a');
    expect(connector).not.toHaveProperty('notifications');
  });

  test('of another contract is refused with what to do', () => {
    // @ts-expect-error -- a connector of another contract does not compile, but may be installed
    expect(() => defineConnector({ ...declaration, contract: 2, serves: nothing })).toThrow(
      'Connector c is written for contract 2; this core speaks contract 1. Install a version of the connector for it.',
    );
  });

  test('with two endpoints of one name is refused', () => {
    const endpoints = [getCharge, createCharge, getCharge];
    expect(() => defineConnector({ ...declaration, endpoints, serves: nothing })).toThrow(
      'Connector c declares the endpoint "get-charge" twice',
    );
  });

  test('that serves a method twice is refused', () => {
    expect(() =>
      defineConnector({ ...declaration, serves: (serve) => [serve(method, {}), serve(method, {})] }),
    ).toThrow('declares the method "m" twice');
  });

  test.for(['sale', 'constructor', 'toString', 'captures'])('with a flow called %s is refused', (name) => {
    const serves = () => [{ method, flows: { [name]: () => undefined } }];
    expect(() => defineConnector({ ...declaration, serves })).toThrow(`Connector c has a flow "${name}"`);
  });

  test('whose lost requests are found by a call that changes something is refused', () => {
    const create = endpoint({
      name: 'create',
      path: '/',
      repeat: 'by-reference',
      request: (_input: string) => ({}),
      find: { endpoint: createCharge, input: () => ({ amount: '1' }), read: () => 'absent' },
      reply: z.object({}),
    });
    expect(() => defineConnector({ ...declaration, endpoints: [create], serves: nothing })).toThrow(
      '"create" is found by "create-charge", which must be declared safe',
    );
  });
});

describe('an endpoint', () => {
  test('is a GET of JSON that is given 15 seconds, unless it says otherwise', () => {
    expect(getCharge).toMatchObject({
      method: 'GET',
      codec: 'json',
      timeoutMs: 15_000,
      plain: true,
      examples: [],
      visible: [],
      variants: { ok: { status: [200, 201, 202] } },
    });
    expect(getCharge).not.toHaveProperty('find');
    expect(createCharge).toMatchObject({ method: 'POST', plain: false, variants: { refused: { status: [402, 422] } } });
  });
});

describe('the timeout of an endpoint', () => {
  const slow = (timeoutMs: number) =>
    endpoint({ name: 'slow', path: '/', repeat: 'safe', timeoutMs, request: () => ({}), reply: z.object({}) });

  test('may be as long as the host holds a step, and no longer', () => {
    expect(slow(MAX_TIMEOUT_MS).timeoutMs).toBe(45_000);
    expect(() => slow(45_001)).toThrow('Endpoint "slow" has a timeoutMs of 45001; at most 45000 is possible.');
  });
});

describe('a flow of one call', () => {
  const payment = { amount: ten, merchantReference: 'a-1' };

  test('sends what it builds and reads the reply', () => {
    const flow: Steps<unknown> | undefined = connector.serves[0]?.flows.purchase?.({ payment });
    expect(flow?.next().value).toEqual({
      kind: 'call',
      step: 'create-charge',
      endpoint: createCharge,
      input: { amount: '10.00' },
    });
    expect(flow?.next({ reply: 'created', body: { id: 'c-1', status: 'PAID' } })).toMatchObject({
      done: true,
      value: { status: 'settled', providerReference: 'c-1', amount: ten },
    });
  });

  test('may end in a decline that the provider answered', () => {
    const flow = connector.serves[0]?.flows.purchase?.({ payment });
    flow?.next();
    expect(flow?.next({ reply: 'refused', body: { code: 51 } }).value).toEqual({
      status: 'declined',
      kind: 'hard',
      code: 'declined_by_provider',
      reason: 'Refused with 51.',
    });
  });
});

test('an event has one key however often it is reported; a deposit has one per stage', () => {
  const base = { id: 'e-1', providerReference: 'r-1' };
  const events: ProviderEvent[] = [
    { ...base, kind: 'payment', outcome: settled('r-1', ten) },
    { ...base, kind: 'refund', outcome: settled('r-1', ten) },
    { ...base, kind: 'deposit', amount: ten, confirmed: false },
    { ...base, kind: 'deposit', amount: ten, confirmed: true },
  ];
  expect(events.map(eventKey)).toEqual(['payment/e-1', 'refund/e-1', 'deposit/e-1/unconfirmed', 'deposit/e-1']);
});

describe('a card handle', () => {
  const number = new CardHandle('number');

  test('never becomes a text by accident', () => {
    expect(() => `${number}`).toThrow('card.number is a handle');
    expect(() => String(number)).toThrow('card.number is a handle');
    expect(JSON.stringify({ number })).toBe('{"number":"[card.number]"}');
  });

  test('is recognised across copies of core, and nothing else is', () => {
    const other = { part: 'cvv', [Symbol.for('railyard.card-handle')]: true };
    expect([number, other, {}, null, 'card.number', undefined].map(CardHandle.is)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a connector whose provider answers no lookups', () => {
  const notifications = (verify: 'token' | 'none') =>
    notificationsFor(declaration.settings)({
      verify:
        verify === 'token'
          ? { scheme: 'shared-secret', header: 'x-token', value: ({ api_key }) => api_key }
          : { scheme: 'unsigned', confirm: 'status' },
      codec: 'json',
      body: z.object({}),
      events: () => [],
    });
  const declaring = (verify: 'token' | 'none', flows: object = {}) =>
    defineConnector({
      ...declaration,
      lookups: 'none',
      notifications: notifications(verify),
      serves: (serve) => [serve(method, flows)],
    });

  test('says so, and has notifications that are proven', () => {
    expect(declaring('token').lookups).toBe('none');
    expect(() => declaring('none')).toThrow('Then its notifications have to be proven.');
    expect(() => defineConnector({ ...declaration, lookups: 'none', serves: () => [] })).toThrow('have to be proven');
  });

  test('has no flow that looks up', () => {
    const status = oneCall(
      getCharge,
      () => 'c-1',
      () => unknown('It was not asked.'),
    );
    expect(() => declaring('token', { status })).toThrow('Leave one of both out.');
  });
});
