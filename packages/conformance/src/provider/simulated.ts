import type { Connector } from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import type { Simulation } from '@railyard/core/simulation';
import { baseUrlOf } from '@railyard/runtime';
import { simulateInProcess } from '@railyard/simulator';
import { BEGINNING, URLS } from '../host/world.ts';
import type { State } from '../said.ts';
import type { ProviderDouble } from './double.ts';

interface Simulated {
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly settings: unknown;
  readonly privateKey?: string;
}

/** The connector's simulation as a provider. `at-once`: it pays by itself; `later`: it waits for the payer. */
export function simulated(
  { connector, simulation, settings, privateKey }: Simulated,
  pays: 'at-once' | 'later',
): SimulatedProvider {
  const bases = basesOf(connector, settings);
  const now = BEGINNING;
  const simulator = simulateInProcess({
    connector,
    simulation,
    settings,
    ...(privateKey !== undefined && { privateKey }),
    clock: () => now,
    ...(connector.notifications?.address === 'at-provider' && { notifyUrl: URLS.notify }),
    scenario: pays === 'at-once' ? 'settled' : 'manual',
  });
  const isOpen = ({ state }: { readonly state: string }) => state === 'pending' || state === 'challenged';
  return {
    simulator,
    get ledger() {
      return simulator.ledger();
    },
    outbox: simulator.outbox,
    handle({ origin, path, ...request }) {
      const base = bases.find((each) => `${origin}${path}`.startsWith(`${each}/`));
      return simulator.handle({ ...request, path: base === undefined ? path : `${origin}${path}`.slice(base.length) });
    },
    visit({ url, fields }) {
      const query = { ...Object.fromEntries(new URL(url).searchParams), ...fields };
      const id = query.payment ?? simulator.paymentOfPage(query) ?? '';
      if (simulator.payments().some((each) => each.id === id && isOpen(each))) simulator.settle(id);
      return simulator.valuesAfterPage(id);
    },
    settle() {
      // The payer has not been on the page of a payment that waits for a challenge.
      for (const payment of simulator.payments().filter(({ state }) => state === 'pending'))
        simulator.settle(payment.id);
    },
    tell(event, state) {
      const [payment] = simulator.payments();
      const at = new Date(now + event.later).toISOString();
      return payment && simulator.notificationOf(payment.id, { id: event.id, now: at }, state);
    },
  };
}

/** Every address below which the connector's endpoints are reached, the longest first. */
function basesOf(connector: Connector, settings: unknown): readonly string[] {
  const bases = new Set(connector.endpoints.map((endpoint) => baseUrlOf(connector, endpoint, settings)));
  return [...bases].toSorted((one, other) => other.length - one.length);
}

export function isSimulated(provider: ProviderDouble): provider is SimulatedProvider {
  return 'simulator' in provider;
}

/** A simulation with its state machine, for checks that look into it. */
export interface SimulatedProvider extends ProviderDouble {
  readonly simulator: ReturnType<typeof simulateInProcess>;
  /** A notification of its first payment: of an event's id, so many milliseconds later, perhaps of another state. */
  tell(event: { readonly id: string; readonly later: number }, state?: State): ArrivedNotification | undefined;
}
