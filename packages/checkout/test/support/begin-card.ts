import { signSession } from '@railyard/core';
import { loadSession } from '../../src/http/load-session.ts';
import { beginPayment } from '../../src/payments/begin.ts';
import type { ServiceContext } from '../../src/service-context.ts';
import { createSession } from '../../src/sessions/create-session.ts';
import { merchant, sessionBody } from './service.ts';

/** A card payment that is settled, without a server. @returns its id */
export async function paidByCard(context: ServiceContext): Promise<string> {
  const body = sessionBody({ methods: ['card'] });
  const signed = { ...body, hash: signSession(body.order, merchant.password) };
  const created = await createSession(context, JSON.stringify(signed));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  const begun = await beginPayment(context, session, { methodKey: 'card', answers: {}, ip: undefined });
  if (begun.kind !== 'begun') throw new Error('The payment did not begin.');
  return begun.paymentId;
}
