import type { Connector } from '@railyard/core';
import { adyenConnector } from '@railyard/connector-card';
import { btcpayConnector } from '@railyard/connector-crypto';
import { paystackConnector } from '@railyard/connector-mobile-money';
import { bcbConnector } from '@railyard/connector-pix';
import { conektaConnector } from '@railyard/connector-voucher';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connectorOf, loadImported } from './support/imported-connector.ts';
import { callsOf, imported, officialFacts, removeImported } from './support/imported.ts';

afterAll(removeImported);

/** An adapter that people wrote, and the facts of the description that its endpoints are made anew from. */
interface Adapter {
  readonly name: string;
  readonly adapter: Connector;
  readonly facts: string;
  /** Fields that it reads of a reply whose description has none of them: it has one schema for several replies. */
  readonly notDescribed: readonly string[];
}

const ADAPTERS: readonly Adapter[] = [
  {
    name: 'conekta',
    adapter: conektaConnector,
    facts: 'packages/connector-voucher/test/official/conekta.json',
    notDescribed: [],
  },
  {
    name: 'pix-bcb',
    adapter: bcbConnector,
    facts: 'packages/connector-pix/test/official/bcb-pix.json',
    notDescribed: ['PUT /cob/{}', 'PATCH /cob/{}'].flatMap((call) =>
      [
        'pix',
        ...['endToEndId', 'valor', 'devolucoes'].map((field) => `pix.${field}`),
        ...['id', 'natureza', 'rtrId', 'status', 'valor'].map((field) => `pix.devolucoes.${field}`),
      ].map((field) => `${call}: ${field}`),
    ),
  },
  {
    name: 'btcpay',
    adapter: btcpayConnector,
    facts: 'packages/connector-crypto/test/official/btcpay.json',
    notDescribed: [],
  },
  {
    name: 'paystack',
    adapter: paystackConnector,
    facts: 'packages/connector-mobile-money/test/official/paystack.json',
    notDescribed: [
      ...['GET /charge/{}', 'GET /transaction/verify/{}', 'POST /charge', 'POST /charge/submit_otp'].map(
        (call) => `${call}: data.display_text`,
      ),
      ...['GET /charge/{}', 'POST /charge/submit_otp', 'POST /charge/submit_phone'].map((call) => `${call}: data.id`),
    ].toSorted(),
  },
];

/** Of Adyen a reply also has a map, `additionalData`, whose names only its pages list. */
const ADYEN: Adapter = {
  name: 'adyen',
  adapter: adyenConnector,
  facts: 'packages/connector-card/test/official/adyen-checkout.json',
  notDescribed: [],
};

const withoutNames = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** Each kind of reply of the adapter beside those of the same call and statuses that the command wrote. */
async function repliesOf({ name, adapter, facts: path }: Adapter, fields: readonly string[] = []) {
  const facts = callsOf(officialFacts(path));
  const files = await imported(`${name}-${fields.length}`, facts, fields);
  const { endpoints } = connectorOf(await loadImported(files.endpointsFile));
  const calls = adapter.endpoints.filter(({ baseUrl }) => baseUrl === undefined);
  return calls.flatMap(({ method, path: given, variants, examples }) => {
    const call = `${method} ${withoutNames(given)}`;
    const twin = endpoints.find((each) => `${each.method} ${withoutNames(each.path)}` === call);
    if (twin === undefined) throw new Error(`${call} was not imported.`);
    return Object.entries(variants).map(([is, { status, body }]) => {
      const statuses = [status].flat();
      const written = Object.values(twin.variants).filter((each) =>
        [each.status].flat().some((one) => statuses.includes(one)),
      );
      const isGood = statuses.some((each) => each < 300);
      return { call, is, isGood, body, written, samples: examples.filter((each) => (each.is ?? 'ok') === is), twin };
    });
  });
}

/** The fields that a schema reads, dotted and without the places of lists. */
function fieldsOf(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'properties') walk(value, path);
      else
        for (const [name, each] of Object.entries({ ...value })) {
          const at = path === '' ? name : `${path}.${name}`;
          found.add(at);
          walk(each, at);
        }
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }), '');
  return found;
}

const isLeafOf = (all: ReadonlySet<string>) => (name: string) => ![...all].some((each) => each.startsWith(`${name}.`));

describe.each(ADAPTERS)('$name, imported with --fields that the adapter reads', (about) => {
  test('has each of its calls and each of its replies, with the fields that it reads and no others', async () => {
    const read = new Set((await repliesOf(about)).flatMap(({ body }) => [...fieldsOf(body)]));
    const replies = await repliesOf(about, [...read].filter(isLeafOf(read)));
    expect(replies.filter(({ written }) => written.length === 0)).toEqual([]);
    const good = replies
      .filter(({ isGood }) => isGood)
      .map((each) => {
        const names = new Set(each.written.flatMap(({ body }) => [...fieldsOf(body)]));
        return { ...each, names };
      });
    const lacking = good.flatMap(({ call, body, names }) =>
      [...fieldsOf(body)].filter((name) => !names.has(name)).map((name) => `${call}: ${name}`),
    );
    expect([...new Set(lacking)].toSorted()).toEqual([...about.notDescribed].toSorted());
    expect(good.flatMap(({ names }) => [...names].filter((name) => !read.has(name)))).toEqual([]);
    expect(good.length).toBeGreaterThan(3);
  });
});

describe.each([...ADAPTERS, ADYEN])('$name, imported with what its replies must have', (about) => {
  test('takes the samples of the adapter', async () => {
    let fitting = 0;
    for (const { call, is, samples, twin } of await repliesOf(about))
      for (const { status = 200, body } of samples) {
        const variant = Object.values(twin.variants).find((each) => [each.status].flat().includes(status));
        // The adapter reads some refusals that the description does not name.
        if (variant === undefined) continue;
        const issues = variant.body.safeParse(body).error?.issues ?? [];
        expect({ call, is, status, issues }).toMatchObject({ issues: [] });
        fitting += 1;
      }
    expect(fitting).toBeGreaterThan(about.adapter.endpoints.length);
  });
});
