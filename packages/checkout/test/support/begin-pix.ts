import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { sessionBody } from './service.ts';

/** A session and its payment, as far as the provider's first answer leads, without a server. @returns the payment's id */
export async function beginPix(
  context: ServiceDeps,
  methodKey = 'pix',
  change: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = sessionBody({ methods: [methodKey], ...change });
  const created = await createSession.handle(context, JSON.stringify(body));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const started = await startPayment(context, session, { methodKey, answers: {}, ip: undefined });
  if (started.kind !== 'started') throw new Error('The payment did not start.');
  return started.paymentId;
}
