import type { AnyEndpoint } from '@railyard/core/driver';
import { type Check, NO_SAMPLE, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { everyWalk, outcomesOf, runsOf } from '../runs.ts';
import { answering, type Walk, walk } from '../walk.ts';

const HOUR_MS = 3_600_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The same points in time, as a provider two hours east of Greenwich writes them. */
const inAnotherZone = (body: unknown): unknown =>
  leavesOf(body).reduce<unknown>((data, { place, value }) => {
    if (typeof value !== 'string' || !TIME.test(value)) return data;
    const local = new Date(Date.parse(value) + 2 * HOUR_MS).toISOString().replace(/\.\d+Z$/, '+02:00');
    return withValue(data, place, local);
  }, body);

/** The ends that a walk's outcomes say. */
const endsOf = (walked: Walk): readonly string[] =>
  outcomesOf(walked).flatMap((outcome) =>
    outcome.status === 'pending' ? [outcome.show?.validUntil ?? [], outcome.payableUntil ?? []].flat() : [],
  );

/** An end that is none in UTC, or another than where the provider writes UTC; nothing where the reply is not read so. */
function wrongEnd(each: ReturnType<typeof runsOf>[number], endpoint: AnyEndpoint, at: number): string | undefined {
  const [usual = [], zoned = []] = [{ at }, { at, change: inAnotherZone }].map((reply) =>
    endsOf(walk(each.run, answering(each.options, endpoint, reply))),
  );
  const other = [...usual, ...zoned].find((end) => !end.endsWith('Z') || Number.isNaN(Date.parse(end)));
  if (other !== undefined) return `"${other}" is no time in UTC`;
  const moved = zoned.find((end, index) => Date.parse(end) !== Date.parse(usual[index] ?? end));
  return moved === undefined
    ? undefined
    : `"${moved}" is said in place of ${usual.join(', ')} where the provider writes another zone`;
}

export const endChecks: readonly Check[] = [
  {
    id: 'ends-are-in-utc',
    level: 'required',
    title: 'the end of what the payer is shown is in UTC, also where the provider writes its times with an offset',
    run({ cases }) {
      if (cases.length === 0) return NO_SAMPLE;
      const found = new Map<string, Finding>();
      let ends = 0;
      for (const each of cases.flatMap((one) => runsOf(one))) {
        ends += everyWalk(each).flatMap(endsOf).length;
        for (const endpoint of new Set(walk(each.run, each.options).requests.map((request) => request.endpoint)))
          for (const at of endpoint.examples.keys()) {
            const says = wrongEnd(each, endpoint, at);
            const path = `endpoints.${endpoint.name}`;
            if (says !== undefined)
              found.set(path, {
                path,
                says: `${each.name}: ${says}. Write new Date(text).toISOString(), or let the schema take UTC alone: z.iso.datetime().`,
              });
          }
      }
      return ends === 0 ? notApplicable('No reply says until when the payer can pay.') : [...found.values()];
    },
  },
];
