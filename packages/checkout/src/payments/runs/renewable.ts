import * as z from 'zod';
import type { RunDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';

/** The page offers a new code at the end of its own countdown, which need not agree with our clock to the second. */
const EARLY_MS = 2000;

const timedSchema = z.object({ validUntil: z.string() });

/** Whether the connector makes new codes for the payment's method. */
export function isRenewable(context: RunDeps, payment: Payment): boolean {
  const connector = context.directory.mid(payment.midId)?.connector;
  if (connector?.id !== payment.connectorId) return false;
  return connector.serves.find((each) => each.method.key === payment.method)?.flows.renew !== undefined;
}

/** Whether the payer may have a new code now: in an open session, in place of one whose time is over. */
export function mayRenew(context: RunDeps, { stored }: OpenSession, payment: Payment): boolean {
  const now = context.now();
  if (stored.state !== 'open' || stored.expiresAt.getTime() <= now) return false;
  if (payment.state !== 'pending' || payment.unknown) return false;
  const shown = timedSchema.safeParse(payment.show);
  return shown.success && Date.parse(shown.data.validUntil) <= now + EARLY_MS && isRenewable(context, payment);
}
