import { posix } from 'node:path';
import { importsOf } from '../support/imports.ts';
import type { TextFile } from '../support/workspace.ts';

/** The folders of one package, floor by floor from the ground up. A folder imports only from floors below its own. */
export type FolderFloors = readonly (readonly string[])[];

/** The files directly in `src`: what the package exports and what it starts. */
const TOP = '.';

/**
 * The floors of the checkout. A folder holds its subfolders unless they are named too. Its `deps.ts` states what it needs from the service,
 * and is made of the same of lower floors.
 */
export const CHECKOUT_FLOORS: FolderFloors = [
  ['rules', 'log', 'storage'],
  ['secrets'],
  ['deployment'],
  ['merchants'],
  ['idempotency', 'signatures', 'schedules'],
  ['sessions'],
  ['cards'],
  ['payments/state'],
  ['callbacks/content'],
  ['payments/transitions'],
  ['payments/attempt'],
  ['payments/runs'],
  ['payments/operations'],
  ['payments/lookups', 'payments/scheduled'],
  ['payments/operators', 'notifications', 'callbacks/delivery', 'page'],
  ['http/basics'],
  ['http/page', 'http/merchant-api', 'http/commands', 'telemetry'],
  ['http', 'work'],
  ['service'],
  ['commands'],
  [TOP],
];

/** What breaks the order of a package's folders, types included: one line per import that does not lead down, empty when all is well. */
export function folderOffences(src: string, floors: FolderFloors, sources: readonly TextFile[]): string[] {
  const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)));
  const folderOf = (path: string): string | undefined => {
    for (let folder = posix.dirname(posix.relative(src, path)); folder !== TOP; folder = posix.dirname(folder))
      if (floorOf.has(folder)) return folder;
    return posix.dirname(path) === src ? TOP : undefined;
  };
  return sources.flatMap(({ path, text }) => {
    const folder = folderOf(path);
    if (folder === undefined) return [`${path}: its folder is not in the table of floors`];
    return importsOf(path, text).flatMap(({ specifier }) => {
      if (specifier?.startsWith('.') !== true) return [];
      const target = folderOf(posix.join(posix.dirname(path), specifier));
      if (target === folder || target === undefined) return [];
      const isBelow = (floorOf.get(target) ?? Infinity) < (floorOf.get(folder) ?? -1);
      return isBelow ? [] : [`${path}: imports ${specifier} from ${target}, which is not below ${folder}`];
    });
  });
}
