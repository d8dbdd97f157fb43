import type { Connector } from '@railyard/core';
import type { SimulatedEffect, Simulation } from '@railyard/core/simulation';
import type { Page } from '../page.ts';
import type { FoundConnector } from '../repository.ts';
import { isOfRealProvider } from './capabilities.ts';
import { linkTo } from './connector-link.ts';

/** What a call does, and the effects that the simulation has for it. */
const COLUMNS: readonly (readonly [head: string, effects: readonly SimulatedEffect[]])[] = [
  ['takes money', ['charge', 'authorize', 'complete']],
  ['captures', ['capture']],
  ['voids', ['void', 'cancel']],
  ['gives back', ['refund']],
  ['pays out', ['payout']],
];

export const ABSENT = 'absent, refused';

/** What an adapter of a real provider has. */
export interface RealAdapter {
  readonly found: FoundConnector;
  /** By column: calls as the provider's description has them, `POST /payments`. */
  readonly calls: Readonly<Record<string, readonly string[]>>;
  /** How the service learns what became of a payment. */
  readonly result: string;
}

/** @param simulations of the package of each connector */
export function realAdapters(
  found: readonly FoundConnector[],
  simulations: ReadonlyMap<string, readonly Simulation[]>,
): readonly RealAdapter[] {
  return found
    .filter(({ connector }) => isOfRealProvider(connector))
    .map((each) => ({
      found: each,
      calls: callsOf(each.connector, simulationOf(each.connector, simulations.get(each.folder) ?? [])),
      result: resultOf(each.connector),
    }));
}

/** The one that knows just its endpoints. */
function simulationOf({ id, endpoints }: Connector, all: readonly Simulation[]): Simulation {
  const names = (each: readonly string[]) => each.toSorted().join();
  const own = names(endpoints.map(({ name }) => name));
  const simulation = all.find((each) => names(Object.keys(each.endpoints)) === own);
  if (simulation === undefined) throw new Error(`${id} has no simulation. Export one from src/simulation.ts.`);
  return simulation;
}

function callsOf({ endpoints }: Connector, simulation: Simulation): RealAdapter['calls'] {
  const calls = (effects: readonly SimulatedEffect[]) => {
    const made = endpoints.filter(({ name }) => effectsOf(simulation, name).some((each) => effects.includes(each)));
    return [...new Set(made.map(({ method, path }) => `${method} ${path}`))];
  };
  return Object.fromEntries(COLUMNS.map(([head, effects]) => [head, calls(effects)]));
}

/** One path may charge and pay out, by a word in the request. */
function effectsOf({ endpoints }: Simulation, name: string): readonly SimulatedEffect[] {
  const declared = endpoints[name];
  return [declared, ...(declared?.cases ?? [])].flatMap((each) => each?.effect ?? []);
}

function resultOf({ notifications }: Connector): string {
  if (notifications === undefined) return 'looked up';
  const { verify } = notifications;
  if (!('scheme' in verify)) return 'signed notification';
  if (verify.scheme === 'unsigned') return 'unsigned notification, looked up';
  return verify.scheme === 'call'
    ? 'notification that the provider confirms'
    : `signed notification (${verify.scheme})`;
}

/** The adapters of providers that exist: what each has, where the description shows it, and which test shows it here. */
export function realProviderPage(adapters: readonly RealAdapter[]): Page {
  const head = ['connector', ...COLUMNS.map(([name]) => name), 'learns the result by'];
  const rows = adapters.map(({ found, calls, result }) => [
    linkTo(found),
    ...COLUMNS.map(([name]) => (calls[name] ?? []).map((call) => `\`${call}\``).join(', ') || ABSENT),
    result,
  ]);
  return {
    path: 'real-providers.md',
    text: `# What each adapter of a real provider has

Written from the adapters and their simulations. A call stands as the official description has it, and a test holds each against the operations of that description, Stripe’s against those of its package. Nothing was tried live.

“${ABSENT}”: the adapter does not have it, and the service refuses it before the provider is asked, in the words of the protocol: a capture, void or refund with the error 204005, “Payment action not supported.”; a session whose operation its method lacks at \`methods\`, “The value you selected is not a valid choice.” An operator mends it by giving the method an account with a connector that has it.

Each is paid through the running service by \`real-providers.test.ts\` in \`packages/checkout/test/service\`: a session over HTTP, the page, the result in the provider’s own way, the callback. \`flow-shapes-kill.test.ts\` beside it kills the service at the points of each shape of flow that they have.

| ${head.join(' | ')} |
|${head.map(() => '---|').join('')}
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`,
  };
}
