import type { TransitionDeps } from './deps.ts';
import type { Payment, Session } from '../../storage/index.ts';

type Context = Pick<TransitionDeps, 'stores' | 'log'>;

const hasMoney = ({ state }: Pick<Payment, 'state'>): boolean => state === 'settled' || state === 'authorized';

/** A run has its session as it was when it began, so a payment that is not the first, or that had failed, is never taken for the only one. */
const isTheOnly = ({ attempt, state }: Payment, attempts: number): boolean =>
  attempts < 2 && attempt < 2 && state !== 'declined' && state !== 'expired';

/**
 * Notifies an operator where a session has got money by two payments: one that was declined was paid after all, when the payer or another
 * account had paid already. Each of them is called back; which one is given back is for the merchant to say.
 */
export async function logPaidTwice(
  { stores, log }: Context,
  { id: sessionId, attempts }: Session,
  before: Payment,
  { id, state }: Payment,
): Promise<void> {
  if (hasMoney(before) || !hasMoney({ state }) || isTheOnly(before, attempts)) return;
  const paid = (await stores.payments.ofSession(sessionId)).filter(hasMoney);
  const others = paid.filter((each) => each.id !== id);
  for (const { id: other } of others)
    log.error({ event: 'needs-attention', payment: id, why: `Its order is paid twice: also by the payment ${other}.` });
  const [newest, ...earlier] = paid;
  if (newest === undefined || earlier.length === 0) return;
  const ids = earlier.map((each) => each.id).toReversed();
  const amount = `${newest.received?.text ?? newest.amountText ?? ''} ${newest.currency}`;
  await stores.findings.record('paid-twice', newest.id, `${amount}, also paid by ${ids.join(' ')}`);
}
