import { cannotRun, type Check, NO_PROVIDER, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { baselines, shared } from '../play/judge.ts';
import { type Parts, playParts } from '../play/parts.ts';
import type { Subject } from '../subject.ts';

interface Played {
  readonly path: string;
  readonly name: string;
  readonly parts: Parts;
}

/** Every story of a refund that may be made in parts, refunded twice. */
function refundedTwice(subject: Subject): Promise<readonly Played[]> {
  return shared(subject, 'refunded-twice', async () => {
    const stories = (await baselines(subject)).all.map(({ story }) => story);
    const found: Played[] = [];
    for (const story of stories.filter(
      ({ modification, case: one }) => modification === 'refund' && one.flows.refund?.partial === true,
    ))
      found.push({
        path: `sessions.${story.case.path}`,
        name: story.name,
        parts: await playParts(subject, story, 'refund'),
      });
    return found;
  });
}

const repeated = (texts: readonly string[]) => texts.find((text, index) => texts.indexOf(text) !== index);
const references = ({ payment }: Pick<Parts, 'payment'>) =>
  payment.modifications.flatMap(({ modification, reference }) =>
    modification === 'refund' && reference !== undefined ? [reference] : [],
  );

export const refundReferenceChecks: readonly Check[] = [
  {
    id: 'refunds-have-ids-of-their-own',
    level: 'required',
    title: 'two refunds of one payment have two ids at the provider and two references here',
    async run(subject) {
      if (subject.cases.every(({ flows }) => flows.refund?.partial !== true))
        return notApplicable('No method takes a refund in parts.');
      if (subject.provider === undefined) return NO_PROVIDER;
      const played = await refundedTwice(subject);
      if (played.length === 0) return cannotRun('No sample comes to a refund. Give one.');
      return played.flatMap(({ path, name, parts }): readonly Finding[] => {
        const ours = repeated(parts.ours);
        const theirs = repeated(references(parts));
        return [
          ...(ours === undefined
            ? []
            : [
                {
                  path,
                  says: `${name}: both refunds were asked for under "${ours}". Send the id of the modification, not one of the payment.`,
                },
              ]),
          ...(theirs === undefined
            ? []
            : [
                {
                  path,
                  says: `${name}: both refunds have the reference "${theirs}". Give the outcome the provider's reference of the refund.`,
                },
              ]),
        ];
      });
    },
  },
  {
    id: 'refunds-are-not-under-the-charge',
    level: 'required',
    title: "a refund's reference is not that of the charge",
    async run(subject) {
      if (subject.cases.every(({ flows }) => flows.refund === undefined))
        return notApplicable('No method takes refunds.');
      if (subject.provider === undefined) return NO_PROVIDER;
      const played = (await baselines(subject)).all.filter(({ story }) => story.modification === 'refund');
      if (played.length === 0) return cannotRun('No sample comes to a refund. Give one.');
      return played.flatMap(({ story, played: { payment } }): readonly Finding[] => {
        const shared_ = references({ payment }).find((each) => payment.references.includes(each));
        return shared_ === undefined
          ? []
          : [
              {
                path: `sessions.${story.case.path}`,
                says: `${story.name}: the outcome of the refund has the reference "${shared_}", which is the charge's. Give it the refund's own: else a notification of the refund is read as one of the charge.`,
              },
            ];
      });
    },
  },
];
