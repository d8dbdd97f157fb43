import {
  call,
  collect,
  credential,
  decimal,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  money,
  pending,
  secret,
  statusTable,
  visit,
} from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';
import { compactId } from '@railyard/core/formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { preview, type PreviewedRequest, type Run } from '../src/index.ts';

const settings = z.object({
  base_url: z.url(),
  shop: z.string(),
  keys: z.object({ id: z.string(), secret: secret(z.string(), 'Secret').transform((text) => text.trim()) }),
  picky: secret(z.string(), 'Picky').optional(),
});
const source = 'this test';
const { endpoint } = providerApi(settings, { source });

const authenticate = endpoint({
  name: 'authenticate',
  method: 'POST',
  path: '/token',
  repeat: 'safe',
  request: (_input: void, { settings: { keys } }) => ({ form: { id: keys.id, basic: `${keys.id}:${keys.secret}` } }),
  reply: z.object({ token: z.string() }),
  examples: [{ body: { token: 'tok-1' }, source }],
});

const reserve = endpoint({
  name: 'reserve',
  method: 'POST',
  path: '/shops/{shop}/reservations',
  repeat: 'keyed',
  request: (
    input: { token: string; amount: string; currency: string; note: string | undefined },
    { settings, key },
  ) => ({
    params: { shop: settings.shop },
    headers: { authorization: `Bearer ${input.token}`, 'idempotency-key': key },
    json: { amount: input.amount, currency: input.currency, note: input.note, channel: 'web', list: [1, true, null] },
  }),
  replies: { ok: { status: 200, body: z.object({ id: z.string() }) } },
  examples: [{ is: 'ok', body: { id: 'r-1', more: 'dropped' }, source }],
});

const pay = endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'once',
  request: (input: { id: string; number: CardHandle; expiry: string; code: string; pin: string }) => ({
    json: {
      reservation: input.id,
      card: { number: input.number, expiry: input.expiry },
      code: input.code,
      pin: input.pin,
    },
  }),
  reply: z.object({ id: z.string() }),
  examples: [{ body: { id: 'p-1' }, source }],
});

const method = defineMethod({
  key: 'm',
  title: 'M',
  operations: {
    purchase: {
      parameters: z.strictObject({
        store: z.string(),
        branch: field(z.string(), { label: 'Branch', sources: ['mid'] }),
        document: field(z.string().regex(/^\d{4}$/), { label: 'Document', sources: ['payer'] }),
        kind: z.string().default('once'),
        pin: secret(z.string(), 'Pin'),
      }),
      card: true,
      completion: ['collect'],
    },
  },
});

const connector = defineConnector({
  id: 'c',
  contract: 1,
  version: '1.0.0',
  title: 'C',
  settings,
  baseUrl: (of) => of.base_url,
  endpoints: [authenticate, reserve, pay],
  statuses: statusTable({}),
  serves: (serve) => [
    serve(method, {
      *purchase({ payment, urls }) {
        const { store, branch, document, kind, pin } = payment.parameters;
        // A flow that checks its values, so that a change of the wrong form sends nothing.
        if (document.length !== 4) return declined('hard', 'declined_by_provider', { reason: 'No.' });
        const { token } = yield* credential(authenticate);
        const note = `${store}/${branch}/${document}/${kind}/${compactId(payment.merchantReference)}/${urls.notify}`;
        const { amount } = payment;
        const reserved = yield* call(reserve, { token, amount: decimal(amount), currency: amount.currency, note });
        yield* credential(authenticate);
        const answer = yield* collect({
          fields: z.strictObject({ code: field(z.string(), { label: 'Code' }), seen: z.string() }),
        });
        const { number, expiryMonth, expiryYear } = payment.card;
        const expiry = `${expiryMonth}/${expiryYear}`;
        const paid = yield* call(pay, { id: reserved.body.id, number, expiry, code: answer.code, pin });
        yield* visit({
          purpose: 'pay',
          url: 'https://bank.example',
          reference: paid.id,
          until: z.object({ ok: z.string() }),
        });
        return pending(paid.id);
      },
    }),
  ],
});

const card = {
  number: new CardHandle('number'),
  cvv: new CardHandle('cvv'),
  expiryMonth: '11',
  expiryYear: '2031',
  holder: 'Ann Lee',
};

function runOf(more: Partial<Record<'picky' | 'secret', string>> = {}, of = connector): Run {
  const mid = {
    base_url: 'https://provider.example',
    shop: 's-9',
    keys: { id: 'client', secret: more.secret ?? 'hush-hush' },
    ...(more.picky !== undefined && { picky: more.picky }),
  };
  const payment = {
    id: '7b0c6a52-6c55-4b8e-9a53-0f6c0a9d1c11',
    merchantReference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a1c',
    operation: 'purchase',
    amount: money('25.00', 'USD'),
    order: { number: 'order-1', currency: 'USD', description: 'Two tickets' },
    card,
    test: true,
    variant: undefined,
    parameters: { store: 'north', branch: '1001', document: '1234', kind: 'once', pin: '0000' },
    needed: {},
  };
  const urls = { notify: 'https://pay.example/n', return: 'https://pay.example/r' };
  const context = { payment, settings: mid, now: '2026-11-21T10:00:00Z', urls };
  return { id: 'run-1', connector: of, method, flow: 'purchase', settings: mid, mid: 'm1', context };
}

const options = {
  origins: { store: 'session', branch: 'mid', document: 'payer', kind: 'default', pin: 'session' },
  answers: { signals: { collect: { code: '123456', seen: 'x' } } },
} as const;

const rows = (requests: readonly PreviewedRequest[]) =>
  requests.map(({ step, values }) => [
    step,
    values.map(({ place, value, from }) => `${place} = ${value} < ${from.join(', ')}`),
  ]);

describe('a preview', () => {
  test('shows every request, each value with what it was made from', () => {
    const { requests, end } = preview(runOf(), options);
    expect(rows(requests)).toEqual([
      [
        'authenticate',
        ['form.id = client < settings.keys.id', 'form.basic = ••• < settings.keys.id, settings.keys.secret'],
      ],
      [
        'reserve',
        [
          'params.shop = s-9 < settings.shop',
          'headers.authorization = ••• < reply of authenticate: token',
          expect.stringMatching(/^headers\.idempotency-key = [0-9a-f-]{36} < step key$/),
          'json.amount = 25.00 < order.amount',
          'json.currency = USD < order.currency',
          'json.note = north/1001/1234/once/0b5cdb2e0d6c4a0f9b576c2f0d8e4a1c/https://pay.example/n < merchantReference, ' +
            'parameters.m.store (session), parameters.m.branch (mid), parameters.m.document (payer), ' +
            'parameters.m.kind (default), urls.notify',
          'json.channel = web < ',
          'json.list.0 = 1 < ',
          'json.list.1 = true < ',
          'json.list.2 = null < ',
        ],
      ],
      [
        'pay',
        [
          'json.reservation = r-1 < reply of reserve: id',
          'json.card.number = ••• < card.number',
          'json.card.expiry = ••• < card.expiryMonth, card.expiryYear',
          'json.code = 123456 < answer to collect: code',
          'json.pin = ••• < parameters.m.pin (session)',
        ],
      ],
    ]);
    expect(requests[1]).toMatchObject({ endpoint: 'reserve', method: 'POST', path: '/shops/{shop}/reservations' });
    expect(end).toBe("the payer's next action: visit");
  });

  test('asks for a credential once, as the run does', () => {
    expect(preview(runOf(), options).requests.map(({ step }) => step)).toEqual(['authenticate', 'reserve', 'pay']);
  });

  test('is the same twice', () => {
    expect(preview(runOf(), options)).toEqual(preview(runOf(), options));
  });

  test('ends at the payer’s next action where no answer is given', () => {
    const { requests, end } = preview(runOf());
    expect(requests.map(({ step }) => step)).toEqual(['authenticate', 'reserve']);
    expect(end).toBe("the payer's next action: collect");
  });

  test('goes to the outcome with every answer, and takes the replies that the caller gives', () => {
    const answers = { replies: { pay: { id: 'mine' } }, signals: { ...options.answers.signals, visit: { ok: 'y' } } };
    expect(preview(runOf(), { answers }).end).toBe('pending');
  });

  test('reads no inherited property as an answer', () => {
    const named = defineConnector({
      ...connector,
      settings,
      endpoints: [],
      serves: (serve) => [
        serve(method, {
          *purchase() {
            yield* collect({ step: 'constructor', fields: z.strictObject({}) });
            return pending('p');
          },
        }),
      ],
    });
    expect(preview(runOf({}, named)).end).toBe("the payer's next action: constructor");
  });
});

describe('secrets', () => {
  const texts = (run: Run) => JSON.stringify(preview(run, options));

  test('and cards never stand in a preview', () => {
    const text = texts(runOf());
    for (const hidden of ['hush-hush', 'tok-1', '0000', '2031', '[card.number]']) expect(text).not.toContain(hidden);
  });

  test('of which no other can be tried hide every value', () => {
    const strict = endpoint({
      name: 'strict',
      path: '/',
      repeat: 'safe',
      request: (_input: void, { settings: { picky = '' } }) => {
        if (picky !== 'only-this') throw new Error('No such key.');
        return { headers: { key: `k-${picky}` }, query: { constant: 'c' } };
      },
      reply: z.object({}),
    });
    const fussy = defineConnector({
      ...connector,
      settings,
      endpoints: [strict],
      serves: (serve) => [
        serve(method, {
          *purchase() {
            yield* call(strict, undefined);
            return pending('p');
          },
        }),
      ],
    });
    const { requests, end } = preview(runOf({ picky: 'only-this' }, fussy));
    expect(rows(requests)).toEqual([['strict', ['query.constant = ••• < ', 'headers.key = ••• < ']]]);
    expect(end).toBe('strict has no example');
  });
});

test('a flow that the connector does not have cannot be previewed', () => {
  expect(() => preview({ ...runOf(), flow: 'refund' })).toThrow('Connector c does not support refund for m.');
});
