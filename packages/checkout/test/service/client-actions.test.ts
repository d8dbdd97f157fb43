import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { acquirerService } from '../support/acquirer-service.ts';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';
import type { Place } from '../support/data-dir.ts';
import { saveCard } from '../support/saved-card.ts';
import { storePayments, type StoredPayment } from '../support/stored-payment.ts';

const recordedSchema = z.array(
  z.object({
    client: z.string(),
    id: z.string(),
    path: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    secret: z.string(),
    body: z.string(),
  }),
);
type Recorded = z.output<typeof recordedSchema>[number];

/** What unmodified public clients of the protocol ask for after a payment. */
const recorded = recordedSchema
  .parse(JSON.parse(readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8')))
  .filter(({ path }) => path.startsWith('/api/v1/payment/') && path !== '/api/v1/payment/status');
const of = (...names: readonly string[]) =>
  recorded.filter(({ path }) => names.includes(path.slice('/api/v1/payment/'.length)));

/** The payment that the clients name, and the mandate. */
const PAYMENT = '33333333-4444-4555-8666-777777777777';
const FIRST: StoredPayment = {
  id: '77777777-4444-4555-8666-777777777777',
  state: 'settled',
  amount: '10.00',
  minor: 1000n,
  currency: 'USD',
  reference: '44444444-5555-4666-8777-888888888888',
  recurringToken: '55555555-6666-4777-8888-999999999999',
};
const ANY = { method: 'card', methodAlias: 'card', connectorId: 'any-method', midId: 'any' };
const CARDS = { method: 'card', methodAlias: 'card', connectorId: 'card-acquirer', midId: 'cards' };

/** The body as it was sent, under the headers it was sent with; and once more with another hash. */
async function replay(url: string, { path, body, headers }: Recorded) {
  const forged = body.replace(/("hash": ?")[0-9a-f]{4}/, '$10000');
  expect(errorLines((await postRaw(`${url}${path}`, forged, Object.fromEntries(headers))).json)).toEqual([
    'hash: Hash is not valid.',
  ]);
  const answer = await postRaw(`${url}${path}`, body, Object.fromEntries(headers));
  return { status: answer.status, json: answer.json };
}

/** The payment as the request needs it: the amount of a capture or refund tells its currency. */
function paymentFor({ path, body }: Recorded): StoredPayment {
  const { amount = '10.00' } = z.object({ amount: z.string().optional() }).parse(JSON.parse(body));
  const currency = /\.\d{3}$/.test(amount) ? 'KWD' : 'USD';
  const state = path.endsWith('/capture') ? 'authorized' : 'settled';
  return { id: PAYMENT, state, amount, minor: BigInt(amount.replace('.', '')), currency, route: ANY };
}

test('all recorded requests of these addresses are here', () => {
  expect(recorded.map(({ client, id }) => `${client} ${id}`)).toHaveLength(9);
  expect(of('capture', 'refund', 'void', 'recurring', 'retry', 'card/credit')).toEqual(recorded);
});

test.each(of('capture', 'refund', 'void'))('$client $id gets the answer that its client reads', async (request) => {
  const service = await anyMethodService([{ key: 'card', mid: 'any' }], {
    password: request.secret,
    prepare: (place) => storePayments(place, [paymentFor(request)]),
  });
  onTestFinished(() => service.stop());
  const { status, json } = await replay(service.url, request);
  const expected = request.path.endsWith('/void')
    ? { payment_id: PAYMENT, status: 'SUCCESS', payment_status: 'void', order: { amount: '10.00', currency: 'USD' } }
    : { payment_id: PAYMENT, result: 'accepted' };
  expect([status, json]).toMatchObject([200, expected]);
});

test.each(of('recurring', 'retry', 'card/credit'))(
  '$client $id gets the answer that its client reads',
  async (request) => {
    const first = { ...FIRST, route: CARDS };
    const declined = {
      id: PAYMENT,
      state: 'declined',
      amount: '10.00',
      minor: 1000n,
      currency: 'USD',
      route: CARDS,
      mandateId: FIRST.id ?? '',
    } as const;
    const prepare = async (place: Place) => {
      await saveCard(place, 'a'.repeat(64));
      await storePayments(place, [first, declined]);
    };
    const service = await acquirerService({ password: request.secret }, undefined, { prepare });
    onTestFinished(() => service.stop());
    const answer = await replay(service.url, request);
    const answers: Readonly<Record<string, object>> = {
      recurring: {
        status: 'settled',
        payment_id: expect.any(String),
        order: { number: 'ord-2002', amount: '10.00', currency: 'USD', description: 'Test order' },
      },
      retry: { payment_id: PAYMENT, result: 'accepted' },
      cardCredit: { payment_id: expect.any(String), result: 'accepted' },
    };
    expect([answer.status, answer.json]).toMatchObject([200, answers[request.id]]);
    const types: Readonly<Record<string, string>> = {
      recurring: 'recurring',
      retry: 'recurring',
      cardCredit: 'credit',
    };
    const { fields } = await service.shop.until(({ fields: each }) => each.status === 'success');
    expect(fields).toMatchObject({ type: types[request.id], order_status: 'settled' });
  },
);
