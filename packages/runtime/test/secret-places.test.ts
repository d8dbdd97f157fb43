import { secret } from '@railyard/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isSecretPlace } from '../src/secret-places.ts';

const account = z.object({ id: z.string(), key: secret(z.string(), 'Key') });

test.each<[string, z.ZodType, string]>([
  ['an object', account, 'key'],
  ['a list', z.object({ accounts: z.array(account) }), 'accounts.0.key'],
  ['a record', z.object({ accounts: z.record(z.string(), account) }), 'accounts.main.key'],
  ['a union', z.object({ account: z.union([z.string(), account]) }), 'account.key'],
  ['an object that may be left out', z.object({ account: account.nullable().optional() }), 'account.key'],
  ['an object with a value of its own', z.object({ account: account.default({ id: '', key: '' }) }), 'account.key'],
  [
    'an object that is changed while it is read',
    z.object({ account: account.transform((read) => read) }),
    'account.key',
  ],
  ['an object that is made when it is first read', z.object({ account: z.lazy(() => account) }), 'account.key'],
])('finds the secret within %s, and not the field beside it', (_where, schema, place) => {
  expect(isSecretPlace(schema, place.split('.'))).toBe(true);
  expect(isSecretPlace(schema, place.replace(/key$/, 'id').split('.'))).toBe(false);
});
