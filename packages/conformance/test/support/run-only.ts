import type { Connector } from '@railyard/core';
import type { Check } from '../../src/check.ts';
import { SUBJECTS } from '../../src/checks.ts';
import type { CheckResult, ConformanceOptions } from '../../src/index.ts';
import { runCheck } from '../../src/run-checks.ts';
import { subjectOf } from '../../src/subject.ts';

/**
 * Runs some checks of the kit and no others. A planted fault is looked for by the check that has to see it, in a hundredth of the time of
 * the whole kit.
 *
 * @throws Error where no check is wanted, as a misspelt name would pass otherwise
 */
export async function runOnly(
  connector: Connector,
  options: ConformanceOptions,
  isWanted: (check: Check) => boolean,
): Promise<readonly CheckResult[]> {
  const subject = subjectOf(connector, options);
  const results: CheckResult[] = [];
  for (const [about, checks] of Object.entries(SUBJECTS))
    for (const check of checks.filter(isWanted)) results.push(await runCheck(subject, about, check));
  if (results.length === 0) throw new Error('The kit has none of the wanted checks.');
  return results;
}

/** The checks with these ids, each of which the kit has. @returns the ids of those that failed */
export async function failedAmong(
  ids: readonly string[],
  connector: Connector,
  options: ConformanceOptions,
): Promise<readonly string[]> {
  const results = await runOnly(connector, options, ({ id }) => ids.includes(id));
  if (results.length !== ids.length) throw new Error(`The kit has not all of these checks: ${ids.join(', ')}.`);
  return results.filter(({ status }) => status === 'failed').map(({ id }) => id);
}
