import { sessionSchema } from '@railyard/core/protocol';
import { expect, test } from 'vitest';
import { API_CALLS } from '../../src/http/merchant-api/api-routes.ts';
import { COMMANDS } from '../../src/http/commands/routes.ts';
import { DIRECTIONS } from '../../src/deployment/catalogue.ts';

/** A session's direction is that of its operation. */
const paths = Object.keys(API_CALLS).filter((path) => path !== '/session');
const calls = [...sessionSchema.shape.operation.options, ...paths, ...COMMANDS.keys()].map(String);

test('says of each operation, route and command, and of nothing else, which way money goes', () => {
  expect(Object.keys(DIRECTIONS).toSorted()).toEqual(calls.toSorted());
});

test('knows what pays out', () => {
  const names = Object.entries(DIRECTIONS).flatMap(([name, direction]) => (direction === 'out' ? [name] : []));
  expect(names).toEqual([
    'credit',
    'transfer',
    '/payment/card/credit',
    'CREDIT2CARD',
    'CARD2CARD',
    'CREDIT2VIRTUAL',
    'CREDIT2CRYPTO',
  ]);
});
