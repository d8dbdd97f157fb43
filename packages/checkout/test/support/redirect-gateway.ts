import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { answerJson, backToShop, bankPage } from './bank-pages.ts';
import { listen } from './listen.ts';

const asked = z.strictObject({
  merchant_reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  description: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string().optional(),
  return_url: z.url(),
  notify_url: z.url(),
  payment_methods: z.literal('OBT'),
});

/** A transaction that the double opened. */
export interface GatewayEntry {
  readonly id: string;
  readonly sent: z.output<typeof asked>;
  status: string;
}

/**
 * A redirect gateway, written from its description in the connector's README, apart from the connector's code: real HTTP, forms, a reference is
 * taken once, pages of a bank, signed notifications.
 */
export async function redirectGateway() {
  const settings = { merchant_id: 'shop-1', api_key: 'test-api-key', webhook_secret: 'test-notification-secret' };
  const ledger: GatewayEntry[] = [];
  /** What approving leads to. */
  const state = { approved: 'PAID' };
  const told = ({ id, sent, status }: GatewayEntry) => ({
    transaction_id: id,
    merchant_reference: sent.merchant_reference,
    status,
    amount: sent.amount,
    currency: sent.currency,
  });
  const view = (entry: GatewayEntry) => ({ ...told(entry), redirect_url: `${server.url}/pay/${entry.id}` });
  const open = (body: string): readonly [number, unknown] => {
    const sent = asked.parse(Object.fromEntries(new URLSearchParams(body)));
    if (ledger.some((each) => each.sent.merchant_reference === sent.merchant_reference))
      return [422, { error_code: 'REFERENCE_TAKEN' }];
    const entry = { id: `tr_${randomUUID()}`, sent, status: 'NEW' };
    ledger.push(entry);
    return [201, view(entry)];
  };
  const server = await listen((request, body, response) => {
    const url = new URL(request.url ?? '/', 'http://double');
    const [, first = '', second = '', third = ''] = url.pathname.split('/');
    if (first === 'pay') {
      const entry = ledger.find(({ id }) => id === second);
      if (entry === undefined) return answerJson(response, 404, {});
      if (third === '') return bankPage(response, `/pay/${entry.id}`, `${entry.sent.amount} ${entry.sent.currency}`);
      entry.status = third === 'approve' ? state.approved : 'CANCELLED';
      return backToShop(response, entry.sent.return_url, { transaction_id: entry.id });
    }
    const { 'x-merchant-id': merchant, 'x-api-key': key } = request.headers;
    if (merchant !== settings.merchant_id || key !== settings.api_key)
      return answerJson(response, 401, { error_code: 'UNAUTHORIZED' });
    if (request.method === 'POST') return answerJson(response, ...open(body));
    const entry = ledger.find(({ id, sent }) =>
      second === 'by-reference' ? sent.merchant_reference === third : id === second,
    );
    return entry === undefined
      ? answerJson(response, 404, { error_code: 'UNKNOWN_TRANSACTION' })
      : answerJson(response, 200, view(entry));
  });
  return {
    url: server.url,
    settings,
    ledger,
    state,
    close: server.close,
    /** Tells how a transaction stands. @returns the answer's status */
    async tell(entry: GatewayEntry, secret = settings.webhook_secret) {
      const body = new URLSearchParams(told(entry)).toString();
      const reply = await fetch(entry.sent.notify_url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-signature': createHmac('sha256', secret).update(body).digest('hex'),
        },
        body,
      });
      return reply.status;
    },
  };
}

export type RedirectGateway = Awaited<ReturnType<typeof redirectGateway>>;
