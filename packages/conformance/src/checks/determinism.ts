import { type Check, NO_SAMPLE, over } from '../check.ts';
import type { Finding } from '../finding.ts';
import { asText, leavesOf } from '../leaves.ts';
import { type CaseRun, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { walk, walking } from '../walk.ts';

const allRuns = ({ cases }: Subject) => cases.flatMap((one) => runsOf(one));
const requestsText = (walked: ReturnType<typeof walk>) => asText(walked.requests.map(({ step, wire }) => [step, wire]));

/** Plain data that refuses to be changed. Card handles and schemas stay as they are. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

export const determinismChecks: readonly Check[] = [
  {
    id: 'flows-are-deterministic',
    level: 'required',
    title: 'every flow makes the same requests each time that it is run',
    run(subject) {
      if (subject.cases.length === 0) return NO_SAMPLE;
      return allRuns(subject).flatMap(({ name, path, run, options }): Finding[] => {
        const [first, ...later] = [1, 2, 3].map(() => requestsText(walk(run, options)));
        return later.every((each) => each === first)
          ? []
          : [
              {
                path,
                says: `${name} makes other requests the second time. A flow is run again after a crash: take everything from its context.`,
              },
            ];
      });
    },
  },
  {
    id: 'flows-can-be-interleaved',
    level: 'required',
    title: 'two payments under way at once make the same requests as each alone',
    run(subject) {
      const runs = allRuns(subject);
      return over(runs, NO_SAMPLE, (one, index): readonly Finding[] => {
        const other = runs[(index + 1) % runs.length] ?? one;
        const alone = [one, other].map(({ run, options }) => requestsText(walk(run, options)));
        const going = [one, other].map(({ run, options }) => walking(run, options));
        for (let more = true; more;) more = going.map((each) => each.step()).some(Boolean);
        const together = going.map((each) => requestsText(each.walked()));
        return asText(alone) === asText(together)
          ? []
          : [
              {
                path: one.path,
                says: `${one.name} and ${other.name} disturb each other. Keep nothing outside of the flow.`,
              },
            ];
      });
    },
  },
  {
    id: 'inputs-are-left-alone',
    level: 'required',
    title: 'no flow and no request builder changes what it is given',
    run(subject) {
      if (subject.cases.length === 0) return NO_SAMPLE;
      return allRuns(subject).flatMap(({ name, path, run, options }: CaseRun): Finding[] => {
        const usual = walk(run, options).end.kind;
        const context = frozen(structured(run.context));
        const { end } = walk({ ...run, context, settings: frozen(structured(run.settings)) }, options);
        return end.kind === 'threw' && usual !== 'threw'
          ? [
              {
                path,
                says: `${name} changes its input: ${end.error instanceof Error ? end.error.message : ''}. Make a new object instead.`,
              },
            ]
          : [];
      });
    },
  },
  {
    id: 'requests-are-plain-data',
    level: 'required',
    title: 'requests are plain data: no float, no object with methods, no promise',
    run(subject) {
      if (subject.cases.length === 0) return NO_SAMPLE;
      return allRuns(subject).flatMap(({ run, options }) =>
        walk(run, options).requests.flatMap(({ endpoint, wire: { sign: _sign, ...wire } }): Finding[] => {
          const odd = leavesOf(wire).find(
            ({ value }) =>
              typeof value === 'function' ||
              typeof value === 'bigint' ||
              typeof value === 'symbol' ||
              (typeof value === 'number' && !Number.isSafeInteger(value)),
          );
          return odd === undefined
            ? []
            : [
                {
                  path: `endpoints.${endpoint.name}`,
                  says: `${odd.place} is ${typeof odd.value === 'number' ? 'a float' : `a ${typeof odd.value}`}. Write amounts with a converter of core.`,
                },
              ];
        }),
      );
    },
  },
];

/** A copy of plain parts; what is not plain is shared. */
function structured<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => structured(each)) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, structured(each)])) as T;
}
