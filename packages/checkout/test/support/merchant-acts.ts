import { signRequest } from '@railyard/core/protocol';
import { NOTIFY_TOKEN } from './money-actions.ts';
import { createPage, merchant, post, pressPay, sessionBody } from './service.ts';

type Answer = { readonly status: number; readonly json: unknown };

/** Pays an order with a card. @returns the order's number */
export async function payByCard(serviceUrl: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = sessionBody({ methods: ['card'], ...change });
  await pressPay(await createPage(serviceUrl, body), { method: 'card' });
  return body.order.number;
}

/** What a merchant asks for, signed. */
export function merchantActs(serviceUrl: string) {
  const send = (path: string, body: object): Promise<Answer> => post(`${serviceUrl}/api/v1/payment/${path}`, body);
  const withAmount = (path: 'capture' | 'refund') => (payment_id: string, amount: string) => {
    const hash = signRequest(path, { payment_id, amount }, merchant.password);
    return send(path, { merchant_key: merchant.key, payment_id, amount, hash });
  };
  return {
    capture: withAmount('capture'),
    refund: withAmount('refund'),
    void: (payment_id: string) => {
      const hash = signRequest('void', { payment_id }, merchant.password);
      return send('void', { merchant_key: merchant.key, payment_id, hash });
    },
    async status(payment_id: string, field = 'status'): Promise<unknown> {
      const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
      const { json } = await send('status', { merchant_key: merchant.key, payment_id, hash });
      return Reflect.get(Object(json), field);
    },
    async notify(event: {
      event: string;
      kind: string;
      payment: string;
      amount: string;
      id?: string;
    }): Promise<number> {
      const reply = await fetch(`${serviceUrl}/notify/any`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-token': NOTIFY_TOKEN },
        body: JSON.stringify({ id: '', ...event }),
      });
      return reply.status;
    },
  };
}

/** The error of an answer. */
export function errorOf({ json }: Answer): string {
  return `${String(Reflect.get(Object(json), 'error_code'))} ${String(Reflect.get(Object(json), 'error_message'))}`;
}
