import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import type { HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { obUkConnector as connector } from '../src/index.ts';
import { inState, sampleAbsent, sampleConsent, samplePayment, sampleRefusal } from '../src/ob-uk.samples.ts';
import { buy, consented, CONSENT, lookUp, PAYMENT, payersToken, token } from './support/ob-uk.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/ob-uk.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);
const IBAN = [{ type: 'IBAN', identification: 'GB29NWBK60161331926819' }];
const ROLL = [
  { type: 'SORT_CODE', identification: '040004' },
  { type: 'ACCOUNT_NUMBER', identification: '12345678' },
  { type: 'ROLL_NUMBER', identification: '0002' },
];
const payment = [201, samplePayment] as const;
const refused = [400, sampleRefusal] as const;

/** Requests of the API itself; the token endpoint is OAuth's and stands in no operation of the description. */
const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked
    .filter(({ url }) => url.startsWith('https://api.example/'))
    .map(({ method, url, headers, body }) => ({
      method,
      path: new URL(url).pathname,
      headers,
      ...(body !== undefined && { body: JSON.parse(body) }),
    }));

describe('every request of every flow is what the official description says', () => {
  const flows: readonly (readonly [string, () => Promise<{ asked: readonly HttpRequest[] }>, number])[] = [
    ['a payment', () => buy([...consented, payersToken, payment]), 2],
    [
      'a payment to an IBAN',
      () => buy([...consented, payersToken, payment], { parameters: { payee_identifications: IBAN } }),
      2,
    ],
    [
      'a payment to a building society, with a long description',
      () =>
        buy([...consented, payersToken, payment], {
          parameters: { payee_identifications: ROLL },
          more: { order: { number: 'order-1', amount: '10.00', currency: 'GBP', description: 'x'.repeat(200) } },
        }),
      2,
    ],
    ['a refused consent', () => buy([token, refused]), 1],
    ['a refused payment', () => buy([...consented, payersToken, refused]), 2],
    ['the lookup of a consent', () => lookUp([token, [200, sampleConsent]]), 1],
    [
      'the lookup of a payment',
      () => lookUp([token, [200, samplePayment]], { state: { DomesticPaymentId: PAYMENT } }),
      1,
    ],
    ['the lookup of an unknown payment', () => lookUp([token, [400, sampleAbsent]]), 1],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const sent = sentOf((await sends()).asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await buy([...consented, payersToken, payment])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.object({ Data: z.object({ Initiation: z.record(z.string(), z.unknown()) }), Risk: z.unknown() });
    const { Data, Risk } = body.parse(sent.body);
    const offences = (change: object) =>
      official.request({ ...sent, body: { Data: { Initiation: { ...Data.Initiation, ...change } }, Risk } });
    expect(offences({})).toEqual([]);
    expect(offences({ InstructedAmount: { Amount: 10, Currency: 'GBP' } })).toEqual([
      expect.stringContaining('Amount: must be string'),
    ]);
    expect(offences({ InstructedAmount: { Amount: '10', Currency: 'gbp' } })).toHaveLength(1);
    expect(offences({ CreditorAccount: undefined })).toEqual([expect.stringContaining("'CreditorAccount'")]);
    expect(offences({ EndToEndIdentification: 'x'.repeat(36) })).toHaveLength(1);
    expect(offences({ Reference: 'order-1' })).toEqual([expect.stringContaining('additional properties')]);
    const { 'x-jws-signature': _signature, ...headers } = sent.headers;
    expect(official.request({ ...sent, headers })).toEqual([expect.stringContaining('x-jws-signature')]);
    expect(official.request({ ...sent, method: 'PUT' })).toEqual([expect.stringContaining('no such operation')]);
  });
});

describe('every sample is a reply of the official description', () => {
  const api = connector.endpoints.filter(({ path }) => !/token_endpoint|jwks/.test(path));

  it.each(api)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{ConsentId}', CONSENT).replace('{DomesticPaymentId}', PAYMENT) };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'POST', path: '/domestic-payments' };
    expect(official.reply(at, { status: 201, body: inState(samplePayment, 'PAID') })).toHaveLength(1);
    expect(official.reply(at, { status: 201, body: sampleConsent }).length).toBeGreaterThan(0);
    expect(official.reply(at, { status: 422, body: sampleRefusal })).toHaveLength(1);
  });
});

/** Defects of the description, none of which is mended in the facts. */
const DEFECTS = {
  'GET /domestic-payment-consents/{ConsentId}': 'It has no reply for an id that the bank does not know.',
  'GET /domestic-payments/{DomesticPaymentId}': 'It has none either: the adapter takes 400 for it.',
};

it('the description has no reply to an unknown id, and nothing of it is mended', () => {
  expect(facts.corrections).toEqual([]);
  for (const [operation, says] of Object.entries(DEFECTS))
    expect(Object.keys(facts.operations[operation]?.replies ?? {}), says).not.toContain('404');
});

it('the examples of the standard write a remittance text that the description refuses', async () => {
  const [sent] = sentOf((await buy([...consented, payersToken, payment])).asked);
  const text = JSON.stringify(sent?.body).replace('["Two books"]', '"Internal ops code 5120101"');
  expect(
    official.request({
      method: 'POST',
      path: '/domestic-payment-consents',
      headers: {},
      ...sent,
      body: JSON.parse(text),
    }),
  ).toEqual([expect.stringContaining('Unstructured: must be array')]);
});
