import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
} from '@railyard/conformance';
import { expect, test } from 'vitest';
import { sessionRequest } from '../support/session.ts';
import { cardConnector } from './connector.ts';
import { card } from './methods.ts';
import { CardProvider } from './provider.ts';

type Event = 'return' | 'notification' | 'poll';

const NUMBER = '4111111111111111';
const CVV = '737';

/** Every non-empty choice of the three events, in every order. */
const ORDERS = orders(['return', 'notification', 'poll']);

function orders(left: readonly Event[]): Event[][] {
  return left.flatMap((first) => {
    const rest = orders(left.filter((each) => each !== first));
    return [[first], ...rest.map((more) => [first, ...more])];
  });
}

function scenario(order: readonly Event[], funds = true): Scenario<CardProvider> {
  return {
    deployment: {
      connector: cardConnector,
      method: card,
      settings: { base_url: 'https://cards.example', api_key: 'key' },
      session: sessionRequest('card'),
      card: { number: NUMBER, cvv: CVV, expiryMonth: '12', expiryYear: '2030', holder: 'Ada Example' },
    },
    provider: () => Object.assign(new CardProvider(), { funds }),
    async play({ host, provider, once, deliver }) {
      await host.pay();
      const { nextAction } = host.payment;
      if (nextAction?.kind === 'visit') once('challenge', () => provider.authenticate(nextAction.fields));
      const { cres } = provider;
      for (const event of order) {
        if (event === 'return' && cres !== undefined) await host.answer({ step: 'visit', values: { cres } });
        if (event === 'notification') await deliver();
        if (event === 'poll') await host.poll();
      }
      // The provider's last notification comes at the end, and a lookup after it.
      await deliver();
      await host.poll();
    },
  };
}

function expectPaid({ payment, provider }: Played<CardProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false, decidedBy: 'c-1' });
  expect(payment.quarantined).toEqual([]);
  expect(provider.ledger.map(({ effect }) => effect)).toEqual(['authorise', 'charge']);
}

/** The security code is forgotten with the process: a request that may have left is only looked up, another is a new attempt. */
function expectPaidOrUnknown(played: Played<CardProvider>): void {
  if (played.provider.ledger.length > 0) expectPaid(played);
  else expectNotAsked(played);
}

function expectNotAsked({ payment, world }: Played<CardProvider>): void {
  const begun = world.disk.journal.includes('"step":"authorise","kind":"call","state":"begun"');
  if (begun) expect(payment.state).toMatchObject({ state: 'pending', unknown: true });
  else
    expect(payment).toMatchObject({ state: { state: 'declined' }, reason: expect.stringContaining('Enter the card') });
}

test.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  'is charged once when it comes back by %s',
  async (_name, order) => {
    expectPaid(await playThrough(scenario(order)));
  },
);

test('sends the payer off with a POST form', async () => {
  const { payment } = await playThrough({
    ...scenario([]),
    play: ({ host }) => host.pay(),
  });
  expect(payment.nextAction).toEqual({
    kind: 'visit',
    step: 'visit',
    purpose: 'authenticate',
    url: 'https://acs.example/challenge',
    method: 'POST',
    fields: { creq: 'creq-c-1' },
    reference: 'c-1',
    mayTurnBack: true,
  });
  expect(payment.state.state).toBe('created');
});

test.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  'a crash anywhere ends in one charge or in unknown, coming back by %s',
  async (_name, order) => {
    const points = await crashEverywhere(scenario(order), expectPaidOrUnknown);
    expect(points).toBeGreaterThan(20);
  },
);

test('two crashes end in one charge or in unknown', async () => {
  await crashTwice(scenario(['notification', 'return', 'poll']), expectPaidOrUnknown);
});

test('a decline after the challenge stays a decline through every crash', async () => {
  await crashEverywhere(scenario(['return', 'notification'], false), (played) => {
    if (played.provider.ledger.length === 0) return expectNotAsked(played);
    expect(played.payment.state.state).toBe('declined');
    return expect(played.payment.reason).toMatch(/Not enough money|refused/);
  });
});

test('every network fault ends in one charge', async () => {
  await failEverywhere(scenario(['return']), NETWORK_FAULTS, expectPaidOrUnknown);
});

test('the card reaches the provider and nothing else', async () => {
  const { provider, journal, world } = await playThrough(scenario(['return', 'poll']));
  expect(provider.authorisations[0]).toContain(NUMBER);
  expect(provider.authorisations[0]).toContain(CVV);
  expect(world.log.length).toBeGreaterThan(2);
  expect(journal + world.log.join('\n') + JSON.stringify(world.disk.payment, text)).not.toMatch(/4111|737/);
});

test('a notification signed ten minutes ago is refused', async () => {
  const old = { ...scenario(['notification']), provider: () => new CardProvider() };
  old.provider = () => Object.assign(new CardProvider(), { signedAt: Date.parse('2026-11-21T09:50:00Z') / 1000 });
  await expect(playThrough(old)).rejects.toThrow('answered with 401. Its proof does not hold');
});

const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

test('names a provider that notifies a connector without notifications', async () => {
  const played = scenario(['notification']);
  const { notifications, ...connector } = played.deployment.connector;
  const deaf = { ...played, deployment: { ...played.deployment, connector } };
  expect(notifications).toBeDefined();
  await expect(playThrough(deaf)).rejects.toThrow('The connector declares none');
});
