import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, type Rule, type RuleFacts } from '../../src/index.ts';
import { createRegistry } from '../../src/registry.ts';
import { request, today } from './support.ts';

/** A method whose rule answers for the amount, and remembers what it was told. */
function ruled(told: RuleFacts[], level: Rule['level'] = 'document') {
  return defineMethod({
    key: 'ruled',
    title: 'Ruled',
    operations: {
      purchase: {
        parameters: z.strictObject({ place: z.string() }),
        completion: [],
        rules: [
          {
            paths: ['place'],
            level,
            says: 'An amount is a multiple of 5.',
            check: (_parameters, facts) => {
              told.push(facts);
              return facts.amount !== undefined && facts.amount.minor % 500n !== 0n
                ? { of: 'session', path: 'order.amount', message: 'Not a multiple of 5.' }
                : undefined;
            },
          },
        ],
      },
    },
  });
}

function check(amount: string, currency: string, strict_documents = false, level?: Rule['level']) {
  const told: RuleFacts[] = [];
  const order = { number: 'order-1', amount, currency, description: 'Two tickets' };
  const result = createRegistry([ruled(told, level)]).validate(
    request({ methods: ['ruled'], parameters: { ruled: { place: 'x' } }, order }),
    { today, profile: { methods: { ruled: { method: 'ruled', strict_documents } } } },
  );
  const issues = result.ok ? result.warnings : result.issues;
  return { told, ok: result.ok, paths: issues.map(({ path }) => path) };
}

test('a rule knows the order’s amount and currency', () => {
  const { told } = check('25.00', 'USD');
  expect(told).toMatchObject([{ today, currency: 'USD', amount: { text: '25.00', currency: 'USD' } }]);
});

test('a rule gets no amount that is wrong by itself', () => {
  expect(check('25.001', 'USD').told).toMatchObject([{ currency: 'USD', amount: undefined }]);
});

test('a rule may find fault with a field of the session: a warning, or an error where the account is strict', () => {
  expect(check('26.00', 'USD')).toMatchObject({ ok: true, paths: ['order.amount'] });
  expect(check('26.00', 'USD', true)).toMatchObject({ ok: false, paths: ['order.amount'] });
  expect(check('25.00', 'USD', true)).toMatchObject({ ok: true, paths: [] });
});

test('a rule of the level warning refuses nothing, however strict the account is', () => {
  expect(check('26.00', 'USD', true, 'warning')).toMatchObject({ ok: true, paths: ['order.amount'] });
  expect(check('26.00', 'USD', false, 'error')).toMatchObject({ ok: false, paths: ['order.amount'] });
});

test.each([
  [undefined, undefined],
  [{}, { test: false }],
  [{ test: false }, { test: false }],
  [{ test: true }, { test: true }],
])('a rule knows of the account what the profile says: %j is %j', (entry, account) => {
  const told: RuleFacts[] = [];
  const profile = entry && { methods: { ruled: { method: 'ruled', ...entry } } };
  createRegistry([ruled(told)]).validate(request({ methods: ['ruled'], parameters: { ruled: { place: 'x' } } }), {
    today,
    ...(profile && { profile }),
  });
  expect(told.map((facts) => facts.account)).toEqual([account]);
});
