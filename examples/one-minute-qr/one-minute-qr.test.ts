import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
  type Stage,
} from '@railyard/conformance';
import { expect, test } from 'vitest';
import { sessionRequest } from '../support/session.ts';
import { quickConnector } from './connector.ts';
import { quickCode } from './methods.ts';
import { QuickProvider } from './provider.ts';

function scenario(play: Scenario<QuickProvider>['play']): Scenario<QuickProvider> {
  return {
    deployment: {
      connector: quickConnector,
      method: quickCode,
      settings: { base_url: 'https://quick.example', api_key: 'key' },
      session: sessionRequest('quick-code'),
    },
    provider: () => new QuickProvider(),
    play,
  };
}

/** The page is open for two minutes and a half. */
async function renewTwice({ host, provider, world, once }: Stage<QuickProvider>): Promise<void> {
  await host.pay();
  for (const minute of ['first', 'second']) {
    once(`${minute} minute`, () => {
      world.now += 60_000;
      provider.now = world.now;
    });
    await host.renew();
  }
}

const firstCodePaid = scenario(async (stage) => {
  await renewTwice(stage);
  const { host, provider, once, deliver } = stage;
  if (host.payment.references.length === 0) return;
  once('paid', () => provider.pay('q-1'));
  await deliver();
});

function expectPaidByFirst({ payment, provider }: Played<QuickProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false, decidedBy: 'q-1' });
  expect(payment.quarantined).toEqual([]);
  expect(provider.ledger.filter(({ effect }) => effect === 'charge')).toHaveLength(1);
}

test('the code is renewed when its minute is over, and the old codes stay watched', async () => {
  const { payment, provider } = await playThrough(scenario(renewTwice));
  expect(payment.references).toEqual(['q-1', 'q-2', 'q-3']);
  expect(payment.show).toMatchObject({ kind: 'qr', content: 'QUICK.q-3', validUntil: '2026-11-21T10:03:00.000Z' });
  expect(payment.state.state).toBe('pending');
  expect(provider.ledger.map(({ effect }) => effect)).toEqual(['code', 'code', 'code']);
});

test('a code is not renewed while it is valid', async () => {
  const { payment } = await playThrough(
    scenario(async ({ host }) => {
      await host.pay();
      await host.renew();
    }),
  );
  expect(payment.references).toEqual(['q-1']);
});

test('the first code, paid after two renewals, settles the payment', async () => {
  expectPaidByFirst(await playThrough(firstCodePaid));
});

test('a second code that is paid too waits for a person', async () => {
  const { payment } = await playThrough(
    scenario(async (stage) => {
      await renewTwice(stage);
      stage.once('paid', () => ['q-1', 'q-3'].forEach((id) => stage.provider.pay(id)));
      await stage.deliver();
    }),
  );
  expect(payment.state).toMatchObject({ state: 'settled', decidedBy: 'q-1' });
  expect(payment.quarantined).toEqual(['Paid twice: q-1 and q-3.']);
});

test('an unsigned notification alone changes nothing: the provider is asked', async () => {
  const { payment } = await playThrough(
    scenario(async ({ host }) => {
      await host.pay();
      await host.receive({ body: 'code=q-1', headers: {} });
    }),
  );
  expect(payment.state.state).toBe('pending');
  expect(payment.polls).toBe(1);
});

test('every crash ends with the first code paid once', async () => {
  const points = await crashEverywhere(firstCodePaid, expectPaidByFirst);
  expect(points).toBeGreaterThan(25);
});

test('two crashes end with the first code paid once', async () => {
  await crashTwice(firstCodePaid, expectPaidByFirst);
});

test('every network fault ends with the first code paid once', async () => {
  await failEverywhere(firstCodePaid, NETWORK_FAULTS, ({ payment, provider }) => {
    expect(provider.ledger.filter(({ effect }) => effect === 'charge')).toHaveLength(1);
    expect(payment.state).toMatchObject({ state: 'settled', decidedBy: 'q-1' });
  });
});
