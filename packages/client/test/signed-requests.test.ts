import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, told } from '../../checkout/test/support/acquirer-service.ts';
import { CARD, payByCard } from '../../checkout/test/support/card-service.ts';
import { callbackSecret } from '../../checkout/test/support/receiver.ts';
import { merchant } from '../../checkout/test/support/service.ts';
import { type Client, createClient, type Fetch, isRailyardError } from '../src/index.ts';

const requestKey = { id: 'shop-server', secret: `whsec_${btoa('the-request-key-of-this-client..')}` };
const permissions = ['create' as const, 'read' as const, 'refund' as const, 'pay-out' as const];

/** What the client sent, the newest last. */
const sent: Parameters<Fetch>[1][] = [];
let losesAnswers = false;

/** A network that can lose an answer after the service gave it. */
const network: Fetch = async (url, init) => {
  sent.push(init);
  const reply = await fetch(url, init);
  if (!losesAnswers) return reply;
  await reply.text();
  throw new TypeError('The connection broke.');
};

let service: AcquirerService;
let client: Client;
beforeAll(async () => {
  service = await acquirerService({
    requestKeys: [{ ...requestKey, permissions }],
    moneyOut: true,
    legacySignatures: 'none',
    legacyAddresses: [],
  });
  // Without a password, so that nothing here can be signed by its hash.
  client = createClient({
    baseUrl: service.url,
    merchantKey: merchant.key,
    requestKey,
    callbackSecret,
    fetch: network,
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  losesAnswers = false;
  sent.length = 0;
});

let orders = 0;
function newOrder() {
  orders += 1;
  return { number: `signed-${process.pid}-${orders}`, amount: '10.00', currency: 'USD', description: 'Straße № 1 🎁' };
}

const newSession = (order = newOrder()) => ({
  operation: 'purchase' as const,
  methods: ['card'],
  success_url: 'https://shop.example/success?a=1',
  order,
});

function newPayout() {
  const { number, amount, currency, description } = newOrder();
  return {
    order_id: number,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
    card_number: '4601541833776519',
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
  };
}

/** What a call throws, in one line. */
async function thrown(call: Promise<unknown>): Promise<string> {
  const error = await call.catch((caught: unknown) => caught);
  if (!isRailyardError(error)) throw new Error(`Expected an error of the client, got ${String(error)}`);
  return `${error.kind} ${error.status} ${error.message}`;
}

const idsSent = () => sent.map(({ headers }) => headers['request-id']);
const payouts = () => service.asked.filter(({ url }) => url.endsWith('/v1/payouts')).length;

test('a request key alone creates, reads, refunds, pays out and commands, with a new id each time and no hash', async () => {
  const session = newSession();
  const { redirect_url } = await client.createSession(session);
  await payByCard(redirect_url, CARD);
  const { id: payment_id = '' } = await told(service, session.order.number, { status: 'success' });
  expect(await client.status({ payment_id })).toMatchObject({ status: 'settled', order: session.order });
  expect(await client.refund({ payment_id, amount: '4.00' })).toEqual({ payment_id, result: 'accepted' });
  expect((await client.credit(newPayout())).result).toBe('accepted');
  const missing = { trans_id: '33333333-4444-4555-8666-777777777777' };
  expect(await thrown(client.transactionStatus(missing))).toContain('Transaction does not exist.');
  expect(new Set(idsSent()).size).toBe(5);
  expect(sent.filter(({ body }) => body.includes('"hash"'))).toEqual([]);
  expect(sent.map(({ headers }) => headers['request-key'])).toEqual(sent.map(() => requestKey.id));
});

test('a payout whose answer is lost is sent again with a new id and the same Idempotency-Key, and is paid once', async () => {
  const payout = newPayout();
  const before = payouts();
  const call = { idempotencyKey: payout.order_id };
  losesAnswers = true;
  expect(await thrown(client.credit(payout, call))).toMatch(/^unknown /);
  losesAnswers = false;
  const answer = await client.credit(payout, call);
  expect(answer.result).toBe('accepted');
  expect(await told(service, payout.order_id, { type: 'credit' })).toMatchObject({ id: answer.payment_id });
  expect(payouts()).toBe(before + 1);
  expect(new Set(idsSent()).size).toBe(2);
  const keys = sent.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([payout.order_id, payout.order_id]);
});

test('what was sent is refused when another sends it a second time, byte for byte', async () => {
  await client.createSession(newSession());
  const [first] = sent;
  if (first === undefined) throw new Error('The client sent nothing.');
  const { method, headers, body } = first;
  const replay = await fetch(`${service.url}/api/v1/session`, { method, headers, body });
  expect([replay.status, await replay.text()]).toEqual([400, expect.stringContaining('This request came before.')]);
});

test('a key with another secret is refused, and so is a password of a merchant who accepts signed requests alone', async () => {
  const at = { baseUrl: service.url, merchantKey: merchant.key };
  const secret = `whsec_${btoa('not-the-secret-of-this-client...')}`;
  expect(await thrown(createClient({ ...at, requestKey: { ...requestKey, secret } }).createSession(newSession()))).toBe(
    'invalid 400 POST /api/v1/session: request-signature: Signature is not valid.',
  );
  const byHash = createClient({ ...at, password: merchant.password });
  expect(await thrown(byHash.createSession(newSession()))).toContain('a hash is not accepted');
});
