import { randomUUID } from 'node:crypto';
import { signRequest } from '@railyard/core';
import * as z from 'zod';
import { merchant, sessionBody } from '../support/service.ts';
import type { Deployment } from './deployment.ts';
import type { Effect } from './outside.ts';

type Body = ReturnType<typeof sessionBody>;

/** A way of paying, as its client drives it. */
export interface Flow {
  readonly name: string;
  /** What happens at the provider, each once. */
  readonly effects: readonly Effect[];
  body(): Body;
  /** Drives a payment from its session to its end, repeating what a client repeats. */
  pay(deployment: Deployment, body: Body): Promise<void>;
}

const sessionSchema = z.object({ redirect_url: z.string() });

/** Asks for a session until there is one. */
async function openPage(deployment: Deployment, body: Body): Promise<string> {
  const reply = await deployment.request('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.status !== 200) throw new Error(`No session: ${reply.status} ${reply.text}`);
  return new URL(sessionSchema.parse(JSON.parse(reply.text)).redirect_url).pathname;
}

/** Submits a form of the page. */
async function submit(deployment: Deployment, path: string, fields: Record<string, string>): Promise<void> {
  const reply = await deployment.request(path, { method: 'POST', body: new URLSearchParams(fields) });
  if (reply.status !== 303) throw new Error(`${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
}

const callbacksOf = (deployment: Deployment, body: Body) =>
  deployment.outside.shop.received.filter(({ fields }) => fields.order_number === body.order.number);

/** Waits until the merchant is told. */
function told(deployment: Deployment, body: Body, status: string): Promise<void> {
  const heard = () => callbacksOf(deployment, body).some(({ fields }) => fields.status === status);
  return deployment.until(heard, `The callback "${status}" of ${body.order.number}`);
}

/** The merchant's own question must give the answer that he was told. */
async function asked(deployment: Deployment, body: Body): Promise<void> {
  const payment_id = callbacksOf(deployment, body).at(-1)?.fields.id ?? '';
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  const reply = await deployment.request('/api/v1/payment/status', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_key: merchant.key, payment_id, hash }),
  });
  if (!reply.text.includes('"settled"')) throw new Error(`The status of ${body.order.number}: ${reply.text}`);
}

/** A payer who is shown a code, pays it in his bank's app, and a provider that notifies until it is heard. */
export const purchase: Flow = {
  name: 'a purchase',
  effects: ['money'],
  body: () => sessionBody(),
  async pay(deployment, body) {
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'pix' });
    await told(deployment, body, 'waiting');
    const { pix } = deployment.outside;
    const shown = await deployment.request(page);
    const charge = pix.ledger.find(({ code }) => shown.text.includes(code));
    if (charge === undefined) throw new Error(`The page of ${body.order.number} shows no code of the provider's.`);
    charge.status = 'PAID';
    const eventId = `evt_${randomUUID()}`;
    // Each try is signed anew, as providers do: the service's clock may be far ahead of the first one by then.
    const notify = async () => ({
      status: await pix.notify(`${deployment.service.url}/notify/pix-main`, charge, {
        eventId,
        at: deployment.service.now(),
      }),
    });
    const { status } = await deployment.repeat(notify, 'The notification');
    if (status !== 204) throw new Error(`The notification: ${status}`);
    await told(deployment, body, 'success');
    await asked(deployment, body);
  },
};

/** Money that is paid out by one call. */
export const payout: Flow = {
  name: 'a payout',
  effects: ['money'],
  body: () =>
    sessionBody({
      operation: 'credit',
      payee: { name: 'Maria Silva' },
      parameters: { pix: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' } },
    }),
  async pay(deployment, body) {
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'pix' });
    await told(deployment, body, 'success');
    await asked(deployment, body);
  },
};

/** Two calls of the provider with a turn of the payer between them; the second one must not be sent twice. */
export const twoStep: Flow = {
  name: 'a payment in two steps',
  effects: ['money'],
  body: () => sessionBody({ methods: ['two-step'] }),
  async pay(deployment, body) {
    const { state } = deployment.outside.twoStep;
    const page = await openPage(deployment, body);
    const count = (status: string) =>
      callbacksOf(deployment, body).filter(({ fields }) => fields.status === status).length;
    for (let attempt = 0; attempt < 3 && count('success') === 0; attempt += 1) {
      state.lapsing = false;
      const fails = count('fail');
      const over = () => count('success') > 0 || count('fail') > fails;
      await submit(deployment, `${page}/pay`, { method: 'two-step' });
      let looked = -1;
      await deployment.until(
        async () => {
          if (over() || looked === deployment.upsets) return over();
          // Whoever is asked again, because his answer died with the service, answers again.
          const { upsets } = deployment;
          const { text } = await deployment.request(page);
          const step = /name="step" value="([^"]+)"/.exec(text)?.[1];
          if (step === undefined) return false;
          looked = upsets;
          await submit(deployment, `${page}/answer`, { step, code: '1234' });
          // Whoever asks about this attempt from now on hears that its reservation has run out, if it was never used.
          state.lapsing = true;
          return over();
        },
        `The end of attempt ${attempt + 1} of ${body.order.number}`,
      );
    }
    await told(deployment, body, 'success');
    await asked(deployment, body);
  },
};

/** Money that is held by one call, and taken by another when the merchant says so. */
export const captured: Flow = {
  name: 'a hold and its capture',
  effects: ['hold', 'money'],
  body: () => sessionBody({ methods: ['card'], auth: true }),
  async pay(deployment, body) {
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'card' });
    await told(deployment, body, 'success');
    const payment_id = callbacksOf(deployment, body)[0]?.fields.id ?? '';
    const { amount } = body.order;
    const hash = signRequest('capture', { payment_id, amount }, merchant.password);
    // Whoever asks again may hear that there is nothing left to capture.
    await deployment.request('/api/v1/payment/capture', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash }),
    });
    const heard = () =>
      callbacksOf(deployment, body).some(({ fields }) => fields.type === 'capture' && fields.status === 'success');
    await deployment.until(heard, `The callback of the capture of ${body.order.number}`);
    await asked(deployment, body);
  },
};

export const FLOWS: readonly Flow[] = [purchase, payout, twoStep, captured];
