import { declined, type LookedUpPayment, type Outcome, pending, type Steps } from '@railyard/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Mid } from '../../src/merchants/directory.ts';
import { useDatabase } from '../support/database.ts';
import { type LedgerEntry, pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, pixConfig, pressPay, sessionBody } from '../support/service.ts';
import { virtualService, type VirtualService, wordsOf } from '../support/virtual-service.ts';

const MINUTE = 60_000;
const database = useDatabase();
let provider: PixProvider;
let service: VirtualService;

beforeEach(async () => {
  provider = await pixProvider();
  service = await virtualService(
    database.db,
    (port) => pixConfig(provider, 'http://127.0.0.1:1', port),
    '2026-11-21T12:00:00Z',
  );
  [provider.lifetimeMs, provider.clock] = [5 * MINUTE, service.now];
});

afterEach(async () => {
  await service.close();
  await provider.close();
});

/** A payment whose code was renewed; the second code is refused while the first may be on its way. */
async function secondRefused(): Promise<{ readonly id: string; readonly first: LedgerEntry }> {
  const path = new URL(await createPage(service.url, sessionBody())).pathname;
  await pressPay(`${service.url}${path}`);
  await service.pass(5 * MINUTE);
  await fetch(`${service.url}${path}/renew`, { method: 'POST', redirect: 'manual' });
  const [first, second] = provider.ledger;
  const payment =
    second && (await service.context.stores.payments.findByProviderReference('pix-instant', 'pix-main', second.id));
  if (first === undefined || second === undefined || payment === undefined) throw new Error('There is no second code.');
  second.status = 'REJECTED';
  expect(await provider.notify(`${service.url}/notify/pix-main`, second, { at: service.now() })).toBe(204);
  return { id: payment.id, first };
}

test('the decline of a renewed code is not reported while the code before it may bring money', async () => {
  const { id, first } = await secondRefused();
  await service.pass(20 * MINUTE);
  expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
  first.status = 'PAID';
  await provider.notify(`${service.url}/notify/pix-main`, first, { at: service.now() });
  expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale success settled']);
});

test('the decline of a renewed code is reported once the code before it is over as well', async () => {
  const { id } = await secondRefused();
  await service.pass(120 * MINUTE);
  expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending', 'sale fail decline']);
});

test('a lookup that declines the renewed code without naming it is not reported while the code before it may bring money', async () => {
  const path = new URL(await createPage(service.url, sessionBody())).pathname;
  await pressPay(`${service.url}${path}`);
  await service.pass(5 * MINUTE);
  await fetch(`${service.url}${path}/renew`, { method: 'POST', redirect: 'manual' });
  const [first, second] = provider.ledger;
  if (first === undefined || second === undefined) throw new Error('There is no second code.');
  lookedUpBy(({ providerReference }) =>
    providerReference === second.id
      ? declined('soft', 'declined_by_provider', { reason: 'Refused.' })
      : pending(first.id),
  );
  await service.pass(20 * MINUTE);
  const payment = await service.context.stores.payments.findByProviderReference('pix-instant', 'pix-main', second.id);
  expect(payment).toMatchObject({ state: 'pending' });
});

/** Gives the connector another lookup. */
function lookedUpBy(found: (payment: LookedUpPayment) => Outcome): void {
  const { directory } = service.context;
  const status = function* ({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
    yield* [];
    return found(payment);
  };
  const withLookup = (mid: Mid): Mid => {
    const serves = mid.connector.serves.map((each) => ({ ...each, flows: { ...each.flows, status } }));
    return { ...mid, connector: { ...mid.connector, serves } };
  };
  const mid = (id: string) => {
    const known = directory.mid(id);
    return known && withLookup(known);
  };
  Object.assign(service.context, { directory: { ...directory, mid } });
}
