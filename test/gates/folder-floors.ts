import { posix } from 'node:path';
import { importsOf } from '../support/imports.ts';
import type { TextFile } from '../support/workspace.ts';

/**
 * The folders of one package, floor by floor from the ground up. A folder imports only from floors below its own; a file that is
 * named stands by itself. */
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
  ['idempotency.ts', 'signatures.ts', 'schedules.ts'],
  ['sessions'],
  ['cards'],
  ['payments/deps.ts'],
  ['payments/payment.ts'],
  ['callbacks/field-schemas.ts'],
  ['callbacks/fields.ts'],
  ['callbacks/body.ts'],
  ['callbacks/skipped-day.ts'],
  ['payments/change'],
  ['payments/runs'],
  ['payments'],
  ['notifications', 'callbacks', 'page'],
  ['http/basics'],
  ['http/deps.ts'],
  ['http/page', 'http/merchant-api', 'http/commands', 'telemetry.ts'],
  ['http'],
  ['work'],
  ['service.ts'],
  ['commands'],
  [TOP],
];

/** What breaks the order of a package's folders, types included: one line per import that does not lead down, empty when all is well. */
export function folderOffences(src: string, floors: FolderFloors, sources: readonly TextFile[]): string[] {
  const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)));
  const folderOf = (path: string): string | undefined => {
    const own = posix.relative(src, path);
    if (floorOf.has(own)) return own;
    for (let folder = posix.dirname(own); folder !== TOP; folder = posix.dirname(folder))
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
