import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import type { HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { paypalConnector as connector } from '../src/index.ts';
import {
  absent,
  approved,
  authorization,
  authorized,
  capture,
  captured,
  captureOfHold,
  created,
  events,
  orderWith,
  ORDER,
  refund,
  refused,
  voided,
} from '../src/paypal.samples.ts';
import { act, buy, lookUp, MODIFICATION } from './support/paypal.ts';

const facts = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`official/${name}.json`, import.meta.url), 'utf8'));
const orders = facts('paypal-orders');
const payments = facts('paypal-payments');
// Each is compiled once, because that takes longer than all that is held against it.
const official = { orders: checkAgainst(orders), payments: checkAgainst(payments) };
const of = (path: string) => (path.startsWith('/v2/payments/') ? official.payments : official.orders);

/** Requests of both descriptions; tokens are OAuth's. */
const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked
    .filter(({ url }) => !url.endsWith('/v1/oauth2/token'))
    .map(({ method, url, headers, body }) => ({
      method,
      path: new URL(url).pathname,
      headers,
      ...(body !== undefined && { body: JSON.parse(body) }),
    }));

describe('every request of every flow is what the official descriptions say', () => {
  const long = { order: { number: 'order-1', amount: '10.00', currency: 'USD', description: 'x'.repeat(1024) } };
  const forint = { order: { ...long.order, amount: '1000.00', currency: 'HUF' } };
  const flows: readonly (readonly [string, () => Promise<{ asked: readonly HttpRequest[] }>, number])[] = [
    [
      'a sale',
      () =>
        buy([
          [201, created],
          [201, captured],
        ]),
      2,
    ],
    [
      'a sale with a long description',
      () =>
        buy(
          [
            [201, created],
            [201, captured],
          ],
          long,
        ),
      2,
    ],
    ['a sale in a currency that PayPal counts without decimals', () => buy([[400, refused]], forint), 1],
    [
      'a hold',
      () =>
        buy(
          [
            [201, created],
            [201, authorized],
          ],
          { auth: true },
        ),
      2,
    ],
    ['a refused order', () => buy([[400, refused]]), 1],
    ['a lookup', () => lookUp([[200, captured]]), 1],
    ['a capture of a hold', () => act('capture', [[201, { ...captureOfHold, invoice_id: MODIFICATION }]]), 1],
    ['a void of a hold', () => act('void', [[200, voided]]), 1],
    ['a refund', () => act('refund', [[201, { ...refund, invoice_id: MODIFICATION }]]), 1],
    ['the lookup of a refund', () => act('modificationStatus', [[200, captured]]), 1],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const sent = sentOf((await sends()).asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => of(each.path).request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await buy([[400, refused]])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.looseObject({ purchase_units: z.tuple([z.looseObject({})]) }).parse(sent.body);
    const [unit] = body.purchase_units;
    const offences = (change: object) => of(sent.path).request({ ...sent, body: { ...body, ...change } });
    const ofUnit = (change: object) => offences({ purchase_units: [{ ...unit, ...change }] });
    expect(offences({})).toEqual([]);
    expect(offences({ intent: 'SALE' })).toHaveLength(1);
    expect(offences({ intent: undefined })).toEqual([expect.stringContaining("'intent'")]);
    expect(offences({ notify_url: 'https://pay.example' })).toEqual([expect.stringContaining('(notify_url)')]);
    expect(ofUnit({ amount: { currency_code: 'USD', value: 10 } })).not.toEqual([]);
    expect(ofUnit({ amount: { currency_code: 'DOLLARS', value: '10.00' } })).not.toEqual([]);
    expect(ofUnit({ description: 'x'.repeat(128) })).toEqual([expect.stringContaining('description')]);
    expect(of(sent.path).request({ ...sent, headers: { ...sent.headers, prefer: 'return representation' } })).toEqual([
      expect.stringContaining('Prefer'),
    ]);
    expect(of(sent.path).request({ ...sent, method: 'PUT' })).toEqual([expect.stringContaining('no such operation')]);
  });

  it('a refund that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await act('refund', [[201, { ...refund, invoice_id: MODIFICATION }]])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const offences = (body: unknown) => of(sent.path).request({ ...sent, body });
    expect(offences({ amount: { value: '3.00' } })).toEqual([expect.stringContaining("'currency_code'")]);
    expect(offences({ invoice_id: 'x'.repeat(128) })).toEqual([expect.stringContaining('invoice_id')]);
    expect(offences({ reason: 'Defective' })).toEqual([expect.stringContaining('(reason)')]);
  });
});

/** OAuth's own call, and the question about a notification: neither is in a description. */
const BESIDE = ['token', 'verify-webhook-signature'];

describe('every sample is a reply of the official descriptions', () => {
  const described = connector.endpoints.filter(({ name }) => !BESIDE.includes(name));

  it.each(described)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{id}', ORDER) };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => of(path).reply(at, { status, body }))).toEqual([]);
  });

  it('the other two calls are in no description', () => {
    for (const { method, path } of connector.endpoints.filter(({ name }) => BESIDE.includes(name)))
      for (const each of Object.values(official))
        expect(each.request({ method, path, headers: {} })).toEqual([expect.stringContaining('no such operation')]);
  });

  it('the resources of notifications too, whose events the descriptions do not hold', () => {
    const paths: Readonly<Record<string, string>> = {
      'checkout-order': `/v2/checkout/orders/${ORDER}`,
      capture: `/v2/payments/authorizations/${authorization.id}/capture`,
      authorization: `/v2/payments/authorizations/${authorization.id}/void`,
      refund: `/v2/payments/captures/${capture.id}/refund`,
    };
    for (const { resource_type: type, resource: body } of events) {
      const path = paths[type] ?? '';
      const [method, status] =
        type === 'checkout-order' ? ['GET', 200] : ['POST', type === 'authorization' ? 200 : 201];
      expect(of(path).reply({ method, path }, { status, body }), type).toEqual([]);
    }
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'GET', path: `/v2/checkout/orders/${ORDER}` };
    const reply = (body: unknown, status = 200) => of(at.path).reply(at, { status, body });
    expect(reply(approved)).toEqual([]);
    expect(reply(orderWith('PAID'))).toHaveLength(1);
    expect(reply(orderWith('COMPLETED', { captures: [{ ...capture, status: 'PAID' }] }))).toHaveLength(1);
    expect(reply(orderWith('APPROVED', undefined, { links: [{ rel: 'self' }] }))).toEqual([
      expect.stringContaining("'href'"),
    ]);
    expect(reply({ ...absent, name: 'NOT_FOUND' }, 404)).not.toEqual([]);
  });
});

it('nothing of the descriptions is mended', () => {
  expect([orders.corrections, payments.corrections]).toEqual([[], []]);
});
