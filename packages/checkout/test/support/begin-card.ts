import { signSession } from '@railyard/core/protocol';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { merchant, sessionBody } from './service.ts';

/** A card payment that is settled, without a server. @returns its id */
export async function paidByCard(context: ServiceDeps): Promise<string> {
  const body = sessionBody({ methods: ['card'] });
  const signed = { ...body, hash: signSession(body.order, merchant.password) };
  const created = await createSession.handle(context, JSON.stringify(signed));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  const started = await startPayment(context, session, { methodKey: 'card', answers: {}, ip: undefined });
  if (started.kind !== 'started') throw new Error('The payment did not start.');
  return started.paymentId;
}
