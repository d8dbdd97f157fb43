import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createClient, type Client, type Fetch, type NewSession } from '../src/index.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../core/test/fixtures/${name}`, import.meta.url), 'utf8'));

/** A client whose requests are kept instead of sent. */
function keeping(password: string, digest?: 'md5' | 'sha256') {
  const sent: { readonly url: string; readonly body: Record<string, unknown> }[] = [];
  const fetch: Fetch = (url, { body }) => {
    sent.push({ url, body: JSON.parse(body) });
    return Promise.reject(new Error('kept'));
  };
  const merchantKey = '11111111-2222-4333-8444-555555555555';
  const options = { baseUrl: 'https://pay.example.com/', merchantKey, password, fetch };
  const client = createClient(digest === undefined ? options : { ...options, digest });
  return {
    async hashOf(call: (client: Client) => Promise<unknown>): Promise<unknown> {
      await call(client).catch(() => undefined);
      expect(sent.at(-1)?.body['merchant_key']).toBe(merchantKey);
      return sent.at(-1)?.body['hash'];
    },
    sent,
  };
}

const vectors = z
  .object({
    vectors: z.array(
      z.object({
        number: z.string(),
        amount: z.string().nullable(),
        currency: z.string(),
        description: z.string(),
        password: z.string(),
        unicode_upper: z.string(),
      }),
    ),
  })
  .parse(read('hash-vectors.json')).vectors;

test.each(vectors)('a session of $amount $currency for "$description" is signed as the vectors say', async (vector) => {
  const { amount, unicode_upper, password, ...rest } = vector;
  const order = amount === null ? rest : { ...rest, amount };
  const session: NewSession = { operation: 'purchase', success_url: 'https://shop.example/', order };
  const { hashOf, sent } = keeping(password);
  expect(await hashOf((client) => client.createSession(session))).toBe(unicode_upper);
  expect(sent).toMatchObject([{ url: 'https://pay.example.com/api/v1/session', body: { order } }]);
});

const text = z.string();
const recordedBody = z.looseObject({ hash: text });
const recorded = z
  .array(z.object({ client: text, id: text, path: text, secret: text, body: text }))
  .parse(read('client-requests.json'))
  .filter(({ path }) => path.startsWith('/api/v1/payment/'))
  .map((each) => ({ ...each, body: recordedBody.parse(JSON.parse(each.body)) }));

const onPayment = z.object({ payment_id: text });
const amountOnPayment = z.object({ payment_id: text, amount: text });
const orderNumber = z.object({ order_id: text });
const charge = z.object({
  recurring_init_trans_id: text,
  recurring_token: text,
  order: z.object({ number: text, amount: text, description: text }),
});
const payout = z.object({
  order_id: text,
  order_amount: text,
  order_currency: text,
  order_description: text,
  card_token: text,
});

/** What this client is asked for the recorded request to be sent. */
const CALLS: Readonly<Record<string, (client: Client, body: unknown) => Promise<unknown>>> = {
  status: (client, body) => {
    const found = onPayment.safeParse(body);
    return found.success ? client.status(found.data) : client.orderStatus(orderNumber.parse(body));
  },
  capture: (client, body) => client.capture(amountOnPayment.parse(body)),
  refund: (client, body) => client.refund(amountOnPayment.parse(body)),
  void: (client, body) => client.void(onPayment.parse(body)),
  recurring: (client, body) => client.recurring(charge.parse(body)),
  retry: (client, body) => client.retry(onPayment.parse(body)),
  'card/credit': (client, body) => client.credit(payout.parse(body)),
};

test('every call of a public client has a recorded request', () => {
  const paths = recorded.map(({ path }) => path.slice('/api/v1/payment/'.length));
  expect(new Set(paths)).toEqual(new Set(Object.keys(CALLS)));
});

test.each(recorded)('$path is signed as $client signs it ($id)', async ({ path, secret, body }) => {
  const call = CALLS[path.slice('/api/v1/payment/'.length)];
  if (call === undefined) throw new Error(`There is no call for ${path}.`);
  const signed = await Promise.all(
    (['md5', 'sha256'] as const).map((digest) => keeping(secret, digest).hashOf((client) => call(client, body))),
  );
  expect(signed).toContain(body.hash);
});
