import { createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { answerJson, backToShop, bankPage } from './bank-pages.ts';
import { listen } from './listen.ts';

const asked = z.strictObject({
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  description: z.string(),
  bank_id: z.string().optional(),
  payer: z.strictObject({ name: z.string().optional(), email: z.string().optional() }),
  payee: z.strictObject({
    name: z.string(),
    country: z.string().length(2),
    identifications: z.array(z.strictObject({ type: z.string(), identification: z.string() })).min(1),
  }),
  redirect_url: z.url(),
  notify_url: z.url(),
});

/** A payment that the double took. */
export interface InitiatedEntry {
  readonly id: string;
  readonly key: string;
  readonly sent: z.output<typeof asked>;
  status: string;
  status_reason?: string;
}

/** Seconds that a token is good for. */
const TOKEN_SECONDS = 3600;

/**
 * A provider that initiates payments, written from its description in the connector's README, apart from the connector's code: real HTTP, one
 * payment for each key, pages of a bank, signed notifications.
 */
export async function initiationProvider() {
  const settings = {
    client_id: 'test-client',
    client_secret: 'test-client-secret',
    webhook_secret: 'test-notification-secret',
  };
  const ledger: InitiatedEntry[] = [];
  const state = {
    banks: [
      { id: 'bank_north', name: 'North Bank' },
      { id: 'bank_south', name: 'South Bank' },
    ],
    /** Refuses what it is asked, with a text that repeats the account. */
    refuses: false,
    /** What approving leads to. */
    approved: 'ACSC',
  };
  const token = randomUUID();
  const view = (entry: InitiatedEntry) => ({
    id: entry.id,
    reference: entry.sent.reference,
    status: entry.status,
    ...(entry.status_reason !== undefined && { status_reason: entry.status_reason }),
    amount: entry.sent.amount,
    currency: entry.sent.currency,
    authorization_url: `${server.url}/bank/${entry.id}`,
    // Some repeat what they were sent.
    payee: entry.sent.payee,
    remark: `To ${entry.sent.payee.identifications.map(({ identification }) => identification).join(', ')}`,
  });
  const create = (body: string, key: string): readonly [number, unknown] => {
    const before = ledger.find((each) => each.key === key);
    if (before !== undefined) return [200, view(before)];
    const sent = asked.parse(JSON.parse(body));
    const account = sent.payee.identifications[0]?.identification;
    if (state.refuses) return [422, { code: 'AC03', message: `The account ${account} is not known.` }];
    const entry = { id: `pi_${randomUUID()}`, key, sent, status: 'RCVD' };
    ledger.push(entry);
    return [201, view(entry)];
  };
  const server = await listen((request, body, response) => {
    const url = new URL(request.url ?? '/', 'http://double');
    const [, first = '', second = '', third = '', fourth = ''] = url.pathname.split('/');
    const line = `${request.method} ${url.pathname}`;
    if (first === 'bank') {
      const entry = ledger.find(({ id }) => id === second);
      if (entry === undefined) return answerJson(response, 404, {});
      if (third === '') return bankPage(response, `/bank/${entry.id}`, `${entry.sent.amount} ${entry.sent.currency}`);
      entry.status = third === 'approve' ? state.approved : 'CANC';
      return backToShop(response, entry.sent.redirect_url, { payment_id: entry.id });
    }
    if (line === 'POST /v1/token') {
      const { client_id, client_secret } = settings;
      const right = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString();
      return body === right
        ? answerJson(response, 200, { access_token: token, expires_in: TOKEN_SECONDS })
        : answerJson(response, 401, { code: 'unauthorized' });
    }
    if (request.headers.authorization !== `Bearer ${token}`) return answerJson(response, 401, { code: 'unauthorized' });
    if (line === 'GET /v1/banks') return answerJson(response, 200, { banks: state.banks });
    if (line === 'POST /v1/payments')
      return answerJson(response, ...create(body, String(request.headers['idempotency-key'])));
    const entry = ledger.find(({ id, sent }) => (third === 'reference' ? sent.reference === fourth : id === third));
    return entry === undefined
      ? answerJson(response, 404, { code: 'not_found' })
      : answerJson(response, 200, view(entry));
  });
  return {
    url: server.url,
    settings,
    ledger,
    state,
    close: server.close,
    /** Tells how a payment stands. @returns the answer's status */
    async tell(entry: InitiatedEntry, change: { readonly status?: string; readonly secret?: string } = {}) {
      const { secret = settings.webhook_secret, ...told } = change;
      const body = JSON.stringify({ event_id: randomUUID(), payment: { ...view(entry), ...told } });
      const at = String(Math.floor(Date.now() / 1000));
      const reply = await fetch(entry.sent.notify_url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-timestamp': at,
          'x-signature': `sha256=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
        },
        body,
      });
      return reply.status;
    },
  };
}

export type InitiationProvider = Awaited<ReturnType<typeof initiationProvider>>;
