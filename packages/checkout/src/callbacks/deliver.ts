import { Webhook } from 'standardwebhooks';
import type { ServiceContext } from '../service-context.ts';
import type { Callback } from '../storage/index.ts';

/** Seconds from one attempt to the next (decision: callback retry). After the last one the callback is dead and can be replayed. */
export const RETRY_PLAN_SECONDS = [5, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400] as const;

const TIMEOUT_MS = 20_000;
const MAX_REPLY_BYTES = 65_536;

/** Claims callbacks that are due, in order per payment, except for addresses that are busy. */
export function takeCallbacks(context: ServiceContext, limit: number, busy: readonly string[]): Promise<Callback[]> {
  return context.stores.callbacks.claimDue(limit, TIMEOUT_MS * 2, busy);
}

/** Sends one callback and records how it went. */
export async function deliver(context: ServiceContext, callback: Callback): Promise<void> {
  const secret = context.directory.find(callback.merchantKey)?.merchant.config.callbackSecret;
  const begun = context.now();
  const result =
    secret === undefined
      ? ({ kind: 'not-sent', why: 'The merchant has no callback secret any more.' } as const)
      : await context.transport.send({
          method: 'POST',
          url: callback.url,
          headers: { 'content-type': callback.contentType, ...signatureHeaders(secret, callback, context.now()) },
          body: callback.body,
          timeoutMs: TIMEOUT_MS,
          maxReplyBytes: MAX_REPLY_BYTES,
        });
  const delivered = result.kind === 'reply' && result.status >= 200 && result.status < 300;
  const wait = RETRY_PLAN_SECONDS[callback.attempts - 1];
  await context.stores.callbacks.recordAttempt(callback.id, callback.attempts, {
    ...(result.kind === 'reply' && { status: result.status }),
    ...(result.kind !== 'reply' && { error: result.why }),
    durationMs: context.now() - begun,
    next: delivered
      ? { state: 'delivered' }
      : wait === undefined
        ? { state: 'dead' }
        : { state: 'waiting', retryInMs: wait * 1000 },
  });
  const level = delivered ? 'info' : wait === undefined ? 'error' : 'warn';
  context.log[level]({
    event: 'callback',
    id: callback.id,
    payment: callback.paymentId,
    attempt: callback.attempts,
    ...(result.kind === 'reply' ? { status: result.status } : { why: result.why }),
    result: delivered ? 'delivered' : wait === undefined ? 'dead' : 'retry',
  });
}

/** Standard Webhooks: the id stays the same over all attempts, time and signature are those of this attempt. */
export function signatureHeaders(
  secret: string,
  callback: { readonly id: string; readonly body: string },
  nowMs: number,
): Record<string, string> {
  const at = new Date(nowMs);
  return {
    'webhook-id': callback.id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(callback.id, at, callback.body),
  };
}
