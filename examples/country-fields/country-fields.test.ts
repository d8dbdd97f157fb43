import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
} from '@railyard/conformance';
import type { PaymentInput } from '@railyard/core';
import { parseSession } from '@railyard/core/protocol';
import { createRegistry, resolveMethod } from '@railyard/core/registry';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { sessionRequest } from '../support/session.ts';
import { regionalConnector } from './connector.ts';
import { regionalBank } from './methods.ts';
import { RegionalProvider } from './provider.ts';

const registry = createRegistry([regionalBank]);
const today = '2026-11-21';
const own = (name: string) => `parameters.regional-bank.${name}`;

function scenario(more: Record<string, unknown>, fields: Record<string, unknown> = {}): Scenario<RegionalProvider> {
  return {
    deployment: {
      connector: regionalConnector,
      method: regionalBank,
      settings: { base_url: 'https://bank.example', api_key: 'key' },
      session: sessionRequest('regional-bank', { order: { amount: '90071992547409.93' }, ...more }),
    },
    provider: () => new RegionalProvider(),
    async play({ host, provider, once }) {
      await host.pay();
      await host.pay({ fields });
      if (host.payment.references.length === 0) return;
      once('paid', () => provider.pay());
      await host.poll();
    },
  };
}

function expectPaid({ payment, provider }: Played<RegionalProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', received: { text: '90071992547409.93' } });
  expect(provider.ledger.map(({ effect }) => effect)).toEqual(['order', 'charge']);
}

const brazilian = scenario({ billing_address: { country: 'BR' } }, { [own('cpf')]: '39053344705' });

describe('what the registry says', () => {
  function missing(more: Record<string, unknown>, payer: Record<string, unknown> = {}) {
    const parsed = parseSession(sessionRequest('regional-bank', more), { today });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const found = resolveMethod(registry, parsed.session, 'regional-bank', { payer });
    return found.kind === 'missing' ? found.fields.map(({ path }) => path) : found.kind;
  }

  test('the country first, then the fields of that country', () => {
    expect(missing({})).toEqual(['billing_address.country']);
    expect(missing({}, { 'billing_address.country': 'CO' })).toEqual([own('document_type'), own('document')]);
    expect(missing({ billing_address: { country: 'BR' } })).toEqual([own('cpf')]);
    expect(missing({ billing_address: { country: 'MX' } })).toBe('complete');
  });

  test('a field of another country is refused', () => {
    const request = sessionRequest('regional-bank', {
      billing_address: { country: 'MX' },
      parameters: { 'regional-bank': { cpf: '39053344705' } },
    });
    const found = registry.validate(request, { today });
    expect(found.ok ? [] : found.issues.map(({ path }) => path)).toEqual([own('cpf')]);
  });

  test('a country without a bank is refused with the countries that have one', () => {
    const request = sessionRequest('regional-bank', { billing_address: { country: 'FR' } });
    const found = registry.validate(request, { today });
    expect(found.ok ? [] : found.issues).toContainEqual(
      expect.objectContaining({ path: 'billing_address.country', message: expect.stringContaining('BR, CO, MX') }),
    );
  });
});

test('the payer is asked only for what is missing', async () => {
  const { payment } = await playThrough({ ...brazilian, play: ({ host }) => host.pay() });
  expect(payment.asks).toEqual([own('cpf')]);
  expect(payment.runs).toEqual([]);
});

test.each([
  ['BR', { [own('cpf')]: '39053344705' }, '/br/transfers CPF 39053344705'],
  ['CO', { [own('document_type')]: 'CC', [own('document')]: '79123456' }, '/co/transfers CC 79123456'],
  ['MX', {}, '/mx/transfers none'],
])('a payer of %s pays with the fields of that country', async (country, fields, document) => {
  const played = await playThrough(scenario({}, { 'billing_address.country': country, ...fields }));
  expectPaid(played);
  expect(played.provider.documents).toEqual([document]);
});

test('an amount that no float can hold arrives with all its digits, and comes back so', async () => {
  const { provider, payment } = await playThrough(brazilian);
  expect(provider.ledger[0]?.amount).toBe('90071992547409.93');
  expect(payment.state.received?.text).toBe('90071992547409.93');
});

test('every crash ends in one payment', async () => {
  expect(await crashEverywhere(brazilian, expectPaid)).toBeGreaterThan(10);
});

test('two crashes end in one payment', async () => {
  await crashTwice(brazilian, expectPaid);
});

test('every network fault ends in one payment', async () => {
  await failEverywhere(brazilian, NETWORK_FAULTS, expectPaid);
});

test('the country narrows the type of the parameters', () => {
  type Purchase = PaymentInput<(typeof regionalBank)['operations']['purchase']>;
  expectTypeOf<Purchase['variant']>().toEqualTypeOf<'BR' | 'CO' | 'MX'>();
  expectTypeOf<Extract<Purchase, { variant: 'BR' }>['parameters']>().toEqualTypeOf<{ cpf: string }>();
  expectTypeOf<Purchase['needed']>().toEqualTypeOf<{ readonly 'billing_address.country': 'BR' | 'CO' | 'MX' }>();
});
