import { published } from '../../test/support/workspace.ts';
import { UNRELEASED } from './first-releases.ts';
import type { PlannedRelease } from './plan.ts';

/** Its development dependencies are what the packages that it writes ask for (packages/create-connector/src/manifest.ts). */
const WRITER = '@railyard/create-connector';

/**
 * The packages that a breaking release would leave behind, one line each.
 *
 * A package that is a peer of another is there once in a program: core, above all. Its new major breaks every range that names the old one,
 * and a program that takes half of the packages along has two copies that refuse each other's values. `changeset version` raises the
 * dependants all the same, but by a patch, which `npm update` installs without a word. So each of them must say itself, by a major
 * changeset of its own, that it goes along. What writes new packages must be released too, or it writes them for the old one: any
 * changeset of its own will do.
 */
export function leftBehind(root: string, plan: readonly PlannedRelease[]): string[] {
  const all = published(root);
  const shared = new Set(all.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies)));
  const breaking = plan.filter(({ name, from, step }) => shared.has(name) && from !== UNRELEASED && step === 'major');
  return breaking.flatMap(({ name, from, to }) =>
    all.flatMap(({ folder, manifest }) => {
      const own = plan.find((each) => each.name === manifest.name)?.own;
      if (manifest.name === WRITER && name in manifest.devDependencies && own === undefined)
        return [
          `${folder}: ${manifest.name} writes packages for ${name}, which goes from ${from} to ${to}. Adapt its template and write a changeset for it.`,
        ];
      if (!(name in { ...manifest.dependencies, ...manifest.peerDependencies })) return [];
      if (own === 'major') return [];
      return [
        `${folder}: ${manifest.name} is built on ${name}, which goes from ${from} to ${to}. Adapt it and write a major changeset for it (${own === undefined ? 'it has none' : `it has a ${own} one`}).`,
      ];
    }),
  );
}
