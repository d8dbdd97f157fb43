import {
  type Bump,
  BUMPS,
  type Change,
  changesetBump,
  atLeast,
  greatest,
  neededFrom,
  stepBetween,
  versionAfter,
} from '../surface/bump.ts';
import { changesBetween, packageChanges } from '../surface/changes.ts';
import { openPackage } from '../surface/package-source.ts';
import { packageSurface, type PackageSurface, type Surface, surfaceOf } from '../surface/surface.ts';
import { foldersAbove, type Package, packageIn } from '../connectors/package-entry.ts';
import type { Look } from '../output/look.ts';
import { type Command, textOf, UsageError } from './command.ts';

export const diff: Command = {
  usage: 'diff [FOLDER|FILE.tgz] --against VERSION|FILE.tgz',
  help: 'Compares the declarations of two versions of a connector’s package (methods, parameters, limits, settings, endpoints, flows, exports) and names the smallest version bump that the changes need. Exits with 1 if package.json and the waiting changesets take a smaller one. It does not see changes in code: checks beyond the schema, the steps of a flow. Build first: it reads dist.',
  options: {
    against: {
      type: 'string',
      hint: 'VERSION|FILE.tgz',
      says: 'the version before: a tarball, a folder, or a version that npm fetches',
    },
  },
  words: [0, 1],
  async run(given, { cwd }) {
    const against = textOf(given, 'against');
    if (against === undefined) throw new UsageError('Say what to compare with: --against 1.2.0, or --against old.tgz');
    const home = given.positionals[0] ?? (await ownFolder(cwd));
    const now = await openPackage(home, undefined, cwd);
    try {
      const before = await openPackage(against, now.one.manifest.name, cwd);
      try {
        const after = await surfaceOf(now.one);
        return verdict(await compare(before.one, after), after, await changesetBump(after.name, now.one.folder));
      } finally {
        await before.remove();
      }
    } finally {
      await now.remove();
    }
  },
};

async function ownFolder(cwd: string): Promise<string> {
  for (const folder of foldersAbove(cwd)) if ((await packageIn(folder)) !== undefined) return folder;
  throw new UsageError(
    'There is no package here. Name its folder or its tarball: railyard diff FOLDER --against old.tgz',
  );
}

interface Compared {
  readonly before: PackageSurface;
  readonly changes: readonly Change[];
}

/**
 * The changes between two versions. A version that was made for another core may not load beside this one; that it is made for
 * another core is a break by itself, which package.json shows.
 */
async function compare(one: Package, after: Surface): Promise<Compared> {
  const before = packageSurface(one);
  if (before.name !== after.name)
    throw new UsageError(`These are two packages: ${before.name} and ${after.name}. Give two versions of one.`);
  try {
    return { before, changes: changesBetween(await surfaceOf(one), after) };
  } catch (error) {
    const [first, ...others] = packageChanges(before, after);
    if (!(error instanceof UsageError) || first === undefined) throw error;
    const note = `Only package.json was compared: ${before.version} does not load beside what this version needs. ${error.message}`;
    return { before, changes: [{ ...first, note }, ...others] };
  }
}

function verdict({ before, changes: found }: Compared, after: Surface, waiting: Bump) {
  const changes = found.toSorted((one, other) => rank(other) - rank(one));
  // Without a change that others could see it is a new build at most.
  const change = greatest(changes.map(({ bump }) => bump));
  const needed = neededFrom(before.version, change);
  const step = stepBetween(before.version, after.version);
  const taken = greatest([step, waiting]);
  const enough = atLeast(taken, needed);
  const next = versionAfter(before.version, needed);
  return {
    code: enough ? (0 as const) : (1 as const),
    json: { name: after.name, from: before.version, to: after.version, changes, change, needed, taken, enough },
    text(look: Look) {
      const rows = changes.map(({ bump, at, says }) => [bump, at, says]);
      const notes = [...new Set(changes.flatMap(({ note }) => note ?? []))];
      const early = needed === change ? '' : ` (${change}, below 1.0.0: ${needed})`;
      return [
        `${after.name} ${before.version} → ${after.version}`,
        rows.length === 0 ? 'Nothing that others rely on has changed.' : look.table(['step', 'where', 'change'], rows),
        ...notes,
        `Smallest step: ${look.paint('bold', needed)}${early}. Taken: ${taken}${waiting === taken && taken !== step ? ' by changesets' : ''}.`,
        enough
          ? look.paint('green', 'The step is large enough.')
          : look.paint('red', `Too small: go to ${next}, or write a changeset (${needed}).`),
      ].join('\n');
    },
  };
}

const rank = ({ bump }: Change) => BUMPS.indexOf(bump);
