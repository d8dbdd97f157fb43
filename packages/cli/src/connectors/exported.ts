import type { Connector, Method } from '@railyard/core';
import { contractProblem } from '@railyard/core/driver';
import type { Simulation } from '@railyard/core/simulation';
import { UsageError } from '../commands/command.ts';

/** The exports of a module that this command works with. */
export interface Exported {
  readonly connectors: readonly Connector[];
  readonly methods: readonly Method[];
  readonly simulations: readonly Simulation[];
}

/**
 * Picks connectors, methods and simulations out of a module's exports, whatever their names, also from a default export with
 * `connectors` or `methods`, as configurations have.
 *
 * @throws UsageError for a connector of another contract
 */
export function exportedBy(module: Readonly<Record<string, unknown>>): Exported {
  const values = Object.values(module).flatMap(withLists);
  const connectors = values.filter(isConnector);
  for (const connector of connectors) {
    const problem = contractProblem(connector);
    if (problem !== undefined) throw new UsageError(problem);
  }
  return { connectors, methods: values.filter(isMethod), simulations: values.filter(isSimulation) };
}

function withLists(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...value];
  if (!isObject(value)) return [];
  return [value, value['connectors'], value['methods']].flat();
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isConnector(value: unknown): value is Connector {
  if (!isObject(value)) return false;
  const { id, contract, endpoints, serves, settings } = value;
  return (
    typeof id === 'string' &&
    typeof contract === 'number' &&
    Array.isArray(endpoints) &&
    Array.isArray(serves) &&
    isObject(settings)
  );
}

function isMethod(value: unknown): value is Method {
  if (!isObject(value)) return false;
  return typeof value['key'] === 'string' && typeof value['title'] === 'string' && isObject(value['operations']);
}

function isSimulation(value: unknown): value is Simulation {
  return isObject(value) && isObject(value['endpoints']) && isObject(value['words']);
}

/** The simulation of a connector's provider: it has exactly the connector's endpoints. */
export function simulationOf({ endpoints }: Connector, simulations: readonly Simulation[]): Simulation | undefined {
  const names = endpoints.map(({ name }) => name).toSorted();
  return simulations.find((each) => Object.keys(each.endpoints).toSorted().join() === names.join());
}
