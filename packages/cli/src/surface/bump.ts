import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersAbove } from '../connectors/package-entry.ts';

export const BUMPS = ['none', 'patch', 'minor', 'major'] as const;
export type Bump = (typeof BUMPS)[number];

/** Something that has changed, and the smallest step of the version that may carry it. */
export interface Change {
  readonly bump: 'patch' | 'minor' | 'major';
  /** Where: `method pix, purchase, parameter fine`. */
  readonly at: string;
  readonly says: string;
  /** The consequence for payments that are under way. */
  readonly note?: string;
}

export const atLeast = (one: Bump, other: Bump): boolean => BUMPS.indexOf(one) >= BUMPS.indexOf(other);

export const greatest = (bumps: readonly Bump[]): Bump =>
  bumps.reduce((most, each) => (atLeast(each, most) ? each : most), 'none');

const numbersOf = (version: string) => version.split(/[-+]/)[0]?.split('.').map(Number) ?? [];

/**
 * The step that a range such as `^0.3.1` takes for what it is: below 1.0.0 a minor step may break, and a patch step add; below 0.1.0
 * every step may break (npm's ranges).
 */
export function neededFrom(version: string, bump: Bump): Bump {
  const [major, minor] = numbersOf(version);
  if (major !== 0 || bump === 'none') return bump;
  if (minor === 0) return 'patch';
  return bump === 'major' ? 'minor' : 'patch';
}

/** The step between two versions. */
export function stepBetween(before: string, after: string): Bump {
  const [old, now] = [numbersOf(before), numbersOf(after)];
  const at = [0, 1, 2].find((index) => old[index] !== now[index]);
  if (at === undefined || (now[at] ?? 0) < (old[at] ?? 0)) return 'none';
  return (['major', 'minor', 'patch'] as const)[at] ?? 'none';
}

/** The version after a step. */
export function versionAfter(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  if (bump === 'major') return `${major + 1}.0.0`;
  if (bump === 'minor') return `${major}.${minor + 1}.0`;
  return bump === 'patch' ? `${major}.${minor}.${patch + 1}` : version;
}

/** The greatest step that waiting changesets announce for a package. */
export async function changesetBump(name: string, from: string): Promise<Bump> {
  const folder = foldersAbove(from)
    .map((each) => join(each, '.changeset'))
    .find(existsSync);
  if (folder === undefined) return 'none';
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return greatest(texts.map((text) => bumpIn(text, name)));
}

function bumpIn(text: string, name: string): Bump {
  const head = /^---\r?\n(.*?)\r?\n---/s.exec(text)?.[1] ?? '';
  for (const line of head.split(/\r?\n/)) {
    const [, quoted, bump] = /^["']?([^"':\s]+)["']?\s*:\s*(\w+)$/.exec(line.trim()) ?? [];
    if (quoted === name) return BUMPS.find((each) => each === bump) ?? 'none';
  }
  return 'none';
}
