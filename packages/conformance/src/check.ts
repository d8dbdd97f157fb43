import type { Finding } from './finding.ts';
import type { Level } from './types.ts';
import type { Subject } from './subject.ts';

/** Why a check was skipped. */
export interface Skipped {
  readonly skipped: string;
  /** `false`: the connector's declarations leave nothing to check. */
  readonly applicable: boolean;
}

export type Verdict = readonly Finding[] | Skipped;

/**
 * One property of a connector. It passes where it looked at something and finds nothing wrong, and is skipped where there was nothing to
 * look at; what it throws is a finding too.
 */
export interface Check {
  readonly id: string;
  readonly level: Level;
  /** In the present tense, as a test would say it. */
  readonly title: string;
  run(subject: Subject): Verdict | Promise<Verdict>;
}

/** The connector declares nothing that this check could look at. */
export const notApplicable = (why: string): Skipped => ({ skipped: why, applicable: false });

/** The check would apply, but something that it needs was not given. */
export const cannotRun = (why: string): Skipped => ({ skipped: why, applicable: true });

/** Judges each of some things; where there is none, the check is skipped with the reason. */
export function over<T>(
  things: readonly T[],
  nothing: string | Skipped,
  judge: (thing: T, index: number) => readonly Finding[],
): Verdict {
  if (things.length > 0) return things.flatMap(judge);
  return typeof nothing === 'string' ? notApplicable(nothing) : nothing;
}

export const NO_SAMPLE = cannotRun('There is no valid sample. See the check samples-are-valid.');
export const NO_PROVIDER = cannotRun('There is no provider to compare with. Give a simulation.');
export const NOTHING_PLAYED = cannotRun('No payment could be played. See the check plays-to-its-end.');

/** An error's message and its cause, without the stack. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
