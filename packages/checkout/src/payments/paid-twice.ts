import type { ServiceContext } from '../service-context.ts';
import type { Payment, Session } from '../storage/index.ts';

type Context = Pick<ServiceContext, 'stores' | 'log'>;

const hasMoney = ({ state }: Pick<Payment, 'state'>): boolean => state === 'settled' || state === 'authorized';

/**
 * Tells a person where a session has got money by two payments: one that was declined was paid after all, when the payer or another
 * account had paid already. Each of them is called back; which one is given back is for the merchant to say.
 */
export async function tellPaidTwice(
  { stores, log }: Context,
  { id: sessionId, attempts }: Session,
  before: Payment,
  { id, state }: Payment,
): Promise<void> {
  if (attempts < 2 || hasMoney(before) || !hasMoney({ state })) return;
  const others = (await stores.payments.ofSession(sessionId)).filter((each) => each.id !== id && hasMoney(each));
  for (const { id: other } of others)
    log.error({ event: 'needs-attention', payment: id, why: `Its order is paid twice: also by the payment ${other}.` });
}
