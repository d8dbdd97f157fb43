import type { Connector, Simulation } from '@railyard/core';
import { simulateInProcess } from '@railyard/simulator';
import { BEGINNING } from '../host/world.ts';
import type { ProviderDouble } from './double.ts';

interface Simulated {
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly settings: unknown;
}

/** The connector's simulation as a provider. `at-once`: it pays by itself; `later`: it waits for the payer. */
export function simulated(
  { connector, simulation, settings }: Simulated,
  pays: 'at-once' | 'later',
): SimulatedProvider {
  const base = new URL(connector.baseUrl(settings)).pathname.replace(/\/+$/, '');
  let now = BEGINNING;
  const simulator = simulateInProcess({
    connector,
    simulation,
    settings,
    clock: () => now,
    scenario: pays === 'at-once' ? 'settled' : 'manual',
  });
  const isOpen = ({ state }: { readonly state: string }) => state === 'pending' || state === 'challenged';
  return {
    simulator,
    get ledger() {
      return simulator.ledger();
    },
    outbox: simulator.outbox,
    handle: ({ path, ...request }) =>
      simulator.handle({ ...request, path: path.startsWith(base) ? path.slice(base.length) : path }),
    visit({ url }) {
      const id = new URL(url).searchParams.get('payment') ?? '';
      if (simulator.payments().some((each) => each.id === id && isOpen(each))) simulator.settle(id);
      return simulator.valuesAfterPage(id);
    },
    settle() {
      for (const payment of simulator.payments().filter(isOpen)) simulator.settle(payment.id);
    },
    wait(milliseconds) {
      now += milliseconds;
    },
  };
}

/** A simulation with its state machine, for checks that look into it. */
export interface SimulatedProvider extends ProviderDouble {
  readonly simulator: ReturnType<typeof simulateInProcess>;
  /** Moves its clock on. */
  wait(milliseconds: number): void;
}
