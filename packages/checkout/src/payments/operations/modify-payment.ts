import type { ModificationResult, ModificationCommand } from './modification-result.ts';
import { type ModificationName, MODIFICATIONS, requestModification } from '@railyard/core/payment';
import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { OperationDeps } from './deps.ts';
import type { TransitionDeps } from '../transitions/deps.ts';
import { beginDurably, type NewModification, type Payment, type Transition } from '../../storage/index.ts';
import { acceptedByCapture } from './accept-part.ts';
import { sumsOf } from '../transitions/payment-update.ts';
import { decideAndWrite, type Decision, readPayment, type Written } from '../transitions/decide-and-write.ts';
import { executeRun } from '../runs/execute-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { modificationInput } from '../attempt/modification-run.ts';
import { stateOf } from '../state/payment-state.ts';
import { writeTransition } from '../transitions/write-transition.ts';

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
    if (run !== undefined) await executeRun(context, run, { runId: id, owner: context.owner, epoch: 1 });
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

type StartResult =
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
): Promise<StartResult> {
  return decideAndWrite(context, paymentId, {
    read: () => readPayment(context, paymentId),
    decide: (payment) => Promise.resolve(planOf(context, payment, command)),
    write: (plan) => store(context, plan),
  });
}

type New = Transition & { readonly newModification: NewModification };

function planOf(context: TransitionDeps, payment: Payment, asked: NewModificationCommand): Decision<New, StartResult> {
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

async function store(context: TransitionDeps, transition: New): Promise<Written<StartResult>> {
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
