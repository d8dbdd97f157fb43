import type { DeclineCode } from './decline-codes.ts';
import type { Money } from '../money/money.ts';
import { type StatusReport, withGivenBack } from './given-back.ts';
import type { ProviderEvent } from './notification.ts';
import { isOfAnother, ofThisPayment, type References } from './of-this-payment.ts';
import type { PaymentFacts } from '../payment/facts.ts';
import type { ModificationFlowName } from '../payment/modifications.ts';
import { authorized, declined, type ConnectorValues, type Outcome, pending, settled, unknown } from './outcome.ts';
import { type Reasons, withReason } from './reasons.ts';
import type { Show } from './show.ts';

/** The meaning of a provider's status word. A decline says whether another attempt may succeed, and why; `reason` as in `declined`. */
export type Meaning =
  | 'settled'
  | 'authorized'
  | 'pending'
  | { readonly declined: 'soft' | 'hard'; readonly code: DeclineCode; readonly reason?: string }
  /** It ends what was there before: of a payment that waits a decline, of a hold its release. `report` and `events` tell it so. */
  | { readonly ended: 'soft' | 'hard'; readonly code: DeclineCode; readonly reason?: string }
  | LateMeaning;

/** A word about a payment that has had money: an event and no outcome, or nothing where a modification of ours reports it itself. */
type LateMeaning =
  | { readonly later: 'reversal' | 'hold-expired' | 'reported-by-its-modification' }
  | { readonly later: 'chargeback'; readonly result?: 'won' | 'lost' };

/** A meaning, with what the provider's documentation says of the word in short. It is for a word that the simulation never says. */
export type StatusRow = Meaning | { readonly meaning: Meaning; readonly says: string };

export interface StatusFacts {
  readonly word: string;
  readonly providerReference: string;
  /** Ours, as the reply repeats it; `read` compares it with the reference that was asked for. */
  readonly merchantReference?: string | undefined;
  /** The amount that the provider reports as paid or held. */
  readonly amount: Money;
  readonly show?: Show | undefined;
  /** Until when the payer can pay, where the provider says it. */
  readonly payableUntil?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly agreement?: ConnectorValues | undefined;
  /** Values that are not known are left out. */
  readonly connectorState?: Readonly<Record<string, string | undefined>> | undefined;
  readonly facts?: PaymentFacts | undefined;
}

export interface StatusTable {
  readonly rows: Readonly<Record<string, Meaning>>;
  /** The explanations of the words that have one. */
  readonly says: Readonly<Record<string, string>>;
  /**
   * Makes the outcome of a provider's word. A word that the table does not know is `unknown`, never pending or declined, and so is one of
   * what happened after the payment.
   *
   * @param asked the references in the request: a reply that refers to another payment is `unknown`, as in `ofThisPayment`
   * @example statuses.read({ word: status, providerReference: id, merchantReference: reference, amount }, payment)
   */
  read(facts: StatusFacts, asked?: References): Outcome;
  /**
   * The events of a provider's word, from a notification or a lookup: the payment's outcome, or what happened after it.
   *
   * @param id unique at the provider, as `ProviderEvent.id`
   * @param merchantReference ours, where the provider repeats it
   */
  events(id: string, merchantReference: string | undefined, facts: StatusFacts): readonly ProviderEvent[];
  /**
   * The report of a lookup: the word's outcome, what happened after the payment, or its end. A word of a dispute also says that the money came.
   *
   * @param id of that event, the same as in its notification, and one for all words of a dispute: a lookup may find its result alone
   * @example statuses.report({ word: status, providerReference: id, merchantReference: reference, amount }, payment, `${id}/dispute`)
   */
  report(facts: StatusFacts, asked: References & { readonly merchantReference: string }, id: string): StatusReport;
}

/** Things about which a provider may say a word in another sense than about a payment: `reversed` of a charge, and of a payout. */
export type StatusEffect = ModificationFlowName | 'payout';

/** The status tables of one connector. */
export interface StatusTables {
  /** Of payments, and of whatever has no table of its own. */
  readonly statuses: StatusTable;
  readonly effectStatuses?: Readonly<Partial<Record<StatusEffect, StatusTable>>>;
}

/** Every table of a connector, that of payments first. */
export const tablesOf = ({ statuses, effectStatuses = {} }: StatusTables): readonly StatusTable[] => [
  statuses,
  ...Object.values(effectStatuses),
];

/** The table by which a word is read. */
export const tableOf = ({ statuses, effectStatuses }: StatusTables, effect: StatusEffect | 'payment'): StatusTable =>
  (effect === 'payment' ? undefined : effectStatuses?.[effect]) ?? statuses;

/** Whether one of a connector's tables knows a word. */
export const knowsWord = (connector: StatusTables, word: string): boolean =>
  tablesOf(connector).some(({ rows }) => Object.hasOwn(rows, word));

/**
 * Declares a provider's status words, case-sensitive as the provider writes them.
 *
 * @param declared by word; a word that the kit cannot meet is explained, as `{ meaning: 'pending', says: 'held for review' }`
 * @param reasons what a decline's `code` says, as in `withReason`: it counts before the word
 * @example
 * const statuses = statusTable({ PAID: 'settled', OPEN: 'pending', EXPIRED: { declined: 'soft', code: 'expired' } });
 */
export function statusTable(declared: Readonly<Record<string, StatusRow>>, reasons: Reasons = new Map()): StatusTable {
  const entries = Object.entries(declared);
  const known = new Map(
    entries.map(([word, row]) => [word, typeof row === 'object' && 'meaning' in row ? row.meaning : row] as const),
  );
  const read = (facts: StatusFacts, asked: References = {}): Outcome =>
    ofThisPayment(outcomeOf(known.get(facts.word), facts, reasons), asked, facts.merchantReference);
  const events: StatusTable['events'] = (id, merchantReference, facts) => {
    const { word, providerReference, amount } = facts;
    const event = {
      id,
      providerReference,
      ...(merchantReference !== undefined && { merchantReference }),
      provider: { status: word },
    };
    const meaning = known.get(word);
    if (isLate(meaning)) return laterEvents(meaning, event, amount);
    return [{ ...event, kind: isEnd(meaning) ? 'ended' : 'payment', outcome: read(facts) }];
  };
  return {
    rows: Object.fromEntries(known),
    says: Object.fromEntries(
      entries.flatMap(([word, row]) => (typeof row === 'object' && 'meaning' in row ? [[word, row.says]] : [])),
    ),
    read,
    events,
    report(facts, asked, id) {
      const meaning = known.get(facts.word);
      if ((!isLate(meaning) && !isEnd(meaning)) || isOfAnother(asked, facts)) return read(facts, asked);
      const later = events(id, asked.merchantReference, facts);
      return isLate(meaning) && meaning.later === 'chargeback'
        ? withGivenBack(outcomeOf('settled', facts, reasons), asked.merchantReference, later)
        : { events: later };
    },
  };
}

const isLate = (meaning: Meaning | undefined): meaning is LateMeaning =>
  typeof meaning === 'object' && 'later' in meaning;

const isEnd = (meaning: Meaning | undefined): boolean => typeof meaning === 'object' && 'ended' in meaning;

function laterEvents(
  meaning: LateMeaning,
  event: Pick<ProviderEvent, 'id' | 'providerReference' | 'merchantReference' | 'provider'>,
  amount: Money,
): readonly ProviderEvent[] {
  switch (meaning.later) {
    case 'reported-by-its-modification':
      return [];
    case 'hold-expired':
      return [{ ...event, kind: 'hold-expired' }];
    case 'reversal':
      return [{ ...event, kind: 'reversal', amount }];
    case 'chargeback':
      return [{ ...event, kind: 'chargeback', amount, ...(meaning.result && { result: meaning.result }) }];
  }
}

function knownValues(given: StatusFacts['connectorState'] = {}): { readonly connectorState?: ConnectorValues } {
  const known = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return known.length === 0 ? {} : { connectorState: Object.fromEntries(known) };
}

function outcomeOf(meaning: Meaning | undefined, facts: StatusFacts, reasons: Reasons): Outcome {
  const { word, code, message, providerReference, agreement, connectorState } = facts;
  const extra = {
    provider: { status: word, ...(code !== undefined && { code }), ...(message !== undefined && { message }) },
    ...(agreement && { agreement }),
    ...knownValues(connectorState),
    ...(facts.facts && { facts: facts.facts }),
  };
  if (meaning === undefined)
    return unknown(`The provider answered the unknown status "${word}".`, { providerReference, ...extra });
  if (meaning === 'pending') {
    const { payableUntil, show } = facts;
    return pending(providerReference, show, { ...extra, ...(payableUntil !== undefined && { payableUntil }) });
  }
  if (meaning === 'settled') return settled(providerReference, facts.amount, extra);
  if (meaning === 'authorized') return authorized(providerReference, facts.amount, extra);
  if (isLate(meaning))
    return unknown(`The provider answered the status "${word}", which is no outcome.`, { providerReference, ...extra });
  const { reason } = meaning;
  const refused = { ...(reason !== undefined && { reason }), providerReference, ...extra };
  const kind = 'ended' in meaning ? meaning.ended : meaning.declined;
  return withReason(declined(kind, meaning.code, refused), reasons, code);
}
