import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const exists = (path: string): boolean => existsSync(join(root, path));

export const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** The published packages, by the names of their folders. */
export const packageFolders = (): string[] => readdirSync(join(root, 'packages')).toSorted();

export interface FoundConnector {
  /** The folder of its package. */
  readonly folder: string;
  /** The name that the package exports it by. */
  readonly name: string;
  readonly connector: Connector;
}

/** Every connector that a package exports, found and not listed. */
export async function connectors(): Promise<FoundConnector[]> {
  const folders = packageFolders().filter((name) => name.startsWith('connector-'));
  const found = await Promise.all(
    folders.map(async (folder) => {
      const module: Readonly<Record<string, unknown>> = await import(join(root, 'packages', folder, 'src/index.ts'));
      return Object.entries(module).flatMap(([name, value]) =>
        isConnector(value) ? [{ folder, name, connector: value }] : [],
      );
    }),
  );
  return found.flat();
}

/** The simulations that the package of each connector exports, by its folder. */
export async function simulations(): Promise<ReadonlyMap<string, readonly Simulation[]>> {
  const folders = packageFolders().filter((name) => name.startsWith('connector-'));
  const loaded = await Promise.all(
    folders.map(async (folder) => {
      const module: Readonly<Record<string, unknown>> = await import(
        join(root, 'packages', folder, 'src/simulation.ts')
      );
      return [folder, Object.values(module).filter(isSimulation)] as const;
    }),
  );
  return new Map(loaded);
}

function isSimulation(value: unknown): value is Simulation {
  return typeof value === 'object' && value !== null && 'endpoints' in value && 'words' in value;
}

function isConnector(value: unknown): value is Connector {
  return typeof value === 'object' && value !== null && 'contract' in value && 'serves' in value && 'statuses' in value;
}
