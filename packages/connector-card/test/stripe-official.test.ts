import { readFileSync } from 'node:fs';
import { type JsonNumberLiteral, nestBrackets } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';
import { checkAgainst, type Facts, type FactSchema, type SentRequest } from '@railyard/conformance/official';
import type { HttpRequest } from '@railyard/runtime';
import type Stripe from 'stripe';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { stripeConnector as connector } from '../src/index.ts';
import type * as built from '../src/stripe-requests.ts';
import * as samples from '../src/stripe.samples.ts';
import { authentication } from './support/authentication.ts';
import { paymentOf, visa } from './support/rig.ts';
import { CHANGE, exchange, known, OURS, purchase, usd } from './support/stripe-exchange.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/stripe.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);

/** A request as the types see it: what the runtime fills in is text, a number is a number, and a field that is undefined is none. */
type Sent<T> = T extends CardHandle
  ? string
  : T extends JsonNumberLiteral
    ? number
    : T extends readonly (infer Each)[]
      ? Sent<Each>[]
      : T extends object
        ? { [K in keyof T]: Sent<T[K]> }
        : T;
type Loose<T> = T extends readonly (infer Each)[]
  ? Loose<Each>[]
  : T extends object
    ? { [K in keyof T]: Loose<T[K]> | undefined }
    : T;
type Unnamed<F extends (...given: never) => object, P> = Exclude<keyof ReturnType<F>, keyof P>;
type Built<F extends (...given: never) => object> = Sent<ReturnType<F>>;

const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked.map(({ method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url);
    // A list of fields to expand may stand in every request; the facts tell lists in forms alone.
    const fields = [...searchParams].filter(([name]) => name !== 'expand[0]');
    const query = fields.length > 0 && { query: Object.fromEntries(fields) };
    const sent = body !== undefined && { body: nestBrackets(Object.fromEntries(new URLSearchParams(body))) };
    return { method, path: pathname, headers, ...query, ...sent };
  });

const method = [200, samples.paymentMethod] as const;
const ok = [200, samples.succeeded] as const;
const about = { payment: known(), id: CHANGE, amount: usd('4.00'), remaining: usd('10.00') };
const address = { address: '510 Townsend St', city: 'San Francisco', state: 'CA', zip: '94103', country: 'US' };
const modification = (name: string, providerReference?: string) => ({
  payment: known(),
  modification: { name, id: CHANGE, amount: usd('10.00'), ...(providerReference && { providerReference }) },
});
const { providerReference: _lost, ...lost } = known();

it('the types of the package take what the builders make, and name all of its fields', () => {
  expectTypeOf<Built<typeof built.cardFields>>().toExtend<Loose<Stripe.PaymentMethodCreateParams>>();
  expectTypeOf<Unnamed<typeof built.cardFields, Stripe.PaymentMethodCreateParams>>().toBeNever();
  expectTypeOf<Built<typeof built.customerFields>>().toExtend<Loose<Stripe.CustomerCreateParams>>();
  expectTypeOf<Unnamed<typeof built.customerFields, Stripe.CustomerCreateParams>>().toBeNever();
  expectTypeOf<Built<typeof built.intentFields>>().toExtend<Loose<Stripe.PaymentIntentCreateParams>>();
  expectTypeOf<Unnamed<typeof built.intentFields, Stripe.PaymentIntentCreateParams>>().toBeNever();
  expectTypeOf<Built<typeof built.payerFields>>().toExtend<Loose<Partial<Stripe.PaymentIntentCreateParams>>>();
  expectTypeOf<Unnamed<typeof built.payerFields, Stripe.PaymentIntentCreateParams>>().toBeNever();
  expectTypeOf<Built<typeof built.captureFields>>().toExtend<Loose<Stripe.PaymentIntentCaptureParams>>();
  expectTypeOf<Unnamed<typeof built.captureFields, Stripe.PaymentIntentCaptureParams>>().toBeNever();
  expectTypeOf<Built<typeof built.refundFields>>().toExtend<Loose<Stripe.RefundCreateParams>>();
  expectTypeOf<Unnamed<typeof built.refundFields, Stripe.RefundCreateParams>>().toBeNever();
  // A field of another type is refused.
  expectTypeOf<{ amount: string; currency: string }>().not.toExtend<Loose<Stripe.PaymentIntentCreateParams>>();
});

describe('every request of every flow is what the types of the package say', () => {
  const flows: readonly (readonly [string, () => ReturnType<typeof exchange>, number])[] = [
    ['a sale', () => purchase({}, [method, ok]), 2],
    [
      'a sale with an address and a text',
      () => purchase({ session: { billing_address: address }, parameters: { descriptor: 'SHOP' } }, [method, ok]),
      2,
    ],
    ['a hold', () => purchase({ session: { auth: true } }, [method, [200, samples.held]]), 2],
    [
      'a first payment of a mandate',
      () => purchase({ session: { recurring_init: true } }, [[200, samples.customer], method, [200, samples.saved]]),
      3,
    ],
    [
      'a payer whom the merchant authenticated',
      () => {
        const done = { ...authentication, cryptogram: new CardHandle('cryptogram') };
        const payment = { ...paymentOf(OURS, { card: visa('03/30') }), authentication: done };
        return exchange('purchase', { payment }, [method, ok]);
      },
      2,
    ],
    ['a saved card', () => purchase({ cardOnFile: true, card: visa('03/30', { stored: true }) }, [method, ok]), 2],
    [
      'a network that the payer chose',
      () => purchase({ card: visa('03/30', { brand: 'cartes_bancaires', coBranded: true }) }, [method, ok]),
      2,
    ],
    ['3-D Secure', () => purchase({}, [method, [200, samples.redirecting], ok]), 3],
    [
      'a later charge',
      () => exchange('recurring', { payment: { ...known(), auth: false }, initial: known() }, [ok]),
      1,
    ],
    [
      'a later hold',
      () => exchange('recurring', { payment: { ...known(), auth: true }, initial: known() }, [[200, samples.held]]),
      1,
    ],
    ['a capture of a part', () => exchange('capture', about, [[200, samples.captured]]), 1],
    ['a capture', () => exchange('capture', { ...about, amount: usd('10.00') }, [[200, samples.captured]]), 1],
    ['a cancel', () => exchange('void', { ...about, held: true }, [[200, samples.canceled]]), 1],
    ['a refund', () => exchange('refund', about, [[200, samples.refund]]), 1],
    ['a lookup', () => exchange('status', { payment: known() }, [ok]), 1],
    ['a lookup by our reference', () => exchange('status', { payment: lost }, [[200, samples.found]]), 1],
    [
      'a lookup of a refund',
      () => exchange('modificationStatus', modification('refund', samples.refund.id), [[200, samples.refund]]),
      1,
    ],
    [
      'a lookup of a refund without a reply',
      () => exchange('modificationStatus', modification('refund'), [[200, samples.refunds]]),
      1,
    ],
    [
      'a lookup of a capture',
      () => exchange('modificationStatus', modification('capture'), [[200, samples.captured]]),
      1,
    ],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const { asked, outcome } = await sends();
    const sent = sentOf(asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
    expect(outcome?.status).toMatch(/^(settled|authorized)$/);
  });

  it('a lookup reports every refund, also one that was made in the dashboard and whose webhook was lost', async () => {
    const [ours] = samples.refunds.data;
    const theirs = { ...ours, id: 're_made_in_the_dashboard', metadata: {} };
    const refunds = { ...samples.refunds, data: [ours, theirs] };
    const latest_charge = { id: samples.succeeded.latest_charge, object: 'charge', disputed: false, refunds };
    const script = [[200, { ...samples.succeeded, latest_charge }]] as const;
    const { report } = await exchange('status', { payment: known() }, script);
    const events = report !== undefined && 'events' in report ? report.events : [];
    expect(events.map(({ kind, id }) => [kind, id])).toEqual([
      ['payment', `${samples.succeeded.id}/settled/10.00`],
      ['refund', `${samples.refund.id}/succeeded`],
      ['refund', 're_made_in_the_dashboard/succeeded'],
    ]);
    // The webhook of one has the same key, so that it is told once.
    expect(events[1]).toMatchObject({ providerReference: samples.succeeded.id, outcome: { status: 'settled' } });
  });

  it('a lookup of a disputed payment asks for its disputes', async () => {
    const script = [
      [200, samples.disputed],
      [200, samples.disputes],
    ] as const;
    const { asked } = await exchange('status', { payment: known() }, script);
    expect(sentOf(asked).map(({ path }) => path)).toEqual([
      `/v1/payment_intents/${samples.succeeded.id}`,
      '/v1/disputes',
    ]);
    expect(sentOf(asked).flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [card, sent] = sentOf((await purchase({}, [method, ok])).asked);
    if (card === undefined || sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ amount: 'ten' })).toEqual([expect.stringContaining('amount')]);
    expect(offences({ currency: undefined })).toEqual([expect.stringContaining('currency')]);
    expect(offences({ confirm: 'yes' })).toEqual([expect.stringContaining('confirm')]);
    expect(offences({ capture_method: 'later' })).toEqual([expect.stringContaining('capture_method')]);
    expect(offences({ reference: 'x' })).toEqual([expect.stringContaining('(reference)')]);
    expect(offences({ payment_method_options: { card: { multicapture: 'never' } } })).toEqual([
      expect.stringContaining('(multicapture)'),
    ]);
    expect(offences({ payment_method_options: { card: { three_d_secure: { eci: '05', version: '2.2.0' } } } })).toEqual(
      [
        expect.stringContaining("'cryptogram'"),
        expect.stringContaining("'transaction_id'"),
        expect.stringContaining('(eci)'),
      ],
    );
    expect(official.request({ ...card, body: { type: 'card', card: { pan: '4242424242424242' } } })).toEqual([
      expect.stringContaining('(pan)'),
    ]);
    expect(official.request({ ...sent, headers: {} })).toHaveLength(3);
    expect(official.request({ ...sent, path: '/v1/charge' })).toEqual([expect.stringContaining('no such operation')]);
  });
});

/** The sample with the fields that the types require and that the connector does not read, with any value of their types. */
function whole(schema: FactSchema, sample: unknown): unknown {
  if (Array.isArray(sample)) return sample.map((each) => whole(Object(schema).items, each));
  const { $ref: ref, required = [], properties = {}, anyOf = [] } = Object(schema);
  if (typeof ref === 'string') return whole(facts.schemas[ref.replace('#/schemas/', '')] ?? {}, sample);
  if (typeof sample !== 'object' || sample === null) return sample;
  const inner = anyOf.find((each: object) => 'properties' in each);
  if (inner !== undefined) return whole(inner, sample);
  const filled = Object.entries(sample).map(([name, each]) => [name, whole(properties[name] ?? {}, each)]);
  const missing = required
    .filter((name: string) => !(name in sample))
    .map((name: string) => [name, anyOfType(properties[name])]);
  return Object.fromEntries([...filled, ...missing]);
}

const VALUES: Readonly<Record<string, unknown>> = { null: null, string: '', number: 0, boolean: false, array: [] };

function anyOfType({ anyOf, type, enum: words, ...rest }: Record<string, unknown>): unknown {
  if (Array.isArray(anyOf)) return anyOfType(anyOf.find((each: { type?: string }) => each.type === 'null') ?? anyOf[0]);
  if (Array.isArray(words)) return words[0];
  return type === 'object' ? whole({ type, ...rest }, {}) : VALUES[String(type)];
}

describe('every sample is an object of the package', () => {
  const bodyOf = (name: string, status: number) => {
    const { replies } = facts.operations[name] ?? {};
    return (replies?.[status] ?? replies?.['default'])?.body ?? {};
  };
  it.each(connector.endpoints)('$name', ({ method: verb, path, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { status = 200, body } of examples)
      expect(
        official.reply({ method: verb, path }, { status, body: whole(bodyOf(`${verb} ${path}`, status), body) }),
      ).toEqual([]);
  });

  it.each(samples.events)('the webhook $type', ({ type, data: { object } }) => {
    const kind = z.object({ object: z.string() }).parse(object).object;
    const body = whole(
      { $ref: `#/schemas/${{ payment_intent: 'PaymentIntent', refund: 'Refund' }[kind] ?? 'Dispute'}` },
      object,
    );
    expect(official.request({ method: 'POST', path: kind, headers: {}, body })).toEqual([]);
    expect(official.request({ method: 'POST', path: 'type', headers: {}, body: type })).toEqual([]);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'POST', path: '/v1/payment_intents' };
    const reply = (change: object) =>
      official.reply(at, {
        status: 200,
        body: whole(facts.schemas['PaymentIntent'] ?? {}, { ...samples.succeeded, ...change }),
      });
    expect(reply({})).toEqual([]);
    expect(reply({ status: 'paid' })).toHaveLength(1);
    expect(reply({ amount: '1000' })).toHaveLength(1);
    expect(official.reply(at, { status: 200, body: samples.succeeded }).length).toBeGreaterThan(10);
    expect(official.request({ method: 'POST', path: 'type', headers: {}, body: 'payment_intent.paid' })).toHaveLength(
      1,
    );
  });
});
