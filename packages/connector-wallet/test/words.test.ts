import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import { paypalConnector, vippsConnector } from '../src/index.ts';
import { reasons, TAKEN_BEFORE } from '../src/paypal-endpoints.ts';

const textOf = (name: string) => readFileSync(new URL(`official/${name}.json`, import.meta.url), 'utf8');
const factsOf = (name: string): Facts => JSON.parse(textOf(name));
const sorted = (...words: readonly (readonly string[])[]) => [...new Set(words.flat())].toSorted();

test('the status table of PayPal has every word of its descriptions', () => {
  const orders = factsOf('paypal-orders');
  const made = ['authorization_status', 'capture_status', 'refund_status'].map((name) =>
    wordsIn(orders, `${name}/properties/status`),
  );
  // An order that is completed is told by what it made.
  const ofOrder = wordsIn(orders, 'order_status').filter((word) => word !== 'COMPLETED');
  const named = ofOrder.map((word) => (['CREATED', 'VOIDED'].includes(word) ? `ORDER_${word}` : word));
  expect(sorted(Object.keys(paypalConnector.statuses.rows))).toEqual(sorted(...made, named));
});

test('every issue that has a reason is one of the descriptions of PayPal', () => {
  const text = textOf('paypal-orders') + textOf('paypal-payments');
  expect([...reasons.keys(), ...TAKEN_BEFORE].filter((issue) => !text.includes(`"${issue}"`))).toEqual([]);
});

test('the status table of Vipps has every state and event of its description, and three words for what is authorised', () => {
  const vipps = factsOf('vipps');
  const told = ['AUTHORIZED', 'REFUNDED'];
  expect(sorted(Object.keys(vippsConnector.statuses.rows), told)).toEqual(
    sorted(wordsIn(vipps, 'State'), wordsIn(vipps, 'PaymentEventName'), ['RESERVED']),
  );
});
