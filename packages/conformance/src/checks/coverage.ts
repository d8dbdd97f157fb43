import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';

const SHOWN = 90;

/** An exception is for one branch, so that it hides no other. */
function problemOf(beginning: string, reason: string, branches: number): string | undefined {
  if (beginning.trim() === '' || reason.trim() === '')
    return `The exception "${beginning}" lacks the beginning of its branch or its reason. Give both.`;
  if (branches === 0) return `A check leads to "${beginning}", or it is gone. Take it out of coverage.except.`;
  return branches === 1 ? undefined : `"${beginning}" begins ${branches} branches. Give more of the one that is meant.`;
}

export const coverageChecks: readonly Check[] = [
  {
    id: 'branches-are-reached',
    level: 'excellent',
    title: 'the samples, replies and notifications of the kit lead into every branch of the flows',
    run({ coverage, options }) {
      if (coverage === undefined) return notApplicable('Branches are not counted. Give coverage: true.');
      const unreached = coverage.unreached();
      if (unreached === undefined)
        return cannotRun(
          'The flows ran before the kit began, so V8 does not count them. Begin to count with the process, or run the kit in one of its own.',
        );
      const given = Object.entries(typeof options.coverage === 'object' ? options.coverage.except : {});
      const excepted = given.map(([beginning]) => beginning);
      const isExcepted = (code: string) => excepted.some((each) => code.startsWith(each));
      return [
        ...unreached
          .filter(({ code }) => !isExcepted(code))
          .map(({ inside, code }): Finding => ({
            path: `coverage.${inside === '' ? 'a function without a name' : inside}`,
            says: `No check leads here: ${code.slice(0, SHOWN)} … Give a sample, an example of a reply or a notification that does, or take the branch out.`,
          })),
        ...given.flatMap(([beginning, reason]): Finding[] => {
          const says = problemOf(beginning, reason, unreached.filter(({ code }) => code.startsWith(beginning)).length);
          return says === undefined ? [] : [{ path: 'coverage.except', says }];
        }),
      ];
    },
  },
];
