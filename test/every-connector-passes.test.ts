import { expect, test } from 'vitest';
import { stepsOfGuide } from './docs/guide.ts';
import { isCode, textFiles } from './support/workspace.ts';

/*
 * "No false alarm" is said in one run: `npm test -- conformance third-party-adapter`. Each file of it fails on any complaint of the kit at any
 * level. This file says that no connector is missing from it. The guide's connector is written and checked by `npm run test:install`, as a reader does.
 */

const DEFINES = /^export const (\w+) = defineConnector\(/gm;
const EXCELLENT = /\bconformance\((\w+), \{[^}]*?\blevel: 'excellent'/gs;
/** The examples that the kit plays with a double of their provider, in the list of `examples/support/conformance.test.ts`. */
const PLAYED = /^ {2}\[\n {4}(\w+),/gm;

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const filesOf = (place: RegExp) => textFiles((path) => isCode(path) && place.test(path));

/** Every connector of the packages, of the examples and of the template. */
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
  'examplePayConnector',
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

test('the kit plays every connector of the packages, examples and template up to its highest level: no false alarm', () => {
  const defined = filesOf(/^(?:packages\/(?:connector-[^/]+|create-connector\/template)\/src|examples)\//).flatMap(
    ({ text }) => all(text, DEFINES),
  );
  const tests = filesOf(
    /^(?:packages\/(?:connector-[^/]+|create-connector\/template)\/test\/conformance|examples\/.*)\.test\.ts$/,
  );
  const played = tests.flatMap(({ path, text }) => [
    ...all(text, EXCELLENT),
    ...(path === 'examples/support/conformance.test.ts' ? all(text, PLAYED) : []),
  ]);
  expect(defined.toSorted()).toEqual(CHECKED);
  expect(played.toSorted()).toEqual(CHECKED);
});

test('the kit plays the connector of the guide up to its highest level, when the guide is followed', () => {
  const written = stepsOfGuide().flatMap((step) => (step.does === 'write' ? [step.text] : []));
  const defined = written.flatMap((text) => all(text, DEFINES));
  expect(defined).toEqual(['paystackConnector']);
  expect(written.flatMap((text) => all(text, EXCELLENT))).toEqual(defined);
});
