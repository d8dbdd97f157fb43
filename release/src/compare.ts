import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UNRELEASED } from './first-releases.ts';
import type { PlannedRelease } from './plan.ts';
import { attempt } from './run.ts';
import { readTarball } from './tarball-offences.ts';

const answer = z.object({
  needed: z.enum(['none', 'patch', 'minor', 'major']),
  enough: z.boolean(),
  changes: z.array(z.object({ bump: z.string(), at: z.string(), says: z.string() })),
});

/** How a package compares with its version before. */
export interface Compared {
  readonly name: string;
  /** Absent where there is no version before, or none that can be compared. */
  readonly needed?: z.output<typeof answer>['needed'];
  /** Why its step is too small. */
  readonly offence?: string;
}

export interface Before {
  /** The workspace that was built, with the command and every package's dependencies. */
  readonly home: string;
  /** A folder of tarballs of the versions before; without it npm fetches them. */
  readonly previous: string | undefined;
  /** Where to npm's downloads go. */
  readonly downloads: string;
}

/** Asks `railyard diff` whether a release's step is large enough for what has changed since the version before. */
export function compareWithBefore(release: PlannedRelease, tarball: string, before: Before): Compared {
  const { name, from, folder } = release;
  if (from === UNRELEASED) return { name };
  const old = tarballOf(name, from, before);
  if (old === undefined) return { name, offence: `${name} ${from} is not there to compare with` };
  const command = join(before.home, 'packages/cli/dist/bin.js');
  // In the package's own folder, so that what is unpacked finds the libraries that the package builds on.
  const cwd = join(before.home, folder);
  const { out, text } = attempt(process.execPath, [command, 'diff', tarball, '--against', old, '--json'], cwd);
  const parsed = answer.safeParse(jsonOf(out));
  // No step is larger: a version before that does not load beside a new core keeps no major back.
  if (!parsed.success && release.step === 'major') return { name };
  if (!parsed.success) return { name, offence: `${name} cannot be compared with ${from}: ${text}` };
  const { needed, enough, changes } = parsed.data;
  if (enough) return { name, needed };
  const heavy = changes.filter(({ bump }) => bump === needed).map(({ at, says }) => `${at} ${says}`);
  const offence = `${name} goes from ${from} to ${release.to}, but needs a ${needed} step: ${heavy.join('; ')}. Write a changeset (${needed}).`;
  return { name, needed, offence };
}

function tarballOf(name: string, version: string, { previous, downloads }: Before): string | undefined {
  if (previous !== undefined) {
    const files = readdirSync(previous).filter((file) => file.endsWith('.tgz'));
    return files
      .map((file) => join(previous, file))
      .find((file) => {
        const { manifest } = readTarball(file);
        return manifest.name === name && manifest.version === version;
      });
  }
  mkdirSync(downloads, { recursive: true });
  const { ok, out } = attempt(
    'npm',
    ['pack', `${name}@${version}`, '--pack-destination', downloads, '--silent'],
    downloads,
  );
  const file = join(downloads, out.trim().split('\n').at(-1) ?? '');
  return ok && existsSync(file) ? file : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
