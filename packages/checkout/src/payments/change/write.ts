import { untilWritten, type HintKey, type TransitionDeps } from './deps.ts';
import type { Payment, SentCallback, Transition, TransitionResult } from '../../storage/index.ts';

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

/** A hint leads to a lookup in so long; see `pollSoon`. */
const HINT_DELAY_MS = 1000;

/** Has the provider asked soon about a payment that a hint says has changed, and about its modifications under way. */
export async function scheduleSync({ stores, wake }: TransitionDeps, paymentId: string): Promise<void> {
  await stores.payments.pollSoon(paymentId);
  wake('lookups', HINT_DELAY_MS);
  wake('modification-lookups', HINT_DELAY_MS);
}

/** The same for an open payment that a provider names by its reference. @returns whether there is one */
export async function syncNamed({ stores, wake }: TransitionDeps, hint: HintKey): Promise<boolean> {
  const { ofOpenPayment, ofModifications } = await stores.payments.pollNamedSoon(hint);
  if (ofOpenPayment) wake('lookups', HINT_DELAY_MS);
  if (ofModifications) wake('modification-lookups', HINT_DELAY_MS);
  return ofOpenPayment;
}

/** The same for hints that came before their payment was known. */
export async function syncIfHinted(
  context: TransitionDeps,
  { id, connectorId, midId }: Payment,
  references: readonly { readonly providerReference: string }[],
): Promise<void> {
  const hinted = references.filter(({ providerReference: reference }) =>
    context.unmatchedHints.take({ connectorId, midId, providerReference: reference }),
  );
  if (hinted.length > 0) await scheduleSync(context, id);
}

/**
 * Writes a transition. This process sends its first callback at once, if it has a place for it; a poll finds the others.
 *
 * @param withoutReference the transition in its place where its reference belongs to another payment
 */
export async function writeTransition(
  context: TransitionDeps,
  transition: Transition,
  withoutReference?: () => Transition,
): Promise<TransitionResult> {
  const { stores, courier } = context;
  const url = transition.callbacks?.[0]?.url;
  const place = url === undefined ? undefined : courier?.reserve(url);
  let claimed: SentCallback | undefined;
  let written: TransitionResult;
  try {
    written = await stores.payments.applyTransition({ ...transition, claimMs: place?.claimMs });
    claimed = written.result === 'applied' ? written.claimed : undefined;
  } finally {
    if (claimed === undefined) place?.release();
  }
  if (claimed !== undefined) place?.start(claimed);
  else if (url !== undefined && written.result === 'applied' && courier?.isSending(transition.paymentId) !== true)
    context.wake('callbacks');
  if (written.result !== 'foreign-reference' || withoutReference === undefined) return written;
  return writeTransition(context, withoutReference());
}
