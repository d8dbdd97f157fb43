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
  let now = BEGINNING;
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
  const payments = () => simulator.payments();
  const pageOf = (query: Readonly<Record<string, string>>) => query['payment'] ?? simulator.paymentOfPage(query);
  return {
    simulator,
    /** A payment that is only prepared has moved nothing yet. */
    get ledger() {
      const prepared = new Set(payments().flatMap((each) => (each.prepared && !isBegun(each) ? [each.id] : [])));
      return simulator.ledger().filter(({ id, effect }) => !(OPENING.has(effect) && prepared.has(id)));
    },
    outbox: simulator.outbox,
    wait(milliseconds) {
      now += milliseconds;
    },
    handle({ origin, path, ...request }) {
      const base = bases.find((each) => `${origin}${path}`.startsWith(`${each}/`));
      return simulator.handle({ ...request, path: base === undefined ? path : `${origin}${path}`.slice(base.length) });
    },
    visit({ url, fields }) {
      const id = pageOf({ ...Object.fromEntries(new URL(url).searchParams), ...fields }) ?? '';
      if (payments().some((each) => each.id === id && isOpen(each))) simulator.settle(id);
      return simulator.valuesAfterPage(id);
    },
    settle(show) {
      const page = show?.kind === 'redirect' ? pageOf(Object.fromEntries(new URL(show.url).searchParams)) : undefined;
      // A payer pays a prepared payment, and one that waits for a challenge, on its page alone.
      const paid = payments().filter(
        (each) => (each.state === 'pending' && each.prepared !== true) || (each.id === page && isOpen(each)),
      );
      for (const { id } of paid) simulator.settle(id);
    },
    tell(event, state) {
      const [payment] = payments();
      const at = new Date(now + event.later).toISOString();
      return payment && simulator.notificationOf(payment.id, { id: event.id, now: at }, state);
    },
  };
}

const OPENING: ReadonlySet<string> = new Set(['charge', 'authorize']);
const isBegun = ({ state }: { readonly state: string }) => !['pending', 'challenged', 'authenticated'].includes(state);

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
