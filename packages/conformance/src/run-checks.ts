import type { Connector } from '@railyard/core';
import { type Check, textOf, type Verdict } from './check.ts';
import { SUBJECTS } from './checks.ts';
import { type Internals, type Subject, subjectOf } from './subject.ts';
import { type CheckResult, type ConformanceOptions, type ConformanceReport, LEVELS } from './types.ts';

/** How many findings a message shows; the rest is counted. */
const SHOWN = 5;

/** Runs one check; what it throws is a finding. */
export async function runCheck(subject: Subject, about: string, check: Check): Promise<CheckResult> {
  const { id, title, level } = check;
  const head = { id, subject: about, title, level };
  let verdict: Verdict;
  try {
    verdict = await check.run(subject);
  } catch (error) {
    verdict = [{ says: textOf(error) }];
  }
  if ('skipped' in verdict) return { ...head, status: 'skipped', applicable: verdict.applicable, why: verdict.skipped };
  const [first] = verdict;
  if (first === undefined) return { ...head, status: 'passed', applicable: true };
  const shown = verdict.slice(0, SHOWN).map(({ path, says }) => (path === undefined ? says : `${path}: ${says}`));
  const rest = verdict.length > SHOWN ? [`… and ${verdict.length - SHOWN} more.`] : [];
  return {
    ...head,
    status: 'failed',
    applicable: true,
    why: [...shown, ...rest].join('\n'),
    ...(first.path !== undefined && { path: first.path }),
  };
}

/** The highest level whose checks passed, as far as the connector declares what they look at. */
export function levelOf(results: readonly CheckResult[]): ConformanceReport['level'] {
  let reached: ConformanceReport['level'] = 'failed';
  for (const level of LEVELS) {
    const counting = results.filter((each) => each.level === level && each.applicable);
    if (counting.some(({ status }) => status !== 'passed')) return reached;
    reached = level;
  }
  return reached;
}

/** All checks, one after another. `internals` is for the kit's own tests. */
export async function runChecks(
  connector: Connector,
  options: ConformanceOptions,
  internals: Internals = {},
): Promise<ConformanceReport> {
  const began = performance.now();
  const subject = subjectOf(connector, options, internals);
  const results: CheckResult[] = [];
  for (const [about, checks] of Object.entries(SUBJECTS))
    for (const check of checks) results.push(await runCheck(subject, about, check));
  const milliseconds = Math.round(performance.now() - began);
  return { connector: connector.id, level: levelOf(results), results, milliseconds };
}
