import { loadSession } from '../../src/http/load-session.ts';
import { beginPayment } from '../../src/payments/begin.ts';
import type { ServiceContext } from '../../src/service-context.ts';
import { createSession } from '../../src/sessions/create-session.ts';
import { sessionBody } from './service.ts';

/** A session and its payment, as far as the provider's first answer leads, without a server. @returns the payment's id */
export async function beginPix(context: ServiceContext, methodKey = 'pix'): Promise<string> {
  const created = await createSession(context, JSON.stringify(sessionBody({ methods: [methodKey] })));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const begun = await beginPayment(context, session, { methodKey, answers: {}, ip: undefined });
  if (begun.kind !== 'begun') throw new Error('The payment did not begin.');
  return begun.paymentId;
}
