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
import type { Connector } from '@railyard/core';
import { type CompletionKind, COMPLETIONS } from '@railyard/core/registry';
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

const isConnector = (each: unknown): each is Connector => typeof each === 'object' && each !== null && 'serves' in each;

/** The methods that the connectors of a package serve. */
const methodsOf = (exports: object): Connector['serves'][number]['method'][] =>
  Object.values(exports).flatMap((each) => (isConnector(each) ? each.serves.map(({ method }) => method) : []));

/** Their keys, each once. */
const servedBy = (exports: object): string[] => [...new Set(methodsOf(exports).map(({ key }) => key))].toSorted();

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
  test.each(COMPLETIONS)('%s is seen at 320 px in English and at 1280 px in Portuguese, by axe too', (kind) => {
    const { key, in: file } = seen[kind];
    const method = Object.values(packages)
      .flatMap(methodsOf)
      .find((each) => each.key === key);
    expect(Object.values(method?.operations ?? {}).flatMap(({ completion }) => completion)).toContain(kind);
    const text = textOf(file).replaceAll(/\s+/g, ' ');
    for (const needed of [`'${key}'`, "width: 320, language: 'en'", "width: 1280, language: 'pt-BR'", 'faultsOf(page)'])
      expect(text).toContain(needed);
  });
});
