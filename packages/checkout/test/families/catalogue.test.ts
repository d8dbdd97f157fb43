import { readFileSync } from 'node:fs';
import * as bankTransfer from '@railyard/connector-bank-transfer';
import * as card from '@railyard/connector-card';
import * as crypto from '@railyard/connector-crypto';
import * as mobileMoney from '@railyard/connector-mobile-money';
import * as openBanking from '@railyard/connector-open-banking';
import * as payLater from '@railyard/connector-pay-later';
import * as pix from '@railyard/connector-pix';
import * as voucher from '@railyard/connector-voucher';
import * as wallet from '@railyard/connector-wallet';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../../test/support/catalogue.ts';

const packages: Readonly<Record<string, object>> = {
  'bank-transfer': bankTransfer,
  card,
  crypto,
  'mobile-money': mobileMoney,
  'open-banking': openBanking,
  'pay-later': payLater,
  pix,
  voucher,
  wallet,
};

/** The keys that the connectors of a package serve, each once. */
function servedBy(exports: object): string[] {
  const keys = Object.values(exports).flatMap((each) => {
    const serves: unknown = Reflect.get(Object(each), 'serves');
    return Array.isArray(serves) ? serves.map(({ method }) => String(method.key)) : [];
  });
  return [...new Set(keys)].toSorted();
}

const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const keysOf = (name: string) => catalogue.filter(({ by }) => by === name).flatMap(({ keys }) => keys);
const extraOf = (name: string) =>
  catalogue.filter(({ by }) => by === name).flatMap(({ extra = {} }) => Object.keys(extra));

test('the catalogue has 79 keys, each once', () => {
  const keys = Object.keys(packages).flatMap(keysOf);
  expect(new Set(keys).size).toBe(79);
  expect(keys).toHaveLength(79);
});

test.each(Object.keys(packages))('%s serves its keys of the catalogue, and beside them those with a reason', (name) => {
  expect(servedBy(packages[name] ?? {})).toEqual([...keysOf(name), ...extraOf(name)].toSorted());
});

describe.each(catalogue)('$in for $by', ({ in: file, helper, keys, extra = {} }) => {
  test('is a test that has its keys from the catalogue, or names each', () => {
    const text = textOf(file);
    if (text.includes(`keysPaidIn('${file}')`)) return;
    if (helper !== undefined) expect(text).toContain(`'../${helper}'`);
    const named = textOf(helper ?? file);
    for (const key of [...keys, ...Object.keys(extra)]) expect(named).toContain(`'${key}'`);
  });
});
