import type { Finding } from './finding.ts';
import type { Level } from './types.ts';
import type { Subject } from './subject.ts';

/** Why a check did not run. */
export interface NotRun {
  readonly notRun: string;
  /** `false`: the connector's declarations leave nothing to check. */
  readonly applicable: boolean;
}

export type Verdict = readonly Finding[] | NotRun;

/** One property of a connector. It passes where it finds nothing; what it throws is a finding too. */
export interface Check {
  readonly id: string;
  readonly level: Level;
  /** In the present tense, as a test would say it. */
  readonly title: string;
  run(subject: Subject): Verdict | Promise<Verdict>;
}

/** The connector declares nothing that this check could look at. */
export const notApplicable = (why: string): NotRun => ({ notRun: why, applicable: false });

/** The check would apply, but something that it needs was not given. */
export const cannotRun = (why: string): NotRun => ({ notRun: why, applicable: true });

/** An error's message and its cause, without the stack. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
