import { compareMoney, type Money, money, type Outcome } from '@railyard/core';
import { addMoney } from '@railyard/core/payment';
import { cannotRun, type Check, NO_PROVIDER, notApplicable, over, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { HostModification } from '../host/disk.ts';
import { validate } from '../host/world.ts';
import { inCurrencies, isAmount, nameOf, openingOf } from '../in-currency.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { baselines } from '../play/judge.ts';
import { playParts } from '../play/parts.ts';
import { play, type Story } from '../play/story.ts';
import { type CaseRun, concluder, outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { answering, walk } from '../walk.ts';

const NO_AMOUNT = cannotRun('No sample is of an amount. See the check samples-are-valid.');

export const moneyChecks: readonly Check[] = [
  {
    id: 'amounts-reach-the-provider',
    level: 'required',
    title:
      'the provider is asked for the amount and currency of the session, in currencies of every number of decimals',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const found: Finding[] = [];
      const all = inCurrencies(subject);
      for (const { own, asked } of all) {
        const story: Story = { name: nameOf(own, asked), case: own, pays: 'at-once' };
        const path = `sessions.${own.path}`;
        try {
          const line = openingOf((await play(subject, story)).provider);
          if (line === undefined)
            found.push({
              path,
              says: `${story.name}: the provider has no charge. Is the amount written as the provider reads it?`,
            });
          else if (!isAmount(line, asked))
            found.push({
              path,
              says: `${story.name}: the provider was asked for ${line.amount} ${line.currency ?? ''}. Use the converter of core that the provider's documentation asks for.`,
            });
        } catch (error) {
          found.push({ path, says: `${story.name}: ${textOf(error)}` });
        }
      }
      return all.length === 0 ? NO_AMOUNT : found;
    },
  },
  {
    id: 'flows-build-in-every-currency',
    level: 'required',
    title: 'the flows make their requests in currencies of every number of decimals that the method takes',
    run(subject) {
      return over(inCurrencies(subject), NO_AMOUNT, ({ own, asked }) =>
        runsOf(own, own.deployment).flatMap(({ name, path, run, options }): Finding[] => {
          const { end } = walk(run, options);
          return end.kind === 'threw'
            ? [{ path, says: `${name} throws in ${asked.currency}: ${textOf(end.error)}` }]
            : [];
        }),
      );
    },
  },
  {
    id: 'open-amounts-build',
    level: 'required',
    title: 'where the payer may choose the amount, the flow makes its request without one',
    run({ cases }) {
      const open = cases.filter(({ method, operation }) => method.operations[operation]?.openAmount === true);
      const without = open
        .map((one) => {
          const request = withValue(one.request, 'order.amount', undefined);
          return { one, request, deployment: { ...one.deployment, session: request } };
        })
        .filter(({ deployment, request }) => validate(deployment, request).ok);
      return over(without, 'No operation has an open amount.', ({ one, deployment }): readonly Finding[] => {
        const [first] = runsOf(one, deployment);
        const end = first === undefined ? undefined : walk(first.run, first.options).end;
        return end?.kind === 'threw'
          ? [{ path: `sessions.${one.path}`, says: `Without an amount the flow throws: ${textOf(end.error)}` }]
          : [];
      });
    },
  },
  {
    id: 'settled-amount-is-the-providers',
    level: 'required',
    title: 'what is settled is the amount that the provider says, not the one that was asked for',
    run(subject) {
      const found: Finding[] = [];
      let seen = 0;
      for (const each of subject.cases.flatMap((one) => runsOf(one))) {
        const concludes = concluder(each, subject.connector);
        for (const { request, change, amount } of lesserReplies(subject, each)) {
          const walked = walk(each.run, answering(each.options, request.endpoint, { at: 0, change }));
          if (!concludes(walked, request.endpoint)) continue;
          seen += 1;
          const wrong = outcomesOf(walked).find(
            (outcome) => movedOf(outcome) !== undefined && !amount(movedOf(outcome)),
          );
          if (wrong !== undefined)
            found.push({
              path: `endpoints.${request.endpoint.name}`,
              says: `${each.name}: the reply says another amount, and the outcome says ${movedOf(wrong)?.text ?? ''}. Take the amount from the reply.`,
            });
        }
      }
      return seen === 0 ? notApplicable('No example of an endpoint says an amount.') : found;
    },
  },
  partsCheck(
    'refund',
    'partial-refunds-keep-within-the-rest',
    'refunds in parts give back what was asked, and together never more than was paid',
  ),
  partsCheck(
    'capture',
    'partial-captures-keep-within-the-hold',
    'captures in parts take what was asked, and together never more than was held',
  ),
];

/** A part, then the rest: what the provider did must be what was asked. */
function partsCheck(modification: Extract<HostModification, 'refund' | 'capture'>, id: string, title: string): Check {
  return {
    id,
    level: 'required',
    title,
    async run(subject) {
      const modifying = subject.cases.filter(({ flows }) => flows[modification]?.partial === true);
      if (modifying.length === 0) return notApplicable(`No method takes a ${modification} in parts.`);
      if (subject.provider === undefined) return NO_PROVIDER;
      const stories = (await baselines(subject)).all.filter(
        ({ story }) => story.modification === modification && modifying.includes(story.case),
      );
      if (stories.length === 0)
        return cannotRun(
          `No sample comes to a ${modification}. Give one${modification === 'capture' ? ' with session: { auth: true }' : ''}.`,
        );
      const found: Finding[] = [];
      for (const { story } of stories) found.push(...(await partsOf(subject, story, modification)));
      return found;
    },
  };
}

async function partsOf(
  subject: Subject,
  story: Story,
  modification: 'refund' | 'capture',
): Promise<readonly Finding[]> {
  const path = `sessions.${story.case.path}`;
  const { asked, whole, lines } = await playParts(subject, story, modification);
  const moved = lines.map(({ amount, currency }) => money(amount, currency ?? whole.currency));
  const sum = moved.length === 0 ? undefined : moved.reduce(addMoney);
  if (sum !== undefined && compareMoney(sum, whole) > 0)
    return [
      {
        path,
        says: `${story.name}: of ${whole.text} the provider moved ${sum.text}. Ask for the modification's amount, not for the payment's.`,
      },
    ];
  const other = asked.find((part, index) => moved[index] === undefined || compareMoney(moved[index], part) !== 0);
  return other === undefined
    ? []
    : [
        {
          path,
          says: `${story.name}: a ${modification} of ${other.text} was asked, and the provider did ${moved.map(({ text }) => text).join(', ') || 'nothing'}. Ask for the modification's amount.`,
        },
      ];
}

const movedOf = (outcome: Outcome): Money | undefined =>
  outcome.status === 'settled' || outcome.status === 'authorized' ? outcome.amount : undefined;

/** Changes of the replies of success: another amount than the example's, and the word for settled. */
function lesserReplies({ options: { simulation } }: Subject, { run, options, table: { rows } }: CaseRun) {
  const { requests } = walk(run, options);
  const settledWord = Object.keys(rows).find((word) => rows[word] === 'settled');
  return requests.flatMap((request) => {
    const { name, examples } = request.endpoint;
    const fitting = leavesOf(examples[0]?.body).filter(
      ({ place, value }) => /(^|[._])(amount|paid|value|total)$/i.test(place) && /^-?\d+(\.\d+)?$/.test(String(value)),
    );
    const declared = simulation?.endpoints[name]?.reply.amount;
    const first = fitting.find(({ place }) => place === declared) ?? fitting[0];
    return [first ?? []].flat().map(({ place, value }) => {
      // Some providers write what is given back as a negative amount.
      const other = String(value).replace(/\d/, (digit) => (digit === '7' ? '3' : '7'));
      const bare = significant(other.replace(/[.-]/g, ''));
      const change = (body: unknown) => {
        const word = leavesOf(body).find((leaf) => typeof leaf.value === 'string' && leaf.value in rows);
        const said = word === undefined || settledWord === undefined ? body : withValue(body, word.place, settledWord);
        return withValue(said, place, typeof value === 'number' ? Number(other) : other);
      };
      return {
        request,
        change,
        amount: (moved: Money | undefined) => moved !== undefined && significant(String(moved.minor)) === bare,
      };
    });
  });
}

const significant = (digits: string) => digits.replace(/^0+/, '').replace(/(?<!0)0+$/, '');
