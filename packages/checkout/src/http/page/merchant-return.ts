import type { Context } from 'hono';
import { resumeRun } from '../../payments/runs/resume-run.ts';
import { type OpenSession, readStoredSession } from '../../sessions/open-session.ts';
import { leavingAddress, pageHeaders, returnPage } from '../../page/index.ts';
import type { HttpEnv } from '../basics/answers.ts';
import { readForm } from '../basics/read-body.ts';
import type { PageDeps } from './deps.ts';
import { liveOf } from './load-session.ts';
import { pressedTarget } from './return-target.ts';
import { askForFragment } from './fragment-return.ts';
import { formTooLarge, pageOptions } from './show-page.ts';

/**
 * The way back of a payer whom the merchant sent away: the flow goes on, and the payer is led to the merchant, in the browsing context in
 * which they came (reference: 3DS flow). What the browser brings is a hint: the flow asks the provider.
 *
 * @returns undefined where the address belongs to a page of ours, or to nothing
 */
export async function returnToMerchant(context: PageDeps, c: Context<HttpEnv>): Promise<Response | undefined> {
  const stored = await context.stores.sessions.findByTokenHash(context.pageTokens.hash(c.req.param('token') ?? ''));
  if (stored?.payerPresence !== 'merchant') return undefined;
  const form = c.req.method === 'POST' ? await readForm(c) : new Map<string, string>();
  if (form === undefined) return formTooLarge(c);
  const payment = liveOf(await context.stores.payments.ofSession(stored.id));
  const runs = payment === undefined ? [] : await context.stores.runs.ofPayment(payment.id);
  const visit = runs.find(({ state }) => state === 'suspended');
  const session = readStoredSession(context, stored);
  const asked = askForFragment(context, c, { session, visit, base: session.request.success_url });
  if (asked !== undefined) return asked;
  // Read before the run goes on, which may end the payment.
  const target = pressedTarget(context, c, session, payment);
  if (payment !== undefined && visit?.suspendedStep != null) {
    const values = { ...c.req.query(), ...Object.fromEntries(form) };
    // The payer goes on whatever becomes of it: a callback notifies the merchant.
    await resumeRun(context, payment, { step: visit.suspendedStep, values }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown';
      context.log.error({ event: 'return-unclear', payment: payment.id, error: why });
    });
  }
  return leadBack(c, session, target);
}

function leadBack(c: Context<HttpEnv>, session: OpenSession, target: string | undefined): Response {
  const { request, merchant } = session;
  const address = leavingAddress(request.success_url);
  if (target === undefined || address === undefined) return c.redirect(request.success_url, 303);
  const { name, frameOrigins } = merchant.config;
  const options = pageOptions(c, session);
  const page = returnPage({ merchantName: name, address, target, language: options.language });
  return c.html(page, 200, pageHeaders(undefined, { ...options, frameOrigins }));
}
