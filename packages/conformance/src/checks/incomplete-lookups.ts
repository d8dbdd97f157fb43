import type { AnyEndpoint } from '@railyard/core/driver';
import { type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type CaseRun, outcomesOf, runsOf } from '../runs.ts';
import { answering, type Walk, walk, type WalkOptions } from '../walk.ts';

/** The examples of an endpoint by which the provider fails. A refusal may say for good that there is no such list. */
const failuresIn = ({ examples, variants }: AnyEndpoint): readonly number[] =>
  [...examples.keys()].filter((at) => {
    const { is, status } = examples[at] ?? {};
    const statuses = [status ?? variants[is ?? Object.keys(variants)[0] ?? '']?.status ?? 200].flat();
    return statuses.every((each) => each >= 500);
  });

const endpointsOf = ({ requests }: Walk): ReadonlySet<AnyEndpoint> => new Set(requests.map(({ endpoint }) => endpoint));

/** A lookup with each example of each of its endpoints: some lists are asked for only where the payment says that something went back. */
function waysOf({ run, options }: CaseRun): readonly WalkOptions[] {
  const others = [...endpointsOf(walk(run, options))].flatMap((endpoint) =>
    [...endpoint.examples.keys()].map((at) => answering(options, endpoint, { at })),
  );
  return [options, ...others];
}

/** Whether a lookup says that the payment has its money, and nothing of a part that is missing. */
function isToldWhole({ end, ...walked }: Walk): boolean {
  if (end.kind !== 'done' || ('events' in end.report && end.report.incomplete !== undefined)) return false;
  return outcomesOf({ end, ...walked }).some(({ status }) => status === 'settled');
}

export const incompleteLookupChecks: readonly Check[] = [
  {
    id: 'failed-parts-are-looked-up-again',
    level: 'required',
    title: 'a lookup of which a part fails, a list of disputes for example, says that it is incomplete',
    run({ cases }) {
      const found = new Map<string, Finding>();
      let seen = 0;
      for (const each of cases.flatMap((one) => runsOf(one)).filter(({ flow }) => flow === 'status'))
        for (const options of waysOf(each))
          for (const endpoint of endpointsOf(walk(each.run, options)))
            for (const at of failuresIn(endpoint)) {
              seen += 1;
              const path = `endpoints.${endpoint.name}`;
              if (found.has(path) || !isToldWhole(walk(each.run, answering(options, endpoint, { at })))) continue;
              const says = `${each.name}: example ${at + 1} fails, and the lookup answers as though there were nothing. Answer { events, incomplete }, or give withGivenBack what is missing, so that it is looked up again.`;
              found.set(path, { path, says });
            }
      return seen === 0 ? notApplicable('No reply of a lookup has a status of 500 or more.') : [...found.values()];
    },
  },
];
