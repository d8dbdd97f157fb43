import type { Connector } from '@railyard/core';
import type { Check } from './check.ts';
import { SUBJECTS } from './checks.ts';
import { runCheck, runChecks } from './run-checks.ts';
import { type Subject, subjectOf } from './subject.ts';
import { type ConformanceOptions, type ConformanceReport, type Level, LEVELS, type RunnerTest } from './types.ts';

export interface RunnerOptions extends ConformanceOptions {
  readonly test: RunnerTest;
  /**
   * The level to reach: up to it a check that cannot run for want of something that was not given fails, above it one that fails is skipped. Without
   * it every check that fails fails, and one that looks at nothing is skipped.
   */
  readonly level?: Level;
}

/**
 * Registers every check as a test of the given runner.
 *
 * @throws Error for settings that the connector's schema refuses
 * @example
 * import { conformance } from '@railyard/conformance';
 * import { test } from 'vitest';
 * conformance(bank, { test, simulation: bankSimulation, settings: { base_url: 'https://bank.example', api_key: 'a-test-key' }, goldens });
 */
export function conformance(connector: Connector, { test, level, ...options }: RunnerOptions): void {
  const subject = subjectOf(connector, options);
  for (const [about, checks] of Object.entries(SUBJECTS))
    for (const check of checks)
      test(`${connector.id}: ${check.title} (${check.level}, ${check.id})`, (context) =>
        asTest(subject, about, check, { context, level }));
}

async function asTest(
  subject: Subject,
  about: string,
  check: Check,
  { context, level }: { readonly context: unknown; readonly level: Level | undefined },
): Promise<void> {
  const { status, applicable, why = '' } = await runCheck(subject, about, check);
  const isAbove = level !== undefined && LEVELS.indexOf(check.level) > LEVELS.indexOf(level);
  const counts = level !== undefined && applicable && !isAbove;
  if ((status === 'failed' && !isAbove) || (status === 'skipped' && counts)) throw new Error(why);
  if (status !== 'passed') leaveOut(context, `${applicable ? 'Cannot count' : DOES_NOT_APPLY}: ${why}`);
}

/** How the reason begins with which a check is skipped that the connector's declarations leave nothing to look at. */
const DOES_NOT_APPLY = 'Does not apply';

/** Skips the test where the runner can: the context that vitest and node:test hand to a test has a `skip`; vitest's is a function. */
function leaveOut(context: unknown, why: string): void {
  if ((typeof context !== 'object' && typeof context !== 'function') || context === null) return;
  const skip: unknown = Reflect.get(context, 'skip');
  if (typeof skip === 'function') Reflect.apply(skip, context, [why]);
}

/**
 * Runs every check without a test runner.
 *
 * @throws Error for settings that the connector's schema refuses
 * @example
 * const { level, results } = await checkConformance(bank, { simulation: bankSimulation, settings });
 * for (const { id, status, why } of results) if (status !== 'passed') console.log(id, why);
 */
export function checkConformance(connector: Connector, options: ConformanceOptions): Promise<ConformanceReport> {
  return runChecks(connector, options);
}
