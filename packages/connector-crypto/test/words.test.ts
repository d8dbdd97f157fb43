import { readFileSync } from 'node:fs';
import { type Facts, wordsIn } from '@railyard/conformance/official';
import { expect, test } from 'vitest';
import { btcpayConnector } from '../src/index.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/btcpay.json', import.meta.url), 'utf8'));

test('the status tables of BTCPay have every word of its description; a cancelled claim may be made again', () => {
  const { statuses, effectStatuses } = btcpayConnector;
  const states = wordsIn(facts, 'PayoutState');
  expect(new Set(Object.keys(statuses.rows))).toEqual(new Set(wordsIn(facts, 'InvoiceStatus')));
  expect(new Set(Object.keys(effectStatuses?.payout?.rows ?? {}))).toEqual(new Set(states));
  expect(new Set(Object.keys(effectStatuses?.refund?.rows ?? {}))).toEqual(
    new Set(states.filter((word) => word !== 'Cancelled')),
  );
});
