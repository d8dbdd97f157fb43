import type { OutcomeStatus } from '../connector/outcome.ts';
import { LATE_ROWS } from './late-rows.ts';
import { byName, PAYMENT_STATES, type PaymentStateName } from './state-names.ts';
import type { PaymentEvent, Row, TransitionRow } from './transition-row.ts';

export { PAYMENT_STATES, type PaymentEvent, type PaymentStateName, type TransitionRow };

const PROTOCOL = 'protocol, States and transitions';
const REFERENCE = 'reference, Callback';
const CARD = 'reference S2S CARD, CAPTURE, CREDITVOID, VOID';
const CHANGE = '[decision](decisions/payment-states.md)';
const MACHINE = '[decision](decisions/payment-states.md)';
const PART = '[decision](decisions/late-and-partial-money.md)';

const STARTED = ['created', 'pending'] as const;

const ROWS: readonly Row[] = [
  { from: ['none'], on: 'begun', to: 'created', when: 'the payer chose a method', source: PROTOCOL },

  {
    from: STARTED,
    on: 'settled',
    to: 'settled',
    when: 'amount and currency match the payment',
    source: PROTOCOL,
  },
  {
    from: STARTED,
    on: 'authorized',
    to: 'authorized',
    when: 'amount and currency match the payment',
    source: PROTOCOL,
  },
  {
    from: STARTED,
    on: 'pending',
    to: 'pending',
    when: 'the provider accepted the payment, and nothing is final',
    source: PROTOCOL,
  },
  {
    from: STARTED,
    on: 'unknown',
    to: 'pending',
    when: 'the outcome is unknown: it is looked up, and never shown as a failure',
    source: REFERENCE,
  },
  { from: STARTED, on: 'declined', to: 'declined', when: 'the provider refused the payment', source: PROTOCOL },
  { from: STARTED, on: 'deposit', to: 'settled', when: 'the deposits reach the amount', source: CHANGE },
  {
    from: STARTED,
    on: 'deposit',
    to: 'pending',
    when: 'the deposits are less than the amount, or not confirmed yet',
    source: CHANGE,
  },
  {
    from: STARTED,
    on: 'expiry',
    to: 'expired',
    when: 'session and code are over, a later lookup finds nothing, and no money is known or set aside',
    source: PART,
  },

  {
    from: STARTED,
    on: 'approved-in-part',
    to: 'partially_approved',
    when: 'the reply to a call or a lookup says that the provider took or holds less than the amount',
    source: PART,
  },

  { from: ['expired'], on: 'settled', to: 'settled', when: 'money that comes late still counts', source: MACHINE },
  {
    from: ['expired'],
    on: 'authorized',
    to: 'authorized',
    when: 'a hold that comes late still counts',
    source: MACHINE,
  },
  { from: ['expired'], on: 'deposit', to: 'settled', when: 'the deposits reach the amount', source: MACHINE },
  { from: ['expired'], on: 'deposit', to: 'pending', when: 'the deposits are less than the amount', source: MACHINE },
  {
    from: ['declined'],
    on: 'settled',
    to: 'settled',
    solicited: true,
    when: 'a lookup finds the money',
    source: CHANGE,
  },
  {
    from: ['declined'],
    on: 'authorized',
    to: 'authorized',
    solicited: true,
    when: 'a lookup finds the hold',
    source: CHANGE,
  },
  {
    from: ['declined'],
    on: 'deposit',
    to: 'settled',
    solicited: true,
    when: 'the deposits reach the amount',
    source: CHANGE,
  },
  {
    from: ['declined'],
    on: 'deposit',
    to: 'pending',
    solicited: true,
    when: 'the deposits are less than the amount',
    source: CHANGE,
  },
  {
    from: ['expired', 'declined'],
    on: 'approved-in-part',
    to: 'partially_approved',
    solicited: true,
    when: 'a lookup says that the provider took or holds less than the amount',
    source: PART,
  },

  {
    from: ['partially_approved'],
    on: 'accepted',
    to: 'settled',
    when: 'the merchant accepts the received part',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'accepted',
    to: 'authorized',
    when: 'the merchant accepts the held part',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'captured',
    to: 'settled',
    when: 'once, for the held amount or a part of it',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'approved-in-part',
    to: 'partially_approved',
    when: 'the provider captured the held part',
    source: PART,
  },
  { from: ['partially_approved'], on: 'voided', to: 'declined', when: 'the part was given back', source: PART },
  { from: ['partially_approved'], on: 'released', to: 'declined', when: 'the part was given back', source: PART },
  { from: ['partially_approved'], on: 'refunded', to: 'declined', when: 'the whole part was given back', source: PART },
  {
    from: ['partially_approved'],
    on: 'refunded',
    to: 'partially_approved',
    when: 'some of the part was given back',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'reversed',
    to: 'declined',
    when: 'the provider or the bank gave the part back',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'given-back',
    to: 'declined',
    when: 'an operator gave the part back at the provider',
    source: PART,
  },
  {
    from: ['partially_approved'],
    on: 'declined',
    to: 'set-aside',
    when: 'approved money cannot be refused any more',
    source: PART,
  },

  {
    from: ['authorized'],
    on: 'captured',
    to: 'settled',
    when: 'once, for the held amount or a part of it',
    source: PROTOCOL,
  },
  { from: ['authorized'], on: 'settled', to: 'settled', when: 'the provider captured the whole hold', source: CHANGE },
  { from: ['authorized'], on: 'released', to: 'reversed', when: 'CREDITVOID of a hold', source: CARD },
  {
    from: ['authorized'],
    on: 'reversed',
    to: 'reversed',
    when: 'the provider or the bank released the hold',
    source: CARD,
  },
  { from: ['authorized'], on: 'declined', to: 'set-aside', when: 'a hold cannot be refused any more', source: CHANGE },

  {
    from: ['settled'],
    on: 'voided',
    to: 'voided',
    when: 'VOID of settled money; nothing was refunded',
    source: PROTOCOL,
  },
  {
    from: ['settled'],
    on: 'refunded',
    to: 'refunded',
    when: 'the refunds reach the received amount',
    source: REFERENCE,
  },
  { from: ['settled'], on: 'refunded', to: 'settled', when: 'a part is refunded', source: REFERENCE },
  { from: ['settled'], on: 'reversed', to: 'reversed', when: 'the bank took the whole amount back', source: REFERENCE },
  {
    from: ['settled'],
    on: 'charged-back',
    to: 'charged_back',
    when: 'the payer disputed the payment, or disputed it again after the merchant had won',
    source: REFERENCE,
  },
  { from: ['settled'], on: 'deposit', to: 'settled', when: 'further deposits add up', source: CHANGE },
  {
    from: ['settled'],
    on: 'declined',
    to: 'set-aside',
    when: 'an event does not take settled money back',
    source: CHANGE,
  },

  ...LATE_ROWS,
];

/** The state machine of a payment: the one table from which code, database, documentation and tests come. */
export const TRANSITIONS: readonly TransitionRow[] = ROWS.flatMap(({ from, ...row }) =>
  from.map((state) => ({ from: state, ...row })),
);

/** The effect of an outcome in a state. `ignore`: older than the known state. `conflict`: see `asked` and `set-aside` above. */
export type Move = PaymentStateName | 'ignore' | 'conflict';

const OUTCOMES: readonly OutcomeStatus[] = ['settled', 'authorized', 'pending', 'declined', 'unknown'];

/** The row of a happening in a state, if it has one; of several the first. */
export function transitionOf(from: PaymentStateName, on: PaymentEvent): TransitionRow | undefined {
  return TRANSITIONS.find((row) => row.from === from && row.on === on);
}

/** The effect of each outcome in each state, from the table. */
export const MOVES: Readonly<Record<PaymentStateName, Readonly<Record<OutcomeStatus, Move>>>> = byName(
  PAYMENT_STATES,
  (state) => byName(OUTCOMES, (outcome) => moveOf(transitionOf(state, outcome))),
);

function moveOf(row: TransitionRow | undefined): Move {
  if (row === undefined) return 'ignore';
  return row.to === 'set-aside' || row.solicited === true ? 'conflict' : row.to;
}

/** Every change of state there is, once each: what the database lets through. A state that stays as it is, is no change. */
export const LEGAL_MOVES: readonly { readonly from: PaymentStateName | 'none'; readonly to: PaymentStateName }[] =
  PAYMENT_STATES.flatMap((to) =>
    (['none', ...PAYMENT_STATES] as const)
      .filter((from) => from !== to && TRANSITIONS.some((row) => row.from === from && row.to === to))
      .map((from) => ({ from, to })),
  );

const OPEN: ReadonlySet<PaymentStateName> = new Set(['created', 'pending', 'authorized', 'partially_approved']);

/** A final state is left only by a modification on the payment, by an event of the bank, by late money, or by a lookup that contradicts it. */
export function isFinal(state: PaymentStateName): boolean {
  return !OPEN.has(state);
}
