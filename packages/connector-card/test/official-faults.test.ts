import type { ConformanceOptions } from '@railyard/conformance';
import { type Connector, JsonNumberLiteral, readPath, unknown } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Fault, sending, servingOnly } from '../../conformance/test/support/common-faults.ts';
import { lookedUpActions, type Plant, replies, requests } from '../../conformance/test/support/planted.ts';
import { failedAmong, runOnly } from '../../conformance/test/support/run-only.ts';
import { adyenConnector, stripeConnector } from '../src/index.ts';
import { adyenOptions } from './support/adyen-samples.ts';
import { stripeOptions } from './support/stripe-samples.ts';

// The goldens would catch some of the faults too; without them the checks of behaviour have to.
const { goldens: _goldens, sessions, ...given } = adyenOptions;
const samples = [sessions?.card?.purchase ?? []].flat().filter(({ name = '' }) => ['', 'hold'].includes(name));
const options: ConformanceOptions = { ...given, sessions: { card: { purchase: samples } } };
const adapter = servingOnly('card', adyenConnector);

const amount = z.object({ value: z.instanceof(JsonNumberLiteral), currency: z.string() });
type Amount = z.output<typeof amount>;

/** Other amounts in the requests to the endpoints of some names. */
const asking = (names: RegExp, change: (asked: Amount) => Amount): Plant =>
  requests(names, (wire) => {
    const asked = amount.safeParse(readPath(wire.json, 'amount'));
    return asked.success && typeof wire.json === 'object'
      ? { ...wire, json: { ...wire.json, amount: change(asked.data) } }
      : wire;
  });

/** Minor units by a float, cut off: 19.99 times a hundred is 1998.9999999999998. */
const byFloat = ({ value, currency }: Amount): Amount => {
  const float = (Number(value.literal) / 100) * 100;
  return { value: new JsonNumberLiteral(String(Math.trunc(float))), currency };
};

/** The same float as it is. */
const asFloat = ({ value, currency }: Amount): Amount => ({
  value: new JsonNumberLiteral(String((Number(value.literal) / 100) * 100)),
  currency,
});

const FAULTS: readonly Fault[] = [
  ['minor units by a float', 'amounts-reach-the-provider', asking(/./, byFloat)],
  ['minor units that are a float', 'amounts-reach-the-provider', asking(/./, asFloat)],
  [
    'a refund that is always in euros',
    'requests-name-one-currency',
    asking(/^refund$/, ({ value }) => ({ value, currency: 'EUR' })),
  ],
  [
    'a refund of another amount',
    'modifications-reach-the-provider',
    asking(/^refund$/, ({ currency }) => ({ value: new JsonNumberLiteral('100'), currency })),
  ],
  ...[
    { isFinal: 'false' },
    { lastCapture: false },
    { releaseRemaining: false },
    { multicapture: true },
    { completeType: 'NotComplete' },
  ].map((fields): Fault => [JSON.stringify(fields), 'captures-are-final', sending(/^capture$/, fields)]),
  [
    'the rest kept in XML',
    'captures-are-final',
    requests(/^capture$/, (wire) => ({ ...wire, xml: { capture: { '@final': 'false' } } })),
  ],
];

test.each([
  ['an amount', /^capture$/, { finalAmount: '0' }],
  ['a note of the merchant', /^capture$/, { metadata: { finalShipment: false } }],
  ['a capture that says that it is the last', /^capture$/, { isFinal: true, multicapture: false }],
])('%s is no capture that keeps the rest', async (_name, names, fields) => {
  expect(await failedAmong(['captures-are-final'], sending(names, fields)(adapter), options)).toEqual([]);
});

type Verify = NonNullable<Connector['notifications']>['verify'];

const proving =
  (change: (verify: Verify) => Verify): Plant =>
  ({ notifications, ...connector }) =>
    notifications === undefined
      ? connector
      : { ...connector, notifications: { ...notifications, verify: change(notifications.verify) } };

const isHmac = (verify: Verify): verify is Extract<Verify, { scheme: 'hmac' }> => verify.scheme === 'hmac';

/** The simulation signs by the same declaration, so that it makes the same mistake. */
const PROOFS: readonly (readonly [fault: string, adapter: Connector, given: ConformanceOptions, plant: Plant])[] = [
  [
    'in hexadecimal digits',
    adapter,
    options,
    proving((verify) => (isHmac(verify) ? { ...verify, encoding: 'hex' } : verify)),
  ],
  ['by SHA-512', adapter, options, proving((verify) => (isHmac(verify) ? { ...verify, algorithm: 'sha512' } : verify))],
  [
    'in another header',
    servingOnly('card', stripeConnector),
    stripeOptions,
    proving((verify) =>
      isHmac(verify) && verify.header !== undefined ? { ...verify, header: 'x-signature' } : verify,
    ),
  ],
];

test.each(PROOFS)(
  'a signature of notifications %s is caught by its vector',
  async (_fault, connector, given, plant) => {
    expect(await resultOf(connector, given)).toBe('passed');
    expect(await resultOf(plant(connector), given)).toBe('failed');
  },
);

async function resultOf(connector: Connector, given: ConformanceOptions) {
  const [vectors] = await runOnly(connector, given, ({ id }) => id === 'notification-proofs-are-vectors');
  return vectors?.status;
}

test.each(FAULTS)('the adapter of Adyen with %s is caught by %s', async (_fault, check, plant) => {
  expect(await failedAmong([check], adapter, options)).toEqual([]);
  expect(await failedAmong([check], plant(adapter), options)).toEqual([check]);
});

const list = z.object({ data: z.array(z.unknown()) });

/** The text of a lookup that finds nothing shows the key of the account. */
function showingTheKey(connector: Connector): Connector {
  let isEmpty = false;
  const noting = replies(/^list-refunds$/, (body) => {
    isEmpty = list.safeParse(body).data?.data.length === 0;
    return body;
  });
  const key = String(stripeOptions.settings['secret_key']);
  const showing = lookedUpActions((outcome) => (isEmpty ? unknown(`Nothing found with ${key}.`) : outcome));
  return showing(noting(connector));
}

test('the adapter of Stripe with a secret in the text of a list without items is caught by secrets-not-in-outcomes', async () => {
  const check = 'secrets-not-in-outcomes';
  const connector = servingOnly('card', stripeConnector);
  expect(await failedAmong([check], connector, stripeOptions)).toEqual([]);
  expect(await failedAmong([check], showingTheKey(connector), stripeOptions)).toEqual([check]);
});

test.each([
  ['Adyen', adapter, adyenOptions, sending(/^payment$|^create-payment$|^payments$/, { mpiData: undefined })],
  ['Stripe', servingOnly('card', stripeConnector), stripeOptions, sending(/./, { payment_method_options: undefined })],
])('the adapter of %s with a foreign authentication left out is caught', async (_name, connector, given, plant) => {
  const check = 'authentication-reaches-the-provider';
  expect(await failedAmong([check], connector, given)).toEqual([]);
  expect(await failedAmong([check], plant(connector), given)).toEqual([check]);
});
