import { authorized, declined, money, settled, type Money, type Outcome, type PaymentFacts } from '@railyard/core';
import { isOpenModification, mergeFacts, type PaymentChange } from '@railyard/core/payment';
import * as z from 'zod';
import type { OperatorDeps } from './change/deps.ts';
import { cardUseOf } from '../callbacks/fields.ts';
import {
  fromJsonText,
  type FoundBySearch,
  type FoundPayments,
  type LeftPayment,
  type ListedPayment,
  type Modification,
  type Payment,
} from '../storage/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { requestOf } from './masked.ts';
import { startModification, wayBack } from './modify.ts';
import { applyChange } from './change/apply.ts';
import { paidBefore } from './change/after.ts';
import { amountOf } from './payment.ts';
import { paymentStory, type PaymentStory } from './story.ts';
import { applyModification } from './change/modification.ts';

/** An operator's finding about a modification. `reference`: the provider's, of the modification itself. */
export type FoundOut =
  | { readonly result: 'succeeded'; readonly providerReference?: string }
  | { readonly result: 'failed'; readonly providerReference?: string };

export interface ResolvedModification {
  /** A UUID. */
  readonly id: string;
  readonly kind: Modification['kind'];
  readonly state: Modification['state'];
  readonly payment: { readonly id: string; readonly state: string };
}

/** The operator's decisions on captures, voids, releases and refunds. */
export interface ModificationOperator {
  /**
   * Sets the result of a modification that is still open, as the provider confirmed it to the operator. It has the effect that the
   * provider's own answer would have, the merchant's callback included; the history says that an operator decided.
   *
   * @throws Error when there is no such modification, it has ended, its run is under way, a success has no reference, or it does not
   * fit the payment's state. Nothing has changed then.
   * @example await checkout.modifications.resolve('0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', { result: 'succeeded', reference: 're-81' });
   */
  resolve(id: string, found: FoundOut): Promise<ResolvedModification>;
}

export const modificationOperator = (context: OperatorDeps): ModificationOperator => ({
  async resolve(id, found) {
    const modification = await openModification(context, id);
    // The provider may still carry out an accepted modification. If its amount were freed, the money could move twice.
    if (modification.state === 'pending' && found.result === 'failed')
      throw new Error(`The provider has accepted the modification ${id}: only its own answer can say that it failed.`);
    const applied = await applyModification(context, modification.id, {
      outcome: outcomeOfModificationOperator(modification, found),
      via: 'operator',
    });
    if (applied.result === 'superseded') throw new Error(`The modification ${id} changed meanwhile. Look at it again.`);
    if (applied.result !== 'applied') throw new Error(`The modification ${id} stays as it is: ${applied.why}.`);
    const { payment } = applied;
    const state = found.result;
    return { id: modification.id, kind: modification.kind, state, payment: { id: payment.id, state: payment.state } };
  },
});

/** An open modification whose run has ended: a run under way may still send it, and answers by itself. */
async function openModification({ stores }: OperatorDeps, id: string): Promise<Modification> {
  const modification = z.uuid().safeParse(id).success ? await stores.modifications.find(id) : undefined;
  if (modification === undefined)
    throw new Error(
      `There is no modification ${id}. Give its id as the log has it, at "modification" of needs-attention.`,
    );
  if (!isOpenModification(modification.state))
    throw new Error(`The modification ${id} has ended: it ${modification.state}.`);
  const run = await stores.runs.find(modification.id);
  if (run !== undefined && run.state !== 'finished')
    throw new Error(`The run of the modification ${id} is still under way. Wait until it has ended.`);
  return modification;
}

function outcomeOfModificationOperator(
  { amount, providerReference }: Modification,
  { result, providerReference: reference }: FoundOut,
): Outcome {
  if (result === 'failed')
    return declined('hard', 'not_completed', {
      reason: 'An operator found that it did not take place.',
      ...(reference !== undefined && { providerReference: reference }),
    });
  const known = reference ?? providerReference;
  // Without it, later events of the same refund would be taken for another one.
  if (known === null) throw new Error("A success needs the provider's reference of the modification.");
  return settled(known, money(amount.text, amount.currency));
}

/**
 * An operator's finding about a payment. `reference`: the provider's, where the payment has none yet. `amount`: a decimal string
 * in the payment's currency, where the payer chose it.
 */
export type FoundOutcome =
  | {
      readonly outcome: 'settled' | 'authorized';
      readonly providerReference?: string;
      readonly amount?: string;
    }
  | { readonly outcome: 'declined' };

export interface ResolvedPayment {
  /** A UUID. */
  readonly id: string;
  readonly state: Payment['state'];
}

/** Properties of payments. One that is left out restricts nothing. */
export interface PaymentSearch {
  /** The merchant's live key. */
  readonly merchant?: string;
  /** The method's key, or the merchant's own key of it. */
  readonly method?: string;
  readonly mid?: string;
  /** `unknown`: pending, and its outcome is not known. */
  readonly state?: Payment['state'] | 'unknown';
  /** As a decimal string. */
  readonly amount?: { readonly text: string; readonly currency: string };
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /** The last four digits of the card that paid or was paid out to. */
  readonly lastFour?: string;
  /** How a stored card was used (protocol: Card-on-File): the words that callbacks have. */
  readonly initiator?: string;
  readonly source?: string;
  readonly sequence?: string;
  /** `next` of the page before. */
  readonly after?: string;
  /** Default: 100. */
  readonly limit?: number;
}

/** The operator's decisions on payments. */
export interface PaymentOperator {
  /**
   * Open payments whose automatic checks have stopped, because their lookups are used up or there are none; unknown outcomes
   * first. At most `limit`. Default: 100.
   */
  list(query?: { readonly limit?: number }): Promise<LeftPayment[]>;
  /**
   * Sessions and payments by any id that a person may have: of a payment or a session, the order number, our reference or the provider's. Newest
   * session first. At most `limit`. Default: 100.
   *
   * @example await checkout.payments.find('order-1234');
   */
  find(text: string, query?: { readonly limit?: number }): Promise<FoundBySearch[]>;
  /**
   * Payments by their properties, newest first. A page has at most `limit` payments and looks at a bounded number, so it may have none and yet
   * a `next`.
   *
   * @throws Error when `after` is not a payment, or the amount is none in its currency
   * @example await checkout.payments.search({ state: 'declined', lastFour: '1111', from: new Date('2026-11-01') });
   */
  search(query: PaymentSearch): Promise<FoundPayments>;
  /**
   * A payment with all that happened to it, what it waits for, and what can be done about it.
   *
   * @throws Error when there is no such payment
   */
  show(id: string): Promise<PaymentStory>;
  /**
   * Has the provider asked again about an open payment, now. Its answer, if there is one, is applied like any other lookup's.
   *
   * @throws Error when there is no such payment, it is no longer open, or its flow is under way
   */
  sync(id: string): Promise<void>;
  /**
   * Sets the result of a payment that is still open, as the provider confirmed it to the operator. It has the effect that the
   * provider's own answer would have, the merchant's callback included; the history says that an operator decided.
   *
   * @throws Error when there is no such payment, it is no longer open, its flow is under way, the provider has accepted it and it is
   * said to be declined, a success has no reference or another payment's, or the amount is not the payment's. Nothing has changed then.
   * @example await checkout.payments.resolve('5d4c…', { outcome: 'settled', reference: 'ch-81' });
   */
  resolve(id: string, found: FoundOutcome): Promise<ResolvedPayment>;
  /**
   * Accepts an approved part, whatever the merchant's rule says: the payment is settled, or held, with that amount.
   *
   * @throws Error when there is no such payment, it was not approved in part, or it is on its way back. Nothing has changed then.
   */
  accept(id: string): Promise<ResolvedPayment>;
  /**
   * Gives back an approved part, or money that came twice. The service does it by the connector. A payment that was approved in
   * part is declined once the provider has confirmed it.
   *
   * @param byHand `true`: it has been given back at the provider already
   * @throws Error when there is no such payment, its money is not to go back, it is on its way back, or the connector cannot do it
   */
  giveBack(id: string, options?: { readonly byHand?: boolean }): Promise<ResolvedPayment>;
  /**
   * Says that money that came and does not fit the payment has been dealt with: from then on the payment may expire and decline by itself.
   *
   * @throws Error when there is no such payment, or no money is set aside
   */
  dismiss(id: string): Promise<ResolvedPayment>;
}

const USUAL_LIMIT = 100;

export const paymentOperator = (context: OperatorDeps): PaymentOperator => ({
  list: ({ limit = USUAL_LIMIT } = {}) => context.stores.payments.left(limit),
  find: (text, { limit = USUAL_LIMIT } = {}) => context.stores.stories.search(text, limit),
  search: (query) => searchPayments(context, query),
  async show(id) {
    const story = z.uuid().safeParse(id).success ? await paymentStory(context, id) : undefined;
    if (story === undefined) throw noPayment(id);
    return story;
  },
  async sync(id) {
    const payment = await openPayment(context, id);
    await context.stores.payments.schedulePoll(payment.id, 0);
    context.log.info({ event: 'sync-requested', payment: payment.id, state: payment.state });
    context.wake('lookups');
  },
  async resolve(id, found) {
    const payment = await openPayment(context, id);
    const outcome = await outcomeOf(context, payment, found);
    return applyDecision(context, payment.id, { kind: 'outcome', outcome, via: 'operator' });
  },
  accept: (id) => applyDecision(context, id, { kind: 'accepted', via: 'operator' }),
  dismiss: (id) => applyDecision(context, id, { kind: 'dismissed', via: 'operator' }),
  async giveBack(id, { byHand = false } = {}) {
    if (byHand) return applyDecision(context, id, { kind: 'given-back', via: 'operator' });
    const payment = await paymentOf(context, id);
    if (payment.state !== 'partially_approved' && (await paidBefore(context, payment)) === undefined)
      throw new Error(
        `The payment ${id} stays as it is: it is ${payment.state}, was not approved in part, and no other payment of its session was first.`,
      );
    const modification = await wayBack(context, payment);
    if (modification === undefined)
      throw new Error(
        `The payment ${id} stays as it is: it is on its way back, or its connector cannot give it back. Give it back at the provider, then repeat the command with --by-hand.`,
      );
    // Its run belongs to no process: the service takes it over at its next poll.
    const started = await startModification(context, id, {
      modification,
      id: context.newId(),
      owner: null,
      leaseMs: 0,
    });
    if (started.kind === 'refused') throw new Error(`The payment ${id} stays as it is: ${started.why}.`);
    context.wake('runs');
    return { id, state: started.payment.state };
  },
});

/** Of each page so many requests are opened at the least, to see how a card was used. */
const MOST_OPENED = 200;

async function searchPayments(context: OperatorDeps, query: PaymentSearch): Promise<FoundPayments> {
  const { merchant, mid, amount, initiator, source, sequence, limit = USUAL_LIMIT, ...same } = query;
  if (same.after !== undefined) await paymentOf(context, same.after);
  const wanted = Object.entries({ initiator, source, sequence }).filter(([, word]) => word !== undefined);
  const filter = {
    ...same,
    ...(merchant !== undefined && { merchantKey: merchant }),
    ...(mid !== undefined && { midId: mid }),
    ...(amount && { amount: money(amount.text, amount.currency) }),
  };
  const { stories } = context.stores;
  if (wanted.length === 0) return shownPage(await stories.list(filter, limit));
  const page = await stories.list({ ...filter, mayUseStoredCard: true }, Math.max(limit, MOST_OPENED));
  const found = page.found.filter((each) => {
    const use: Readonly<Record<string, string | undefined>> = cardUse(context.sealer, each);
    return wanted.every(([name, word]) => use[name] === word);
  });
  const last = found[limit - 1];
  return shownPage({
    found: found.slice(0, limit),
    next: last !== undefined && found.length > limit ? last.paymentId : page.next,
  });
}

const shownPage = ({ found, next }: FoundPayments<ListedPayment>): FoundPayments => ({
  found: found.map(({ paymentId: _id, cardFacts: _facts, ...shown }) => shown),
  next,
});

/** As callbacks report it; nothing where the request cannot be read here. */
function cardUse(sealer: Sealer, { session: id, createdAt, cardFacts }: ListedPayment): PaymentFacts {
  if (cardFacts === null) return {};
  const { requestText, fromToken, factsText, ...payment } = cardFacts;
  const read = requestOf(sealer, { id, requestText, createdAt });
  const card = fromToken === null ? undefined : { fromToken };
  const used =
    read && cardUseOf(payment, { request: read.session, ...(read.command && { command: read.command }) }, card);
  return mergeFacts({ ...used }, factsSchema.parse(fromJsonText(factsText)));
}

const factsSchema = z.record(z.string(), z.string());

async function applyDecision(context: OperatorDeps, id: string, change: PaymentChange): Promise<ResolvedPayment> {
  await paymentOf(context, id);
  const applied = await applyChange(context, id, { change });
  if (applied.result === 'superseded') throw new Error(`The payment ${id} changed meanwhile. Look at it again.`);
  if (applied.result !== 'applied') throw new Error(`The payment ${id} stays as it is: ${applied.why}.`);
  return { id: applied.payment.id, state: applied.payment.state };
}

async function paymentOf({ stores }: OperatorDeps, id: string): Promise<Payment> {
  const payment = z.uuid().safeParse(id).success ? await stores.payments.find(id) : undefined;
  if (payment === undefined) throw noPayment(id);
  return payment;
}

const noPayment = (id: string) =>
  new Error(
    `There is no payment ${id}. "railyard-checkout payments find" finds it by its order number or another id; "payment" of needs-attention in the log names it too.`,
  );

/** An open payment whose flow has ended. A flow under way may still send the payment; a flow that waits belongs to the payer. */
async function openPayment(context: OperatorDeps, id: string): Promise<Payment> {
  const { stores } = context;
  const payment = await paymentOf(context, id);
  if (payment.state !== 'created' && payment.state !== 'pending')
    throw new Error(`The payment ${id} is no longer open: it is ${payment.state}.`);
  const runs = await stores.runs.ofPayment(payment.id);
  if (runs.some(({ state }) => state !== 'finished'))
    throw new Error(
      `The flow of the payment ${id} is still under way, or waits for the payer. Wait until it has ended.`,
    );
  return payment;
}

async function outcomeOf(context: OperatorDeps, payment: Payment, found: FoundOutcome): Promise<Outcome> {
  if (found.outcome === 'declined') {
    // A payment that the provider has accepted may still be paid, and a payout reported as declined is paid out again.
    if (!payment.unknown && payment.asideText === null)
      throw new Error(`The provider has accepted the payment ${payment.id}: only its own answer can decline it.`);
    return declined('hard', 'not_completed', { reason: 'An operator found that it did not take place.' });
  }
  const reference = found.providerReference ?? payment.providerReference;
  if (reference === null || reference === '')
    throw new Error("A success needs the provider's reference of the payment.");
  const owner = await context.stores.payments.findByProviderReference(payment.connectorId, payment.midId, reference);
  if (owner !== undefined && owner.id !== payment.id)
    throw new Error(
      `The reference ${reference} belongs to the payment ${owner.id}. Give the provider’s id of this payment.`,
    );
  const amount = found.amount === undefined ? amountOf(payment) : money(found.amount, payment.currency);
  return succeeded(found.outcome, reference, amount, payment);
}

function succeeded(
  outcome: 'settled' | 'authorized',
  reference: string,
  amount: Money | 'payer',
  { id }: Payment,
): Outcome {
  if (amount === 'payer') throw new Error(`The payer of ${id} chose the amount: say how much it was.`);
  return outcome === 'settled' ? settled(reference, amount) : authorized(reference, amount);
}
