import { assembleReleasePlan } from '@changesets/assemble-release-plan';
import { readConfig } from '@changesets/config';
import { readChangesets } from '@changesets/read';
import { getPackages } from '@manypkg/get-packages';
import { published } from '../../test/support/workspace.ts';

export type Step = 'patch' | 'minor' | 'major';

/** Why a package is released: a changeset, or a dependency whose new version its range does not take. */
export interface Reason {
  readonly step: Step;
  readonly says: string;
}

/** A package as it would be published. */
export interface PlannedRelease {
  readonly name: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly step: Step;
  readonly reasons: readonly Reason[];
  /** The greatest step that the package's own changesets take; absent where it goes along with a dependency only. */
  readonly own: Step | undefined;
}

const STEPS: readonly Step[] = ['patch', 'minor', 'major'];

/** The releases that the waiting changesets of a workspace lead to, computed by the library that `changeset version` uses. */
export async function releasePlan(root: string): Promise<PlannedRelease[]> {
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (config === undefined) throw new Error(`.changeset/config.json cannot be read:\n${errors.join('\n')}`);
  const changesets = await readChangesets(root);
  const plan = assembleReleasePlan(changesets, packages, config, undefined);
  return published(root).flatMap(({ folder, manifest: { name } }) => {
    const release = plan.releases.find((each) => each.name === name);
    if (release === undefined || release.type === 'none') return [];
    const written = changesets.flatMap(({ summary, releases }) =>
      releases.flatMap((each): Reason[] => {
        if (each.name !== name || each.type === 'none') return [];
        return [{ step: each.type, says: summary.trim() }];
      }),
    );
    const own = STEPS.findLast((step) => written.some((reason) => reason.step === step));
    const reasons = written.length > 0 ? written : [{ step: release.type, says: 'A dependency has a new version.' }];
    return [{ name, folder, from: release.oldVersion, to: release.newVersion, step: release.type, reasons, own }];
  });
}
