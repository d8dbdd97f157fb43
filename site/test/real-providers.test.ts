import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createRegistry } from '@railyard/core/registry';
import * as z from 'zod';
import { ABSENT, type RealAdapter, realAdapters, realProviderPage } from '../src/generated/real-providers.ts';
import { connectors, exists, read, root, simulations } from '../src/repository.ts';

let adapters: readonly RealAdapter[];
beforeAll(async () => {
  adapters = realAdapters(await connectors(), await simulations());
});

const SESSION = {
  merchant_key: '11111111-2222-4333-8444-555555555555',
  success_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/cancel',
  hash: 'f'.repeat(40),
};

const facts = z.object({ operations: z.record(z.string(), z.unknown()) });
const withoutNames = (call: string) => call.replaceAll(/\{[^}]+\}/g, '{}');

/** The operations of the official descriptions that a package is checked against. */
function describedIn(folder: string): ReadonlySet<string> {
  const path = `packages/${folder}/test/official`;
  const files = readdirSync(join(root, path)).filter((name) => name.endsWith('.json'));
  const all = files.flatMap((name) => Object.keys(facts.parse(JSON.parse(read(`${path}/${name}`))).operations));
  return new Set(all.map(withoutNames));
}

test('every adapter of a real provider has a row, and each call of it is an operation of the official description', () => {
  expect(adapters.map(({ found }) => found.connector.id)).toEqual([
    'card-adyen',
    'govuk-pay',
    'card-stripe',
    'bitcoin-btcpay',
    'mobile-money-gsma',
    'mobile-money-paystack',
    'ob-uk',
    'pix-bcb',
    'conekta',
    'paypal',
    'vipps',
  ]);
  for (const { found, calls } of adapters) {
    const described = describedIn(found.folder);
    expect(
      Object.values(calls)
        .flat()
        .filter((call) => !described.has(withoutNames(call))),
    ).toEqual([]);
    expect(calls['takes money']).not.toEqual([]);
  }
});

test('an adapter has a flow exactly for what the table has a call for', () => {
  const FLOWS = { captures: 'capture', voids: 'void', 'gives back': 'refund', 'pays out': 'credit' } as const;
  for (const { found, calls } of adapters)
    for (const [column, flow] of Object.entries(FLOWS)) {
      const has = found.connector.serves.some(({ flows }) => flows[flow] !== undefined);
      expect([found.connector.id, column, (calls[column] ?? []).length > 0]).toEqual([found.connector.id, column, has]);
    }
});

test('every adapter has a row in the test that pays through the running service', () => {
  const rows = read('packages/checkout/test/support/real-provider-configs.ts');
  const exported = new Set(Array.from(rows.matchAll(/^ {4}connector: (\w+),$/gm), ([, name]) => name));
  expect(exported.size).toBe(adapters.length);
  expect(exists('packages/checkout/test/service/real-providers.test.ts')).toBe(true);
  expect(exists('packages/checkout/test/service/flow-shapes-kill.test.ts')).toBe(true);
});

/** The protocol's words. */
const REFUSED = 'methods: The value you selected is not a valid choice.';

test('a session with an operation that the method of an adapter lacks is refused, and says where and why', () => {
  for (const { found } of adapters)
    for (const { method } of found.connector.serves)
      for (const operation of ['purchase', 'debit', 'credit', 'transfer'] as const) {
        if (method.operations[operation] !== undefined) continue;
        const order = { number: 'order-1', amount: '10.00', currency: 'EUR', description: 'Two books' };
        const session = { ...SESSION, operation, methods: [method.key], order };
        const answer = createRegistry([method]).validate(session, { today: '2026-01-01' });
        const issues = answer.ok ? [] : answer.issues.map(({ path, message }) => `${path}: ${message}`);
        expect([method.key, operation, ...issues]).toContain(REFUSED);
      }
});

test('the page says what is absent', () => {
  const { text } = realProviderPage(adapters);
  const row = text.split('\n').find((line) => line.includes('(connectors/ob-uk.md)')) ?? '';
  expect(row.split(ABSENT)).toHaveLength(5);
  expect(row).toMatch(/\| looked up \|$/);
  expect(text).toContain(
    '| `POST /payments/{paymentPspReference}/cancels`, `POST /payments/{paymentPspReference}/reversals` |',
  );
});
