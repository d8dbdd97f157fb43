import type { DeclineCode } from './decline-codes.ts';
import type { Money } from '../money/money.ts';
import type { PaymentFacts } from '../payment/facts.ts';
import {
  authorized,
  declined,
  type ConnectorValues,
  type Outcome,
  pending,
  type ProviderWord,
  settled,
  unknown,
} from './outcome.ts';
import type { Show } from './show.ts';

/** The meaning of a provider's status word. A decline says whether another attempt may succeed, and why; `reason` as in `declined`. */
export type Meaning =
  | 'settled'
  | 'authorized'
  | 'pending'
  | { readonly declined: 'soft' | 'hard'; readonly code: DeclineCode; readonly reason?: string };

export interface StatusFacts {
  readonly word: string;
  readonly providerReference: string;
  /** The amount that the provider reports as paid or held. */
  readonly amount: Money;
  readonly show?: Show | undefined;
  /** Until when the payer can pay, where the provider says it. */
  readonly payableUntil?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly agreement?: ConnectorValues | undefined;
  readonly connectorState?: ConnectorValues | undefined;
  readonly facts?: PaymentFacts | undefined;
}

export interface StatusTable {
  readonly rows: Readonly<Record<string, Meaning>>;
  /** Makes the outcome of a provider's word. A word that the table does not know is `unknown`, never pending or declined. */
  read(facts: StatusFacts): Outcome;
}

/**
 * Declares a provider's status words, case-sensitive as the provider writes them.
 *
 * @example
 * const statuses = statusTable({ PAID: 'settled', OPEN: 'pending', EXPIRED: { declined: 'soft', code: 'expired' } });
 */
export function statusTable(rows: Readonly<Record<string, Meaning>>): StatusTable {
  const known = new Map(Object.entries(rows));
  return {
    rows,
    read(facts) {
      const meaning = known.get(facts.word);
      const provider: ProviderWord = {
        status: facts.word,
        ...(facts.code !== undefined && { code: facts.code }),
        ...(facts.message !== undefined && { message: facts.message }),
      };
      const extra = {
        provider,
        ...(facts.agreement && { agreement: facts.agreement }),
        ...(facts.connectorState && { connectorState: facts.connectorState }),
        ...(facts.facts && { facts: facts.facts }),
      };
      const { providerReference: reference } = facts;
      if (meaning === undefined)
        return unknown(`The provider answered the unknown status "${facts.word}".`, {
          providerReference: reference,
          ...extra,
        });
      if (meaning === 'pending') {
        const { payableUntil, show } = facts;
        return pending(reference, show, { ...extra, ...(payableUntil !== undefined && { payableUntil }) });
      }
      if (meaning === 'settled') return settled(reference, facts.amount, extra);
      if (meaning === 'authorized') return authorized(reference, facts.amount, extra);
      const { reason } = meaning;
      return declined(meaning.declined, meaning.code, {
        ...(reason !== undefined && { reason }),
        providerReference: reference,
        ...extra,
      });
    },
  };
}
