import type { TransitionDeps } from './deps.ts';
import type { Payment, TransitionResult } from '../../storage/index.ts';
import { untilWritten } from './contention.ts';

/** Another change of the payment came first, or the database undid this one for another: nothing was written. */
export type NotWritten = Extract<TransitionResult, { readonly result: 'stale' | 'undone' }>;

interface WithAnswer<Answer> {
  readonly answer: Answer;
}

/** A plan to write, or the answer where there is nothing to write. */
export type Decision<Plan, Answer> = WithAnswer<Answer> | { readonly plan: Plan };
export type Written<Answer> = WithAnswer<Answer> | NotWritten;

/** The three steps of one change of a payment. */
interface Steps<Read, Plan, Answer> {
  /** Rows that the caller has read already. */
  readonly held?: Read | undefined;
  read(): Promise<Read>;
  /** Writes nothing: its plan may come to nothing. */
  decide(read: Read): Promise<Decision<Plan, Answer>>;
  /** Writes on the version that was read. */
  write(plan: Plan): Promise<Written<Answer>>;
}

/**
 * Changes a payment in its queue: reads, decides, and writes on the version that was read; where another change came first, it does all three
 * again. Where what the caller holds leads to no write, nothing would show that it is out of date: it is read, and decided on that.
 *
 * @throws PaymentBusyError when nothing could be written in time
 */
export async function decideAndWrite<Read, Plan, Answer>(
  { queues }: Pick<TransitionDeps, 'queues'>,
  paymentId: string,
  { held, read, decide, write }: Steps<Read, Plan, Answer>,
): Promise<Answer> {
  let inHand = held;
  const decideOnHeld = async () => {
    const decision = inHand && (await decide(inHand));
    inHand = undefined;
    return decision !== undefined && 'plan' in decision ? decision : undefined;
  };
  const attempt = async () => {
    const decision = (await decideOnHeld()) ?? (await decide(await read()));
    const written = 'answer' in decision ? decision : await write(decision.plan);
    return 'answer' in written ? written : undefined;
  };
  const { answer } = await queues.of(paymentId, () => untilWritten(paymentId, attempt));
  return answer;
}

export async function readPayment({ stores }: Pick<TransitionDeps, 'stores'>, id: string): Promise<Payment> {
  const payment = await stores.payments.find(id);
  if (payment === undefined) throw new Error(`There is no payment ${id}.`);
  return payment;
}
