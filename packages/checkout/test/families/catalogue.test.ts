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
import type { Connector, Method } from '@railyard/core';
import { type CompletionKind, COMPLETIONS, describeMethods, fieldInfo, shapeWithin } from '@railyard/core/registry';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { catalogue } from '../../../../test/support/catalogue.ts';
import { atHomeIn, keysInAnyCurrency, onlyIn, otherCurrencyOf } from '../../../../test/support/elsewhere.ts';

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

const isConnector = (each: unknown): each is Connector => typeof each === 'object' && each !== null && 'serves' in each;

/** The methods that the connectors of a package serve, each once. */
function methodsOf(exports: object): Method[] {
  const connectors = Object.values(exports).filter(isConnector);
  return [...new Set(connectors.flatMap(({ serves }) => serves.map(({ method }) => method)))];
}

/** The keys that the connectors of a package serve, each once. */
const servedBy = (exports: object) =>
  methodsOf(exports)
    .map(({ key }) => key)
    .toSorted();
const served = describeMethods({ methods: Object.values(packages).flatMap(methodsOf) });

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
  test('is a test that has its keys from the catalogue and tries each with another country, currency and operation', () => {
    const text = textOf(file);
    if (keys.length === 0) return;
    expect(text).toContain(`keysPaidIn('${file}')`);
    expect(text).toContain('expectRefusals(');
  });

  test('is a test that sells each of its keys by command too', () => {
    // Cards and wallets have commands of their own.
    if (keys.length === 0 || file === 'wallets/wallet-keys.test.ts') return;
    expect(textOf(file)).toMatch(/await expectSold\(|'is paid out by command/);
  });

  test('is a test that names the keys that are beside the catalogue', () => {
    const text = textOf(file);
    if (text.includes(`keysPaidIn('${file}')`)) return;
    if (helper !== undefined) expect(text).toContain(`'../${helper}'`);
    for (const key of Object.keys(extra)) expect(textOf(helper ?? file)).toContain(`'${key}'`);
  });
});

/** For each way to complete a payment a method, and the test in which its page is seen in a browser. */
const seen: Readonly<Record<CompletionKind, { readonly key: string; readonly in: string }>> = {
  redirect: { key: 'bank-redirect', in: 'families/bank-in-browser.test.ts' },
  qr: { key: 'ips-qr', in: 'families/bank-in-browser.test.ts' },
  'payment-details': { key: 'payment-details', in: 'families/wallet-in-browser.test.ts' },
  voucher: { key: 'cash-ticket', in: 'families/voucher-in-browser.test.ts' },
  'confirm-on-device': { key: 'phone-prompt', in: 'families/wallet-in-browser.test.ts' },
  collect: { key: 'bank-beneficiary', in: 'families/bank-in-browser.test.ts' },
  'link-sent': { key: 'link-email', in: 'families/wallet-in-browser.test.ts' },
  address: { key: 'crypto-receive', in: 'crypto/in-browser.test.ts' },
};

describe('a page for each way to complete a payment', () => {
  test.each(COMPLETIONS)('%s is seen in English and Portuguese, at 320 px and 1280 px each, by axe too', (kind) => {
    const { key, in: file } = seen[kind];
    const method = Object.values(packages)
      .flatMap(methodsOf)
      .find((each) => each.key === key);
    expect(Object.values(method?.operations ?? {}).flatMap(({ completion }) => completion)).toContain(kind);
    const text = textOf(file).replaceAll(/\s+/g, ' ');
    for (const needed of [
      `'${key}'`,
      "width: 320, language: 'en'",
      "width: 1280, language: 'pt-BR'",
      'faultsAtEachWidth(page)',
    ])
      expect(text).toContain(needed);
  });
});

/** The fields of a method that a request may carry, with those within objects. */
function sentFields(method: Method): { readonly name: string; readonly schema: z.ZodType }[] {
  const within = (name: string, schema: z.core.$ZodType, around: readonly unknown[]): ReturnType<typeof sentFields> => {
    if (!(schema instanceof z.ZodType) || fieldInfo(schema, name).request === false) return [];
    const shape = shapeWithin(schema);
    if (shape === undefined || around.includes(shape)) return [{ name, schema }];
    return Object.entries(shape).flatMap(([part, each]) => within(`${name}.${part}`, each, [...around, shape]));
  };
  return Object.values(method.operations).flatMap((spec) =>
    ('parameters' in spec ? [spec.parameters] : Object.values(spec.variants.cases)).flatMap(({ shape }) =>
      Object.entries(shape).flatMap(([name, schema]) => within(name, schema, [])),
    ),
  );
}

test.each(Object.values(packages).flatMap(methodsOf))(
  '$key takes a boolean and a number as the text that a form makes of it',
  (method) => {
    for (const { name, schema } of sentFields(method))
      for (const value of [true, false, 1, 7, 0.5])
        if (schema.safeParse(value).success)
          expect(schema.safeParse(String(value)).success, `${method.key}.${name}: ${value}`).toBe(true);
  },
);

test.each(served)('$key has the countries of the table, and a reason where it takes payers elsewhere', (method) => {
  const { key, countries, elsewhere } = method;
  const { country, because = /^$/ } = atHomeIn[key] ?? {};
  expect(countries.join(' ')).toBe(onlyIn[key] ?? country ?? '');
  expect(elsewhere ?? '').toMatch(because);
});

test.each(served)(
  '$key has a currency that it refuses, unless the table says that it takes any',
  ({ key, currencies }) => {
    const { code, isRefused } = otherCurrencyOf(key);
    expect(currencies.length === 0 || currencies.includes(code)).toBe(!isRefused);
  },
);

test('the table of countries and currencies names keys that there are', () => {
  const keys = served.map(({ key }) => key);
  for (const key of [...Object.keys(onlyIn), ...Object.keys(atHomeIn), ...keysInAnyCurrency])
    expect(keys).toContain(key);
});
