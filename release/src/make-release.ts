import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pack } from '../../test/support/pack.ts';
import { type Compared, compareWithBefore } from './compare.ts';
import { writeFirstReleases } from './first-releases.ts';
import { leftBehind } from './left-behind.ts';
import { type PlannedRelease, releasePlan } from './plan.ts';
import { refuseIf, run } from './run.ts';
import { unknownPackages } from './unknown-packages.ts';
import { checkerOffences, contentOffences, type Packed, readTarball } from './tarball-offences.ts';

/** A release as far as it goes without publishing. */
export interface Release {
  readonly planned: PlannedRelease;
  readonly packed: Packed;
  readonly compared: Compared;
}

/** Raises the versions in a workspace and writes its changelogs. @throws Refused for a package that is not there, or would be left behind */
export async function raiseVersions(home: string): Promise<PlannedRelease[]> {
  refuseIf('Changesets name what is not here', await unknownPackages(home));
  await writeFirstReleases(home);
  const plan = await releasePlan(home);
  refuseIf('A release would leave packages behind', leftBehind(home, plan));
  if (plan.length > 0) run('pnpm', ['exec', 'changeset', 'version'], home);
  return plan;
}

/** Builds every package with the versions that it will have, which connectors carry within. */
export function buildPackages(home: string): void {
  run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], home);
}

/** Packs packages into a folder of their own. @returns by the name of the package */
export function packPackages(
  home: string,
  wanted: readonly { readonly name: string; readonly folder: string }[],
  into: string,
): Map<string, Packed> {
  mkdirSync(into, { recursive: true });
  return new Map(
    wanted.map(({ name, folder }) => {
      const made = pack(folder, dirname(into), home);
      const tarball = join(into, basename(made));
      renameSync(made, tarball);
      return [name, readTarball(tarball)];
    }),
  );
}

/** @throws Refused with everything that is wrong with the tarballs */
export function checkTarballs(packed: readonly Packed[], cwd: string): void {
  refuseIf(
    'Packed packages are not in order',
    packed.flatMap((one) => [...contentOffences(one), ...checkerOffences(one, cwd)]),
  );
}

/** @throws Refused where a step is too small for what has changed */
export function checkSteps(
  plan: readonly PlannedRelease[],
  packed: ReadonlyMap<string, Packed>,
  home: string,
  folders: { readonly previous: string | undefined; readonly downloads: string },
): Release[] {
  const releases = plan.flatMap((planned): Release[] => {
    const one = packed.get(planned.name);
    if (one === undefined) return [];
    return [{ planned, packed: one, compared: compareWithBefore(planned, one.tarball, { home, ...folders }) }];
  });
  refuseIf(
    'Steps are too small for what has changed',
    releases.flatMap(({ compared }) => compared.offence ?? []),
  );
  return releases;
}
