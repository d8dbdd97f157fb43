import { expect, it } from 'vitest';
import file from './fixtures/bad-inputs.json' with { type: 'json' };
import { answer, sessionOf, withdrawalOf } from './support/sessions.ts';

interface Patch {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

const patchesOf = ({ patch }: { readonly patch: readonly Patch[] }) => patch;

const generated = (value: unknown) =>
  typeof value === 'object' && value !== null && '$repeat' in value && '$times' in value
    ? String(value.$repeat).repeat(Number(value.$times))
    : value;

const named = (path: string) => path.split('/').at(-1) ?? '';
const { order, parameters } = file.base.crypto;
const wallet = (more: object) =>
  sessionOf(
    'crypto-wallet',
    { ...parameters.crypto, ...more },
    { order: { number: 'order-1', description: 'Top up', ...order } },
  );

it('the request that the entries change is good', () => {
  expect(answer(wallet({}))).toEqual([]);
});

const crypto = file.inputs.filter(({ group }) => group === 'crypto-params');

it.each(crypto)('$id: $description is refused', (entry) => {
  const changes = Object.fromEntries(patchesOf(entry).map(({ path = '', value }) => [named(path), generated(value)]));
  const issues = answer(wallet(changes));
  expect(issues).toEqual([expect.stringContaining(`parameters.crypto-wallet.${Object.keys(changes)[0]}: `)]);
});

it.each([
  ['B541', '0x52908400098527886E0F7030069857D2E4169EE8'],
  ['B542', '<img src=x onerror=window.__xss=1>'],
])('%s: a withdrawal to it is refused', (id, address) => {
  expect(JSON.stringify(crypto.find((each) => each.id === id))).toContain(address);
  expect(answer(withdrawalOf({ withdrawCurrency: 'ETH', address }))).toEqual([
    'parameters.trading-withdrawal.address: This value is not valid.',
  ]);
});

const others = file.inputs.filter(({ group, expect: { http } }) => group === 'payee-crypto-misc' && http?.[0] === 400);

/** A form of another merchant is known to the service alone. */
const OF_THE_SESSION = others.filter(({ id }) => id !== 'B405');

it.each(OF_THE_SESSION)('$id: $description is refused at its own path', (entry) => {
  const { error_on } = entry.expect;
  const fields = Object.fromEntries(
    patchesOf(entry).map(({ path = '', value }) => {
      const inner = Object.entries(Object(value)).map(([name, each]) => [name, generated(each)]);
      return [named(path), typeof value === 'object' ? Object.fromEntries(inner) : value];
    }),
  );
  const { operation } = fields;
  const good = { withdrawCurrency: 'BTC', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
  const issues = answer(operation === 'credit' ? withdrawalOf(good, fields) : { ...wallet({}), ...fields });
  expect(issues).toEqual([expect.stringContaining(`${error_on}: `)]);
});

it('B403: markup in the name of the network is a text like any other', () => {
  const [patch] = file.inputs.filter(({ id }) => id === 'B403').flatMap(patchesOf);
  expect(answer({ ...wallet({}), crypto: patch?.value })).toEqual([]);
});
