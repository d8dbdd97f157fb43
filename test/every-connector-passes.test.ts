import { expect, test } from 'vitest';
import { isCode, textFiles } from './support/workspace.ts';

const DEFINES = /^export const (\w+) = defineConnector\(/gm;
const EXCELLENT = /\bconformance\((\w+), \{[^}]*?\blevel: 'excellent'/gs;
/** The examples that the kit plays with a double of their provider, in the list of `examples/support/conformance.test.ts`. */
const PLAYED = /^ {2}\[\n {4}(\w+),/gm;

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const filesOf = (place: RegExp) => textFiles((path) => isCode(path) && place.test(path));

/** Every connector of the packages and examples. That the kit finds nothing in them is what "no false alarm" says. */
const CHECKED = [
  'acmePixConnector',
  'acquirerConnector',
  'addressesConnector',
  'adyenConnector',
  'bankCollectionConnector',
  'bankConnector',
  'bankGatewayConnector',
  'bankIpsConnector',
  'bankPayoutConnector',
  'bcbConnector',
  'btcpayConnector',
  'cardConnector',
  'collectionConnector',
  'conektaConnector',
  'cryptoConnector',
  'gatewayConnector',
  'gatewayConnector',
  'govukPayConnector',
  'gsmaConnector',
  'hostedConnector',
  'hubConnector',
  'initiationConnector',
  'instantConnector',
  'linkPayoutConnector',
  'narrativeConnector',
  'obUkConnector',
  'payerIdConnector',
  'paypalConnector',
  'paystackConnector',
  'promptConnector',
  'quickConnector',
  'referenceVoucherConnector',
  'regionalConnector',
  'signedDepositConnector',
  'stripeConnector',
  'vippsConnector',
  'voucherConnector',
  'voucherGatewayConnector',
  'walletGatewayConnector',
  'xmlConnector',
];

const COUNTED = /\bcoverage: (?:true|\{)/g;

test('the kit counts the branches of every connector of the packages', () => {
  for (const { path, text } of filesOf(/^packages\/connector-[^/]+\/test\/conformance\.test\.ts$/))
    expect([path, text.match(COUNTED)?.length]).toEqual([path, all(text, EXCELLENT).length]);
});

test('the kit plays every connector of the packages and examples, and finds nothing in any', () => {
  const defined = filesOf(/^(?:packages\/connector-[^/]+\/src|examples)\//).flatMap(({ text }) => all(text, DEFINES));
  const tests = filesOf(/^(?:packages\/connector-[^/]+\/test\/conformance|examples\/.*)\.test\.ts$/);
  const played = tests.flatMap(({ path, text }) => [
    ...all(text, EXCELLENT),
    ...(path === 'examples/support/conformance.test.ts' ? all(text, PLAYED) : []),
  ]);
  expect(defined.toSorted()).toEqual(CHECKED);
  expect(played.toSorted()).toEqual(CHECKED);
});
