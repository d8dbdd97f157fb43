import type { PageBeside } from '../../page/model.ts';
import { isSupported } from '../../payments/operations/modify-payment.ts';
import type { Payment } from '../../storage/index.ts';
import { methodOf } from './after-attempt.ts';
import type { PageDeps } from './deps.ts';
import type { LoadedSession } from './load-session.ts';

/** Whether a payment has a code, an address or a prompt with its payer, and nothing has come of it; as the statement that begins another says it. */
export const isWaitingForPayer = ({ state, unknown, show, asideText, received, operation }: Payment): boolean =>
  state === 'pending' && !unknown && show !== null && asideText === null && received === null && operation !== 'credit';

/**
 * The payment that waits while its payer pays another way. It can still be paid, so the page says what becomes of money that comes twice.
 *
 * @returns undefined where no other payment may begin beside it
 */
export function besideOf(
  context: PageDeps,
  { session, payment }: Pick<LoadedSession, 'session' | 'payment'>,
): PageBeside | undefined {
  if (payment === undefined || session.stored.state !== 'open' || session.stored.expiresAt.getTime() <= context.now())
    return undefined;
  const waits = session.routes.find(({ key }) => key === payment.methodAlias);
  if (waits === undefined || session.routes.length < 2 || !isWaitingForPayer(payment)) return undefined;
  const comesBack =
    session.merchant.config.paidTwice === 'give-back' &&
    session.routes.every(({ mid, method }) => canGiveBack(context, { midId: mid.id, method: method.key }));
  return { waits: methodOf(waits), comesBack };
}

const canGiveBack = (context: PageDeps, account: Pick<Payment, 'midId' | 'method'>): boolean =>
  isSupported(context, account, 'void') || isSupported(context, account, 'refund');
