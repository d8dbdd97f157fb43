import type { Money } from '@railyard/core';
import { type Check, NO_PROVIDER, notApplicable, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type InCurrency, inCurrencies, isAmount, nameOf, openingOf } from '../in-currency.ts';
import { play, type Story } from '../play/story.ts';
import type { LedgerLine } from '../provider/double.ts';
import type { Subject } from '../subject.ts';

/** The ways by which the amount of a payment is read: from the reply that makes it, from its notification and from its lookup. */
const WAYS = [
  { how: 'in the reply that makes it', pays: 'at-once', notified: false },
  { how: 'in its notification', pays: 'later', notified: true },
  { how: 'in its lookup', pays: 'later', notified: false },
] as const;
type Way = Pick<Story, 'pays' | 'notified'>;

const NOTHING_READ = notApplicable('No payment of a sample reads an amount.');

/** The amount that the provider moved, and the one that the payment kept. */
interface Kept {
  readonly line: LedgerLine;
  readonly amount: Money | undefined;
  /** Why money was set aside. */
  readonly aside: string | undefined;
}

/** Plays the payment; nothing where its amount was never read. */
async function keptOf(subject: Subject, { own, asked }: InCurrency, way: Way): Promise<Kept | undefined> {
  const story: Story = { name: nameOf(own, asked), case: own, ...way };
  const { payment, provider } = await play(subject, story);
  const { received, held } = payment.state;
  const line = openingOf(provider);
  const [amount, aside] = [received ?? held, payment.quarantined[0]];
  return line === undefined || (amount ?? aside) === undefined ? undefined : { line, amount, aside };
}

function misread({ line, amount, aside }: Kept): string | undefined {
  if (aside !== undefined) return `sets it aside: ${aside}`;
  return amount === undefined || isAmount(line, amount) ? undefined : `keeps ${amount.text} ${amount.currency}`;
}

export const readAmountChecks: readonly Check[] = [
  {
    id: 'amounts-are-read-back',
    level: 'required',
    title:
      'the amount and currency that the payment keeps are those of the provider, whether a reply, a notification or a lookup says them',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const found: Finding[] = [];
      let read = 0;
      for (const each of inCurrencies(subject))
        for (const { how, ...way } of WAYS) {
          const path = `sessions.${each.own.path}`;
          const name = nameOf(each.own, each.asked);
          try {
            const kept = await keptOf(subject, each, way);
            if (kept === undefined) continue;
            read += 1;
            const says = misread(kept);
            if (says !== undefined)
              found.push({
                path,
                says: `${name}: the provider moved ${kept.line.amount} ${kept.line.currency ?? ''} and says it ${how}; the payment ${says}. Read the amount and the currency by the converter of core that undoes the one of the request.`,
              });
          } catch (error) {
            found.push({ path, says: `${name}: ${textOf(error)}` });
          }
        }
      return read === 0 && found.length === 0 ? NOTHING_READ : found;
    },
  },
];
