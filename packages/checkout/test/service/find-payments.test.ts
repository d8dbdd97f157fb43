import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { payments as command } from '../../src/commands/payments.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import { beginPix } from '../support/begin-pix.ts';
import { useDatabase } from '../support/database.ts';
import { newCard, newPayment } from '../support/rows.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { pixConfig, sessionBody, startOn } from '../support/service.ts';

const database = useDatabase();
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  provider = await pixProvider();
  made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), Date.now);
});

afterAll(() => Promise.all([made.close(), provider.close()]));

const operator = () => paymentOperator(made.context);

/** A payment with a card, of a session that may ask for tokens of it. */
async function byCard(change: Readonly<Record<string, unknown>>, fromToken: boolean): Promise<string> {
  const body = sessionBody(change);
  await createSession.handle(made.context, JSON.stringify(body));
  const [found] = await operator().find(body.order.number);
  if (found === undefined) throw new Error('There is no session.');
  const payment = newPayment(found.session, { card: { kept: newCard({ fromToken }) } });
  await made.context.stores.payments.insert(payment);
  return payment.id;
}

test('a search by initiator, source and sequence finds the words that callbacks report', async () => {
  await beginPix(made.context);
  await byCard({}, false);
  const stored = await byCard({ req_token: true }, false);
  const used = await byCard({}, true);
  const by = async (query: Parameters<ReturnType<typeof operator>['search']>[0]) =>
    (await operator().search(query)).found.map(({ payment }) => payment?.id);
  expect(await by({ initiator: 'payer' })).toEqual([used, stored]);
  expect(await by({ initiator: 'merchant' })).toEqual([]);
  expect(await by({ source: 'entered' })).toEqual([stored]);
  expect(await by({ source: 'stored' })).toEqual([used]);
  expect(await by({ sequence: 'first' })).toEqual([stored]);
  const first = await operator().search({ initiator: 'payer', limit: 1 });
  expect([first.found.map(({ payment }) => payment?.id), first.next]).toEqual([[used], used]);
  expect(await by({ initiator: 'payer', after: used })).toEqual([stored]);
});

test('a search refuses an amount that its currency does not have, and a place that is no payment', async () => {
  await expect(operator().search({ amount: { text: '1.005', currency: 'EUR' } })).rejects.toThrow();
  await expect(operator().search({ after: 'nonsense' })).rejects.toThrow('There is no payment nonsense.');
});

test('the request id of an answer finds the session that the request made', async () => {
  const service = await startOn((port) => pixConfig(provider, 'http://127.0.0.1:1', port));
  const body = sessionBody();
  const reply = await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const id = reply.headers.get('x-request-id') ?? '';
  expect(await service.payments.find(id)).toMatchObject([{ session: id, orderNumber: body.order.number }]);
  await service.stop();
});

test.each([
  [['--last-four', '12'], '--last-four takes four digits.'],
  [['--state', 'paid'], '--state takes created, pending'],
  [['--amount', '1.00'], 'Give --amount and --currency together'],
  [['--from', 'yesterday'], '--from takes a day or a time'],
  [['order-1', '--state', 'settled'], 'Give either a text to find or properties'],
])('the command refuses %j', async (args, says) => {
  const refused = command.run(['find', ...args]);
  await expect(refused).rejects.toThrow(says);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
