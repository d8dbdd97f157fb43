import { beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../test/support/catalogue.ts';
import { atHomeIn, onlyIn } from '../../test/support/elsewhere.ts';
import { METHOD_HEAD, methodPage, methodRows } from '../src/generated/methods.ts';
import { connectors, exists, type FoundConnector } from '../src/repository.ts';

let found: readonly FoundConnector[];
beforeAll(async () => {
  found = await connectors();
});

const column = (name: string) => methodRows(found).map((cells) => cells[METHOD_HEAD.indexOf(name)] ?? '');
const bare = (cell: string) => cell.replaceAll('`', '');

test('every key of the catalogue, and every one beside it, has one row', () => {
  const keys = catalogue.flatMap(({ keys: own, extra = {} }) => [...own, ...Object.keys(extra)]);
  expect(column('key').map(bare)).toEqual(keys.toSorted());
});

test('every method is paid in a test that is there, in the package that the catalogue says', () => {
  for (const file of column('paid in'))
    expect([file, exists(`packages/checkout/test/${bare(file)}`)]).toEqual([file, true]);
  const [keys, packages] = [column('key'), column('package')];
  for (const [at, key] of keys.entries()) {
    const paid = catalogue.find(({ keys: own, extra = {} }) => own.includes(bare(key)) || bare(key) in extra);
    expect([key, packages[at]]).toEqual([key, paid?.by]);
  }
});

test('a row says where a method is served, how it ends and in what it is paid', () => {
  const { text } = methodPage(found);
  expect(text).toContain('| `pix-document` | pix | [');
  expect(text).toContain(
    '(connectors/pix-payer-id.md) | purchase | qr, redirect | BR | taken. The currency decides: a payer who lives abroad may have an account in Brazil. | BRL | `families/five-packages.test.ts` |',
  );
  const [openBanking = ''] = text.split('\n').filter((line) => line.startsWith('| `open-banking` '));
  expect(openBanking).toMatch(/open-banking-initiation\.md\), \[.*ob-uk\.md\)/);
  expect(text).toMatch(/\| `link-payout` \|.*\| credit \| at once \| any \| any \|/);
});

test('a row says in which countries a method is, and whether it takes payers elsewhere', () => {
  const [keys, countries, taken] = [column('key').map(bare), column('countries'), column('payers elsewhere')];
  for (const [at, key] of keys.entries()) {
    const { country = onlyIn[key]?.replaceAll(' ', ', '), because } = atHomeIn[key] ?? {};
    expect([key, countries[at]]).toEqual([key, country ?? 'any']);
    expect(taken[at]).toMatch(because ?? (key in onlyIn ? /^refused$/ : /^any$/));
  }
});
