import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { familyService } from '../support/family-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof familyService>>;

beforeAll(async () => {
  service = await familyService(bankTransferAccounts);
});
afterAll(() => service.stop());

/** The values of the list under a name on a page; nothing where it has no such list. */
function choicesOf(page: string, name: string): readonly string[] | undefined {
  const list = page.split('<select').find((part) => part.slice(0, part.indexOf('>')).includes(`name="${name}"`));
  if (list === undefined) return undefined;
  const options = list.slice(0, list.indexOf('</select>'));
  return [...options.matchAll(/<option\s[^>]*value="([^"]+)"/g)].map(([, value = '']) => value);
}

const open = (currency: string, more: object = {}) =>
  createPage(service.url, sessionBody({ methods: ['bank-redirect'], ...more }, { currency, amount: '15.00' }));
const own = (name: string) => `parameters.bank-redirect.${name}`;

test('asks for the country first, then offers the documents of that country as a list', async () => {
  const page = await open('PEN');
  const first = await (await fetch(page)).text();
  expect(choicesOf(first, 'billing_address.country')).toEqual(['CL', 'CO', 'MX', 'PE']);
  expect(choicesOf(first, own('document_type'))).toBeUndefined();
  const next = await (await pressPay(page, { method: 'bank-redirect', 'billing_address.country': 'PE' })).text();
  expect(choicesOf(next, own('document_type'))).toEqual(['DNI', 'CE', 'PAS', 'RUC']);
});

test('offers kinds of payers and documents of Colombia, then the banks of the provider, and takes no other', async () => {
  const page = await open('COP', { billing_address: { country: 'CO' } });
  const first = await (await fetch(page)).text();
  expect(choicesOf(first, own('person_type'))).toEqual(['individual', 'company']);
  expect(choicesOf(first, own('document_type'))).toEqual(['CC', 'CE', 'NIT']);
  const fields = { person_type: 'individual', document_type: 'CC', document_number: '1020304050' };
  const named = Object.entries(fields).map(([name, value]) => [own(name), value]);
  await pressPay(page, { method: 'bank-redirect', ...Object.fromEntries(named) });
  expect(choicesOf(await (await fetch(page)).text(), 'bank')).toEqual(['B-01', 'B-02']);
  const body = new URLSearchParams({ step: 'bank', bank: 'B-03' });
  const refused = await fetch(`${page}/answer`, { method: 'POST', body, redirect: 'manual' });
  expect(refused.status).toBe(422);
});

test('says at the number that it is none of the chosen document', async () => {
  const page = await open('PEN', { billing_address: { country: 'PE' } });
  const typed = { [own('document_type')]: 'RUC', [own('document_number')]: '10117410' };
  const wrong = await pressPay(page, { method: 'bank-redirect', ...typed });
  expect(wrong.status).toBe(422);
  const [, summary = ''] = (await wrong.text()).split('data-summary');
  expect(summary.slice(0, summary.indexOf('</ul>'))).toContain('Number of the document</bdi>: <bdi>');
});

test('offers the accounts of the payer’s bank, which it learns from them step by step', async () => {
  const methods = ['bank-beneficiary'];
  const page = await createPage(service.url, sessionBody({ methods }, { currency: 'EUR', amount: '15.00' }));
  await pressPay(page, { method: 'bank-beneficiary' });
  const steps = [
    { step: 'beneficiary', name: 'Example Shop', account: '1234567890' },
    { step: 'account', account: 'acc-2' },
  ];
  const asked: (readonly string[] | undefined)[] = [];
  for (const step of steps) {
    asked.push(choicesOf(await (await fetch(page)).text(), 'account'));
    const body = new URLSearchParams(step);
    expect((await fetch(`${page}/answer`, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  }
  expect(asked).toEqual([undefined, ['acc-1', 'acc-2']]);
  expect(await (await fetch(page)).text()).toContain('autocomplete="one-time-code"');
});
