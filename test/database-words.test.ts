import { expect, test } from 'vitest';
import { databaseWordOffences } from './gates/database-words.ts';
import { isCode, textFiles } from './support/workspace.ts';

const CHECKOUT = 'packages/checkout/src/';
const STORAGE = `${CHECKOUT}storage/`;
const path = `${CHECKOUT}payments/a.ts`;

test('only storage reads how the database refuses a statement', () => {
  const isDomain = (each: string) => each.startsWith(CHECKOUT) && !each.startsWith(STORAGE) && isCode(each);
  const sources = textFiles(isDomain);
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(databaseWordOffences)).toEqual([]);
});

test.each([
  ["if (error.code === '23505') return;", 'the state code 23505'],
  ["const UNDONE = ['40P01'];", 'the state code 40P01'],
  ["const key = 'payment_references_pkey';", 'the constraint payment_references_pkey'],
  ['const { name } = error.constraint;', 'a constraint'],
  ["const named = 'constraint' in error;", 'a constraint'],
])('refuses %j', (text, said) => {
  expect(databaseWordOffences({ path, text })).toEqual([
    `${path}:1: reads ${said} of the database; let storage read it and answer a result`,
  ]);
});

test.each(["const a = '00000';", "const a = 'ETIMEDOUT';", 'const a = 23505;', "const a = 'merchant_key' in b;"])(
  'accepts %j',
  (text) => {
    expect(databaseWordOffences({ path, text })).toEqual([]);
  },
);
