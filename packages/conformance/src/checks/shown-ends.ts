import { type Check, NO_SAMPLE, over } from '../check.ts';
import type { Finding } from '../finding.ts';
import { everyWalk, outcomesOf, runsOf } from '../runs.ts';
import type { Case } from '../subject.ts';

/** The statuses in which the flows of a sample end with the examples of their endpoints. */
function endsOf(one: Case, flows: readonly string[]): ReadonlySet<string> {
  const runs = runsOf(one).filter(({ flow }) => flows.includes(flow));
  return new Set(runs.flatMap((each) => everyWalk(each).flatMap(outcomesOf)).map(({ status }) => status));
}

const firsts = (cases: readonly Case[]) => cases.filter(({ isFirst }) => isFirst);

/** Ends that a provider's documentation shows: without them the kit sees payments that go well, and nothing else. */
export const shownEndChecks: readonly Check[] = [
  {
    id: 'declines-are-shown',
    level: 'recommended',
    title: 'an example shows how the provider declines or refuses each operation',
    run: ({ cases }) =>
      over(firsts(cases), NO_SAMPLE, (one): readonly Finding[] =>
        endsOf(one, [one.operation, 'status']).has('declined')
          ? []
          : [
              {
                path: `serves.${one.method.key}.${one.operation}`,
                says: 'No example of its endpoints leads to a decline. Give the one of the documentation: a reply with the declined word, or a refusal.',
              },
            ],
      ),
  },
  {
    id: 'refunds-are-shown',
    level: 'recommended',
    title: 'examples show a refund that the provider makes, and one that it refuses',
    run: ({ cases }) =>
      over(
        firsts(cases).filter((one) => runsOf(one).some(({ flow }) => flow === 'refund')),
        'No sample can be refunded.',
        (one): readonly Finding[] => {
          const ends = endsOf(one, ['refund', 'modificationStatus']);
          const lacks = [
            ...(ends.has('settled') || ends.has('pending') ? [] : ['a refund that is made']),
            ...(ends.has('declined') ? [] : ['a refund that is refused']),
          ];
          return lacks.map((what) => ({
            path: `serves.${one.method.key}.refund`,
            says: `No example of its endpoints shows ${what}. Give the one of the documentation.`,
          }));
        },
      ),
  },
];
