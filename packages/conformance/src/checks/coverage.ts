import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';

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
      const excepted = Object.keys(typeof options.coverage === 'object' ? options.coverage.except : {});
      const isExcepted = (code: string) => excepted.some((each) => code.startsWith(each));
      return [
        ...unreached
          .filter(({ code }) => !isExcepted(code))
          .map(({ inside, code }): Finding => ({
            path: `coverage.${inside === '' ? 'a function without a name' : inside}`,
            says: `No check leads here: ${code} … Give a sample, an example of a reply or a notification that does, or take the branch out.`,
          })),
        ...excepted
          .filter((each) => !unreached.some(({ code }) => code.startsWith(each)))
          .map((each): Finding => ({
            path: 'coverage.except',
            says: `A check leads to "${each}", or it is gone. Take it out of coverage.except.`,
          })),
      ];
    },
  },
];
