import type { Acted, Ask } from './acted.ts';
import { type ActionName, ACTIONS, requestAction } from '@railyard/core/payment';
import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { OperationDeps } from './deps.ts';
import type { TransitionDeps } from '../transitions/deps.ts';
import { beginDurably, type NewAction, type Payment, type Transition } from '../../storage/index.ts';
import { acceptedByCapture } from './accept-part.ts';
import { sumsOf } from '../transitions/apply.ts';
import { decideAndWrite, type Decided, readPayment, type Written } from '../transitions/decide-and-write.ts';
import { executeRun } from '../runs/execute-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { moneyActionInput } from '../attempt/money-action-run.ts';
import { stateOf } from '../state/payment-state.ts';
import { writeTransition } from '../transitions/write-transition.ts';

/**
 * Does something with a payment that has money: reserves the amount, stores the intent, and only then executes the connector's
 * flow. Of any number of captures at once one begins; refunds go side by side as long as there is something left.
 */
export async function act(context: OperationDeps, paymentId: string, ask: Ask): Promise<Acted> {
  const id = ask.resource?.resourceId ?? context.newId();
  // Begun before by a process that died: the process that took its run over executes it.
  const there = ask.resource?.isRetry === true && (await context.stores.actions.find(id)) !== undefined;
  if (there) return standing(context, paymentId, id);
  const accepted = await acceptedByCapture(context, paymentId, ask);
  if (accepted !== undefined) return accepted;
  const begun = await beginAction(context, paymentId, { ...ask, id, owner: context.owner, leaseMs: LEASE_MS });
  if (begun.kind === 'refused') return begun;
  try {
    const run = await context.stores.runs.find(id);
    if (run !== undefined) await executeRun(context, run, { runId: id, owner: context.owner, epoch: 1 });
    return await standing(context, paymentId, id);
  } catch (error) {
    // A stored action takes place: its run is taken over. After an error the merchant would ask again, and money move twice.
    const why = error instanceof Error ? error.message : 'unknown';
    context.log.error({ event: 'action-unclear', payment: paymentId, action: id, error: why });
    const action = { state: 'unknown', reason: null, updatedAt: new Date(context.now()) } as const;
    return { kind: 'acted', action, payment: begun.payment };
  }
}

async function standing(context: OperationDeps, paymentId: string, id: string): Promise<Acted> {
  const action = await context.stores.actions.find(id);
  const payment = await context.stores.payments.find(paymentId);
  if (action === undefined || payment === undefined) throw new Error(`The action ${id} is gone.`);
  return { kind: 'acted', action, payment };
}

interface NewActionAsk extends Ask {
  readonly id: string;
  /** Which process executes its run; `null`: the next that polls for runs without a holder. */
  readonly owner: string | null;
  readonly leaseMs: number;
}

type Begun = { readonly kind: 'begun'; readonly payment: Payment } | Extract<Acted, { kind: 'refused' }>;

/**
 * Reserves the amount and stores the intent with its run; nothing is sent.
 *
 * @throws PaymentBusyError when others changed the payment until its patience was over; nothing has begun then
 */
export function beginAction(context: TransitionDeps, paymentId: string, asked: NewActionAsk): Promise<Begun> {
  return decideAndWrite(context, paymentId, {
    read: () => readPayment(context, paymentId),
    decide: (payment) => Promise.resolve(planOf(context, payment, asked)),
    write: (plan) => store(context, plan),
  });
}

type New = Transition & { readonly beginAction: NewAction };

function planOf(context: TransitionDeps, payment: Payment, asked: NewActionAsk): Decided<New, Begun> {
  const refused = (why: Extract<Acted, { kind: 'refused' }>['why']) => ({ answer: { kind: 'refused', why } }) as const;
  const { operation } = payment;
  const ask = { ...asked, action: actionOn(payment, asked.action) };
  const supported = support(context, payment, ask.action);
  const decision = requestAction(stateOf(payment), { ...ask, operation, partial: supported?.partial ?? true });
  if (decision.do === 'refuse') return refused(decision.why);
  if (payment.erasedAt !== null) return refused('erased');
  if (supported === undefined) return refused('unsupported');
  return { plan: transitionOf(context, payment, ask, decision) };
}

async function store(context: TransitionDeps, transition: New): Promise<Written<Begun>> {
  const { id, kind, amount } = transition.beginAction;
  const { actions, payments } = context.stores;
  const written = await beginDurably(
    () => writeTransition(context, transition),
    async () => {
      const found = await actions.find(id);
      const payment = found && (await payments.find(found.paymentId));
      return payment && ({ result: 'applied', payment } as const);
    },
  );
  if (written.result !== 'applied') return { result: 'stale' };
  const payment = transition.paymentId;
  context.log.info({ event: 'action-begun', payment, action: id, kind, amount: amount.text });
  return { answer: { kind: 'begun', payment: written.payment } };
}

/** A void of a partial approval without received money is a release of the part that is held. */
const actionOn = ({ state, received }: Payment, action: ActionName): ActionName =>
  state === 'partially_approved' && action === 'void' && received === null ? 'release' : action;

/** Whether the connector does it. */
export const isSupported = (context: TransitionDeps, payment: Payment, action: ActionName): boolean =>
  support(context, payment, action) !== undefined;

/** Whether the connector supports it, and in parts; `undefined` if not, or if the account is no longer configured. */
function support(
  { directory }: TransitionDeps,
  { midId, method }: Payment,
  action: ActionName,
): { partial: boolean } | undefined {
  const flows = directory.mid(midId)?.connector.serves.find((each) => each.method.key === method)?.flows;
  const flow = flows?.[ACTIONS[action].flow];
  if (flow === undefined) return undefined;
  return { partial: typeof flow === 'object' && flow.partial };
}

function transitionOf(
  context: TransitionDeps,
  payment: Payment,
  { id, action: kind, owner, leaseMs }: NewActionAsk,
  decision: Extract<ReturnType<typeof requestAction>, { do: 'begin' }>,
): New {
  const { amount, remaining, next } = decision;
  return {
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: { state: next.state, unknown: next.unknown, ...sumsOf(next) },
    event: { kind: 'action', data: { action: id, kind, state: 'requested', amount: amount.text } },
    beginAction: {
      id,
      kind,
      amount: { text: amount.text, minor: amount.minor, currency: amount.currency },
      run: {
        action: kind,
        input: sealJson(context.sealer, moneyActionInput(payment, kind, amount, remaining), sealedAt.runInput(id)),
        owner,
        leaseMs,
      },
    },
  };
}
