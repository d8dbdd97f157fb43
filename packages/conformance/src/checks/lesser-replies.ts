import { type AnyEndpoint, isRefusal } from '@railyard/core/driver';
import { type Check, NO_SAMPLE } from '../check.ts';
import type { Finding } from '../finding.ts';
import { leavesOf, withoutItems, withValue } from '../leaves.ts';
import { outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { answering, type Walk, walk } from '../walk.ts';

const MONEY: ReadonlySet<string> = new Set(['settled', 'authorized']);

/** Whether a walk ends with money at the reply of an endpoint. Where the flow then asks the provider, the conclusion is of that answer. */
const isMoney = (walked: Walk, endpoint: AnyEndpoint) =>
  walked.requests.at(-1)?.endpoint === endpoint && outcomesOf(walked).some(({ status }) => MONEY.has(status));

/** Every place of a body, of its blocks and of its leaves. */
function placesIn(body: unknown): readonly string[] {
  const all = leavesOf(body).flatMap(({ place }) => {
    const names = place.split('.');
    return names.map((_name, index) => names.slice(0, index + 1).join('.'));
  });
  return [...new Set(all)].filter((place) => place !== '');
}

/** The examples of an endpoint by which the provider refuses. */
function refusalsIn({ examples, variants }: AnyEndpoint): readonly number[] {
  return [...examples.keys()].filter((at) => {
    const { is, status } = examples[at] ?? {};
    const variant = variants[is ?? Object.keys(variants)[0] ?? ''];
    return [status ?? variant?.status ?? 200].flat().every((each) => isRefusal(variant ?? {}, each));
  });
}

/** The part without which the example of a refusal is money, or nothing. */
function madeMoney({ run, options }: ReturnType<typeof runsOf>[number], endpoint: AnyEndpoint, at: number) {
  if (isMoney(walk(run, answering(options, endpoint, { at })), endpoint)) return undefined;
  const withoutLists = walk(run, answering(options, endpoint, { at, change: withoutItems }));
  if (isMoney(withoutLists, endpoint)) return 'the items of its lists';
  return placesIn(endpoint.examples[at]?.body).find((place) => {
    const change = (body: unknown) => withValue(body, place, undefined);
    return isMoney(walk(run, answering(options, endpoint, { at, change })), endpoint);
  });
}

export const lesserReplyChecks: readonly Check[] = [
  {
    id: 'refusals-without-parts-are-no-money',
    level: 'required',
    title: 'a refusal that lacks a part which its example shows settles nothing',
    run(subject: Subject) {
      if (subject.cases.length === 0) return NO_SAMPLE;
      const found = new Map<string, Finding>();
      for (const each of subject.cases.flatMap((one) => runsOf(one)))
        for (const endpoint of new Set(walk(each.run, each.options).requests.map((request) => request.endpoint)))
          for (const at of refusalsIn(endpoint)) {
            const path = `endpoints.${endpoint.name}`;
            const place = found.has(path) ? undefined : madeMoney(each, endpoint, at);
            if (place !== undefined)
              found.set(path, {
                path,
                says: `${each.name}: example ${at + 1} refuses, and without "${place}" it is taken for money. Decide by the reply, not by a part that may be absent.`,
              });
          }
      return [...found.values()];
    },
  },
];
