import type { Connector } from '@railyard/core';
import { memoryJournal, type Transport } from '@railyard/runtime';
import type { Disk, PaymentRecord } from './disk.ts';
import {
  Crash,
  crashAt,
  crashingJournal,
  crashingTransport,
  faultyTransport,
  type NetworkFault,
  type Spoil,
} from './faults.ts';
import { inProcess } from '../provider/network.ts';
import type { ProviderDouble } from '../provider/double.ts';
import { TinyHost } from './tiny-host.ts';
import { BEGINNING, type Deployment, partOf, type World } from './world.ts';

/** The arguments of a scenario's play. */
export interface Stage<P extends ProviderDouble> {
  readonly host: TinyHost;
  readonly provider: P;
  readonly world: World;
  /** Something outside of us that happens once, whatever we crash through. */
  once(name: string, act: () => void): void;
  /** The provider sends what was not acknowledged yet. */
  deliver(): Promise<void>;
}

export interface Scenario<P extends ProviderDouble> {
  readonly deployment: Deployment;
  provider(): P;
  /** Played again from the top after a crash, as people and providers try again. */
  play(stage: Stage<P>): Promise<void>;
}

export interface Played<P extends ProviderDouble> {
  readonly payment: PaymentRecord;
  readonly provider: P;
  readonly world: World;
  /** Names of the crash points that were passed. */
  readonly points: readonly string[];
  readonly journal: string;
  readonly sends: number;
}

interface Faults {
  readonly crashes?: readonly number[];
  readonly network?: { readonly at: number; readonly fault: NetworkFault | Spoil };
  /** Another way to the provider than in process. */
  readonly transport?: (provider: ProviderDouble) => Transport;
  /** Stands between the runtime and the network with its faults. */
  readonly through?: (network: Transport) => Transport;
  /** The card's code is held for as long as the host tries. */
  readonly holdsCard?: boolean;
  /** How long the process is down after a crash. */
  readonly downMs?: number;
}

/** Plays a scenario to its end, with a restart after every crash. */
export async function playThrough<P extends ProviderDouble>(
  scenario: Scenario<P>,
  {
    crashes = [],
    network,
    transport: reach = inProcess,
    through = (each) => each,
    holdsCard = false,
    downMs = 0,
  }: Faults = {},
): Promise<Played<P>> {
  const provider = scenario.provider();
  const disk: Disk = { payment: undefined, journal: '[]' };
  const points = crashAt(crashes);
  const world: World = { ...scenario.deployment, disk, points, log: [], now: BEGINNING };
  let sends = 0;
  const direct = reach(provider);
  const counted: Transport = { send: (request) => ((sends += 1), direct.send(request)) };
  const transport = through(network === undefined ? counted : faultyTransport(counted, network.at, network.fault));
  const done = new Set<string>();
  const once = (name: string, act: () => void) => {
    if (!done.has(name)) act();
    done.add(name);
  };
  // After the network failed, runs wait to be driven again, so the play is repeated once.
  for (let left = network === undefined ? 1 : 2; left > 0;) {
    const journal = memoryJournal(disk.journal, () => world.now);
    const host = new TinyHost(world, {
      journal: crashingJournal(journal, points),
      transport: crashingTransport(transport, points),
      ...(holdsCard && { openCard: ({ part }) => partOf(world, part) }),
    });
    try {
      await host.recover();
      await scenario.play({
        host,
        provider,
        world,
        once,
        deliver: () => deliver(host, provider, scenario.deployment.connector),
      });
      left -= 1;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      world.now += downMs;
      provider.wait?.(downMs);
    }
    disk.journal = journal.text();
  }
  if (disk.payment === undefined) throw new Error('The scenario never began its payment.');
  return { payment: disk.payment, provider, world, points: points.names, journal: disk.journal, sends };
}

async function deliver(host: TinyHost, { outbox = [] }: ProviderDouble, { notifications }: Connector): Promise<void> {
  for (let raw = outbox[0]; raw !== undefined; raw = outbox[0]) {
    const status = await host.receive(raw);
    if (status === 503) return;
    if (status >= 300)
      throw new Error(`A notification was answered with ${status}. ${adviceOn(status, notifications !== undefined)}`);
    outbox.shift();
  }
}

function adviceOn(status: number, declared: boolean): string {
  if (!declared) return 'The connector declares none: declare `notifications`, or let the provider send none.';
  return status === 400
    ? 'Its body does not fit the schema, or `events` throws: compare what the provider sends with `body`.'
    : 'Its proof does not hold: compare what the provider signs, and with which setting, with `verify`.';
}

/** Plays a scenario once for every crash point it has, and checks each end. */
export async function crashEverywhere<P extends ProviderDouble>(
  scenario: Scenario<P>,
  check: (played: Played<P>, crash: string) => void,
): Promise<number> {
  const { points } = await playThrough(scenario);
  for (const [index, name] of points.entries()) {
    const played = await playThrough(scenario, { crashes: [index + 1] });
    checked(() => check(played, name), `after a crash at ${index + 1}, ${name}`, played);
  }
  return points.length;
}

/** Crashes at a sample of pairs: once on the way, and once more after the restart. */
export async function crashTwice<P extends ProviderDouble>(
  scenario: Scenario<P>,
  check: (played: Played<P>) => void,
): Promise<void> {
  const { points } = await playThrough(scenario);
  for (const [first, later] of pairsOf(points.length)) {
    const played = await playThrough(scenario, { crashes: [first, first + later] });
    checked(() => check(played), `after crashes at ${first} and ${first + later}`, played);
  }
}

/** How many pairs of crashes are tried; together they meet every point once on the way and once after a restart. */
const PAIRS = 80;

/** Pairs of numbers up to a most one, spread over all of them and the same every time. */
export function pairsOf(most: number, count = PAIRS): readonly (readonly [number, number])[] {
  return Array.from({ length: most === 0 ? 0 : count }, (_each, index) => [
    1 + (index % most),
    1 + ((index * 7 + Math.floor(index / most)) % most),
  ]);
}

/** Spoils every request once in every way, and checks each end. */
export async function failEverywhere<P extends ProviderDouble>(
  scenario: Scenario<P>,
  faults: readonly NetworkFault[],
  check: (played: Played<P>, fault: NetworkFault) => void,
): Promise<void> {
  const { sends } = await playThrough(scenario);
  for (const fault of faults)
    for (let at = 1; at <= sends; at += 1) {
      const played = await playThrough(scenario, { network: { at, fault } });
      checked(() => check(played, fault), `with request ${at} ${fault}`, played);
    }
}

function checked(check: () => void, when: string, { payment, provider }: Played<ProviderDouble>): void {
  try {
    check();
    const problem = twice(provider) ?? falseDecline(payment, provider);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    throw new Error(`${when}: ${JSON.stringify(provider.ledger)}`, { cause: error });
  }
}

/** An effect that the provider had twice. */
function twice({ ledger }: ProviderDouble): string | undefined {
  const effects = ledger.map(({ effect, reference }) => `${effect} ${reference}`);
  const again = effects.find((effect, index) => effects.indexOf(effect) !== index);
  return again === undefined ? undefined : `The provider did this twice: ${again}.`;
}

/** A payer who was charged is never shown a failed payment. */
function falseDecline({ state }: PaymentRecord, { ledger }: ProviderDouble): string | undefined {
  const charged = ledger.some(({ effect }) => effect === 'charge');
  return charged && state.state === 'declined' ? 'The payer was charged and read that the payment failed.' : undefined;
}
