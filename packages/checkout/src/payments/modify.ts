import {
  MODIFICATIONS,
  callbackWords,
  isOpenModification,
  requestModification,
  type ModificationName,
  type ModificationRefusal,
} from '@railyard/core/payment';
import { sealJson, sealedAt } from '../secrets/index.ts';
import type { OperationDeps } from './runs/deps.ts';
import type { TransitionDeps } from './change/deps.ts';
import {
  beginDurably,
  type Modification,
  type NewModification,
  type Payment,
  type Transition,
} from '../storage/index.ts';
import { sumsOf } from './change/plan.ts';
import { decideAndWrite, readPayment, writeTransition, type Decision, type Written } from './change/write.ts';
import { executeRun, executeStored } from './runs/execute.ts';
import { LEASE_MS } from './runs/lease.ts';
import { modificationInput } from './runs/load.ts';
import { kindOf, moneyOf, stateOf, type Known } from './payment.ts';
import type { MerchantConfig } from '../deployment/catalogue.ts';
import type { Merchant } from '../merchants/directory.ts';
import { applyChange, callbackSources, sessionOf } from './change/apply.ts';
import { paidBefore } from './change/after.ts';
import type { Money } from '@railyard/core';
import type { Resource } from '../idempotency.ts';
import type { OpenSession } from '../sessions/session.ts';
import { CONFIRMATION } from './runs/attempt.ts';
import { callbacksFor } from './change/callbacks.ts';
import { executedWithin, storePayout, type PreparedPayout } from './pay-by-command.ts';

/**
 * A merchant's capture of money that the provider has captured already: nothing is sent, and the merchant accepts the amount.
 *
 * @returns undefined where the capture is another one
 */
export async function acceptedByCapture(
  context: TransitionDeps,
  paymentId: string,
  { modification, amount }: Pick<ModificationCommand, 'modification' | 'amount'>,
): Promise<ModificationResult | undefined> {
  if (modification !== 'capture') return undefined;
  const payment = await context.stores.payments.find(paymentId);
  const received = payment && moneyOf(payment);
  if (payment?.state !== 'partially_approved' || received === undefined) return undefined;
  if (amount !== undefined && amount.currency !== received.currency) return { kind: 'refused', why: 'currency' };
  if (amount !== undefined && amount.minor !== received.minor)
    return { kind: 'refused', why: amount.minor > received.minor ? 'too-much' : 'no-partial' };
  const applied = await applyChange(context, paymentId, { change: { kind: 'accepted', via: 'merchant' } });
  if (applied.result !== 'applied') return { kind: 'refused', why: 'under-way' };
  const action_ = { state: 'succeeded', reason: null, updatedAt: applied.payment.updatedAt } as const;
  return { kind: 'acted', modification: action_, payment: applied.payment };
}

/**
 * Stores a payment that waits for its merchant's word: nothing is sent before `confirmPayment`. The merchant is called back that it waits.
 *
 * @returns undefined where its session has ended
 */
export async function storeToConfirm(
  context: OperationDeps,
  session: OpenSession,
  { attempt, ...prepared }: PreparedPayout,
  ip: string | undefined,
): Promise<Known | undefined> {
  const stored = await storePayout(context, session, { ...prepared, attempt: { ...attempt, confirmed: 'later' } }, ip);
  if (stored === undefined) return undefined;
  const { payment } = stored;
  await reportWaiting(context, session, payment);
  return { payment };
}

/** Has the merchant called back once that it waits; once it is confirmed or over, not at all. */
export async function reportWaiting(context: OperationDeps, session: OpenSession, payment: Payment): Promise<void> {
  const next = stateOf(payment);
  const sources = await callbackSources(context, { payment, session });
  const words = callbackWords(kindOf(payment), next);
  const callbacks = callbacksFor(context, payment, { ...sources, next, words, before: undefined, outcome: undefined });
  await context.stores.payments.reportStored(payment.id, callbacks);
  context.wake('callbacks');
}

/**
 * Executes a payment that waits for its merchant's word; waits no longer than `commandWaitSeconds`. Of two confirmations one executes it, and one
 * that comes once the session's time is over executes nothing.
 *
 * @returns the payment as its run left it
 */
export async function confirmPayment(context: OperationDeps, session: OpenSession, payment: Payment): Promise<Known> {
  if (session.stored.expiresAt.getTime() <= context.now()) return { payment };
  const runs = await context.stores.runs.ofPayment(payment.id);
  const waiting = runs.find(({ suspendedStep }) => suspendedStep === CONFIRMATION);
  const claimed = waiting && (await context.stores.runs.claim(waiting.runId, context.owner, LEASE_MS));
  if (claimed === undefined) return { payment };
  const execute = () => executeStored(context, payment.id, () => executeRun(context, claimed));
  return (await executedWithin(context, session, { payment, execute })) ?? { payment };
}

/**
 * Does something with a payment that has money: reserves the amount, stores the intent, and only then executes the connector's
 * flow. Of any number of captures at once one begins; refunds go side by side as long as there is something left.
 */
export async function modifyPayment(
  context: OperationDeps,
  paymentId: string,
  command: ModificationCommand,
): Promise<ModificationResult> {
  const id = command.resource?.resourceId ?? context.newId();
  // Begun before by a process that died: the process that took its run over executes it.
  const there = command.resource?.isRetry === true && (await context.stores.modifications.find(id)) !== undefined;
  if (there) return standing(context, paymentId, id);
  const accepted = await acceptedByCapture(context, paymentId, command);
  if (accepted !== undefined) return accepted;
  const started = await startModification(context, paymentId, {
    ...command,
    id,
    owner: context.owner,
    leaseMs: LEASE_MS,
  });
  if (started.kind === 'refused') return started;
  try {
    const run = await context.stores.runs.find(id);
    if (run !== undefined) await executeRun(context, { run, lease: { runId: id, owner: context.owner, epoch: 1 } });
    return await standing(context, paymentId, id);
  } catch (error) {
    // A stored modification takes place: its run is taken over. After an error the merchant would ask again, and money move twice.
    const why = error instanceof Error ? error.message : 'unknown';
    context.log.error({ event: 'modification-unclear', payment: paymentId, modification: id, error: why });
    const modification = { state: 'unknown', reason: null, updatedAt: new Date(context.now()) } as const;
    return { kind: 'acted', modification, payment: started.payment };
  }
}

async function standing(context: OperationDeps, paymentId: string, id: string): Promise<ModificationResult> {
  const modification = await context.stores.modifications.find(id);
  const payment = await context.stores.payments.find(paymentId);
  if (modification === undefined || payment === undefined) throw new Error(`The modification ${id} is gone.`);
  return { kind: 'acted', modification, payment };
}

interface NewModificationCommand extends ModificationCommand {
  readonly id: string;
  /** Which process executes its run; `null`: the next that polls for runs without a holder. */
  readonly owner: string | null;
  readonly leaseMs: number;
}

type BegunModification =
  | { readonly kind: 'started'; readonly payment: Payment }
  | Extract<ModificationResult, { kind: 'refused' }>;

/**
 * Reserves the amount and stores the intent with its run; nothing is sent.
 *
 * @throws PaymentBusyError when others changed the payment until its patience was over; nothing has begun then
 */
export function startModification(
  context: TransitionDeps,
  paymentId: string,
  command: NewModificationCommand,
): Promise<BegunModification> {
  return decideAndWrite(context, paymentId, {
    read: () => readPayment(context, paymentId),
    decide: (payment) => Promise.resolve(planOf(context, payment, command)),
    write: (plan) => store(context, plan),
  });
}

type New = Transition & { readonly newModification: NewModification };

function planOf(
  context: TransitionDeps,
  payment: Payment,
  asked: NewModificationCommand,
): Decision<New, BegunModification> {
  const refused = (why: Extract<ModificationResult, { kind: 'refused' }>['why']) =>
    ({ answer: { kind: 'refused', why } }) as const;
  const { operation } = payment;
  const command = { ...asked, modification: effectiveModification(payment, asked.modification) };
  const supported = support(context, payment, command.modification);
  const decision = requestModification(stateOf(payment), {
    ...command,
    operation,
    partial: supported?.partial ?? true,
  });
  if (decision.do === 'refuse') return refused(decision.why);
  if (payment.erasedAt !== null) return refused('erased');
  if (supported === undefined) return refused('unsupported');
  return { plan: transitionOf(context, payment, command, decision) };
}

async function store(context: TransitionDeps, transition: New): Promise<Written<BegunModification>> {
  const { id, kind, amount } = transition.newModification;
  const { modifications, payments } = context.stores;
  const written = await beginDurably(
    () => writeTransition(context, transition),
    async () => {
      const found = await modifications.find(id);
      const payment = found && (await payments.find(found.paymentId));
      return payment && ({ result: 'applied', payment } as const);
    },
  );
  if (written.result !== 'applied') return { result: 'stale' };
  const payment = transition.paymentId;
  context.log.info({ event: 'modification-started', payment, modification: id, kind, amount: amount.text });
  return { answer: { kind: 'started', payment: written.payment } };
}

/** A void of a partial approval without received money is a release of the part that is held. */
const effectiveModification = ({ state, received }: Payment, modification: ModificationName): ModificationName =>
  state === 'partially_approved' && modification === 'void' && received === null ? 'release' : modification;

/** Whether the connector does it. */
export const isSupported = (
  context: Pick<TransitionDeps, 'directory'>,
  account: Pick<Payment, 'midId' | 'method'>,
  modification: ModificationName,
): boolean => support(context, account, modification) !== undefined;

/**
 * Says why the account of a payment does not have a modification, and which other methods of the merchant have it.
 *
 * @param word the merchant's own word for it
 */
export function whoSupports(
  context: Pick<TransitionDeps, 'directory'>,
  { profile }: Pick<Merchant, 'profile'>,
  payment: Pick<Payment, 'methodAlias' | 'midId'>,
  { modification, word }: { readonly modification: ModificationName; readonly word: string },
): string {
  if (context.directory.mid(payment.midId) === undefined)
    return 'The account of this payment is no longer configured. Ask the operator.';
  const able = Object.entries(profile.methods).flatMap(([key, entry]) =>
    key !== payment.methodAlias &&
    [entry, ...(entry.more ?? [])].some(({ mid = '', method }) =>
      isSupported(context, { midId: mid, method }, modification),
    )
      ? [key]
      : [],
  );
  const others =
    able.length === 0 ? 'None of your other methods has one.' : `Your other methods with one: ${able.join(', ')}.`;
  return `The account of this payment has no ${word}. ${others}`;
}

/** Whether the connector supports it, and in parts; `undefined` if not, or if the account is no longer configured. */
function support(
  { directory }: Pick<TransitionDeps, 'directory'>,
  { midId, method }: Pick<Payment, 'midId' | 'method'>,
  modification: ModificationName,
): { partial: boolean } | undefined {
  const flows = directory.mid(midId)?.connector.serves.find((each) => each.method.key === method)?.flows;
  const flow = flows?.[MODIFICATIONS[modification].flow];
  if (flow === undefined) return undefined;
  return { partial: typeof flow === 'object' && flow.partial };
}

function transitionOf(
  context: TransitionDeps,
  payment: Payment,
  { id, modification: kind, owner, leaseMs }: NewModificationCommand,
  decision: Extract<ReturnType<typeof requestModification>, { do: 'begin' }>,
): New {
  const { amount, remaining, next } = decision;
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: { state: next.state, unknown: next.unknown, ...sumsOf(next) },
    event: { kind: 'modification', data: { modification: id, kind, state: 'requested', amount: amount.text } },
    newModification: {
      id,
      kind,
      amount: { text: amount.text, minor: amount.minor, currency: amount.currency },
      run: {
        purpose: kind,
        input: sealJson(context.sealer, modificationInput(payment, kind, amount, remaining), sealedAt.runInput(id)),
        owner,
        leaseMs,
      },
    },
  };
}

/** A way that failed is tried again after so long: the provider may have been closed for the day. */
const AGAIN_MS = 23 * 3_600_000;

/**
 * Carries out the merchant's rule for a payment that was approved in part. The background work for lookups does it, so that it is done
 * after a crash too; giving back has its own durable run. What is left to a person is not looked at again by itself.
 */
export async function carryOut(context: OperationDeps, payment: Payment): Promise<void> {
  const rule = await ruleOf(context, payment);
  if (rule === 'accept' && payment.asideText === null) {
    const accepted = await applyChange(context, payment.id, { change: { kind: 'accepted', via: 'rule' } });
    if (accepted.result === 'applied') return;
  }
  const way = rule === 'give-back' && payment.asideText === null ? await wayBack(context, payment) : undefined;
  const result = way === undefined ? undefined : await modifyPayment(context, payment.id, { modification: way });
  // One under way says by itself when it has ended.
  if (result?.kind !== 'acted') await context.stores.payments.schedulePoll(payment.id, null);
}

/**
 * Carries out the merchant's rule for money that came twice: the second payment goes back by the first way that does not fail, and the
 * merchant is told like of any refund. An operator is told where nothing can be done.
 *
 * @returns false if the payment is the only one that has money
 */
export async function giveBackSecond(context: OperationDeps, payment: Payment): Promise<boolean> {
  const first = await paidBefore(context, payment);
  if (first === undefined) return false;
  const { merchant } = await sessionOf(context, payment);
  const mayGiveBack = merchant.config.paidTwice === 'give-back' && payment.asideText === null;
  for (let way = mayGiveBack ? await wayBack(context, payment) : undefined; way !== undefined;) {
    const result = await modifyPayment(context, payment.id, { modification: way });
    if (result.kind !== 'acted' || result.modification.state !== 'failed') break;
    way = await wayBack(context, payment);
  }
  await context.stores.payments.schedulePoll(payment.id, null);
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  if (modifications.some(({ state }) => state !== 'failed')) return true;
  const amount = `${payment.received?.text ?? payment.amountText ?? ''} ${payment.currency}`;
  await context.stores.findings.record('paid-twice', payment.id, `${amount}, also paid by ${first.id}`);
  const why = `Its order is paid twice: also by the payment ${first.id}. Give one of them back.`;
  context.log.error({ event: 'needs-attention', payment: payment.id, why });
  return true;
}

async function ruleOf(context: OperationDeps, payment: Payment): Promise<MerchantConfig['partialApproval']> {
  const session = await sessionOf(context, payment);
  return session.merchant.config.partialApproval;
}

/** The modification that gives an approved part back; undefined if the connector has none, or if one is under way. */
export async function wayBack(context: TransitionDeps, payment: Payment): Promise<ModificationName | undefined> {
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  if (modifications.some(({ state }) => isOpenModification(state))) return undefined;
  const failed = modifications.filter((each) => hasFailedLately(each, context.now()));
  return waysOf(payment).find(
    (way) =>
      MODIFICATIONS[way].operations.includes(payment.operation) &&
      isSupported(context, payment, way) &&
      !failed.some(({ kind }) => kind === way),
  );
}

/** A void costs nothing and is possible only for a while, and only for the whole; a refund is possible later. A hold is let go of. */
const waysOf = ({ received, refundedMinor }: Payment): readonly ModificationName[] =>
  received === null ? ['release'] : refundedMinor === 0n ? ['void', 'refund'] : ['refund'];

const hasFailedLately = ({ state, updatedAt }: Modification, now: number): boolean =>
  state === 'failed' && updatedAt.getTime() > now - AGAIN_MS;

export type ModificationResult =
  | {
      readonly kind: 'acted';
      readonly modification: Pick<Modification, 'state' | 'reason' | 'updatedAt'>;
      readonly payment: Payment;
    }
  /** Nothing was sent. `unsupported`: the connector does not do it. `erased`: retention removed data that the connector would need. */
  | { readonly kind: 'refused'; readonly why: ModificationRefusal | 'unsupported' | 'erased' };

export interface ModificationCommand {
  readonly modification: ModificationName;
  /** Nothing: all that there is. */
  readonly amount?: Money;
  /** Of a request that may be repeated: the modification gets its id. */
  readonly resource?: Resource;
}

/** Whether a refund lets go of the hold: nothing was taken yet (reference: S2S CARD, CREDITVOID, AUTH to REVERSAL). */
export const isHeld = ({ state, received }: Payment): boolean => received === null && state === 'authorized';

/** Why a hold is not released by this amount: it is released whole (reference: Errors of S2S CARD, 208008 and 208009). */
export function releaseProblem({ authorizedMinor }: Payment, amount: Money): 'part' | 'too-much' | undefined {
  if (amount.minor < authorizedMinor) return 'part';
  return amount.minor > authorizedMinor ? 'too-much' : undefined;
}
