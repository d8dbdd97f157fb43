import type { SessionRequest, Verification } from '@railyard/core/protocol';
import { sealedAt } from '../secrets/index.ts';
import type { Merchant } from '../merchants/directory.ts';
import type { Resource } from '../idempotency/with-idempotency.ts';
import type { SessionDeps } from './deps.ts';
import type { MerchantScope, NewSession } from '../storage/index.ts';
import { type OpenSession, readStoredSession } from './open-session.ts';
import { type AcceptedCommand, acceptedText } from './stored-request.ts';

/** The merchant who asks for a charge or a payout, and how the request is signed. */
export interface Asker {
  readonly merchant: Merchant;
  readonly scope: MerchantScope;
  readonly signature: Extract<Verification, { ok: true }>;
}

/**
 * The session of what a merchant's server asks for: no page of ours is there. Its id is the resource's, and so is that of its first
 * payment.
 *
 * @param command the server-to-server command that asks for it, in whose words it is called back
 * @param payerPresence `merchant` where the merchant sends the payer to what the flow asks for
 * @returns undefined for an order number that was used within the duplicate window
 */
export async function chargeSession(
  context: SessionDeps,
  { scope, signature }: Asker,
  request: SessionRequest,
  { resourceId: id, isRetry }: Resource,
  command?: AcceptedCommand,
  payerPresence: 'merchant' | 'none' = 'none',
): Promise<OpenSession | undefined> {
  const before = isRetry ? await context.stores.sessions.find(id) : undefined;
  if (before !== undefined) return readStoredSession(context, before);
  const created = await context.stores.sessions.create({
    ...newSession(context, { id, scope, request, command, payerPresence }),
    hashDialect: signature.dialect === 'either' ? 'ascii' : signature.dialect,
    hashDigest: signature.digest,
  });
  return created.result === 'duplicate' ? undefined : readStoredSession(context, created.stored);
}

/** The charge, its merchant, and how it reaches the payer. */
interface Charged {
  readonly id: string;
  readonly scope: MerchantScope;
  readonly request: SessionRequest;
  readonly command: AcceptedCommand | undefined;
  readonly payerPresence: 'merchant' | 'none';
}

/** The session of a charge as it is stored; how it is signed is said by its caller. */
export function newSession(
  { pageTokens, sealer }: SessionDeps,
  { id, scope, request, command, payerPresence }: Charged,
): Omit<NewSession, 'hashDialect' | 'hashDigest'> {
  return {
    id,
    merchantKey: scope.merchantKey,
    keyAsSent: request.merchant_key,
    operation: request.operation,
    orderNumber: request.order.number,
    tokenHash: pageTokens.hash(pageTokens.of(id)),
    requestText: sealer.seal(acceptedText(request, command), sealedAt.request(id)),
    test: scope.test,
    lifetimeMinutes: request.session_expiry,
    payerPresence,
  };
}
