import { parseSession } from '@railyard/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSession } from '../../src/http/load-session.ts';
import { beginPayment } from '../../src/payments/begin.ts';
import { lookUp } from '../../src/payments/look-up.ts';
import { statusBody } from '../../src/payments/status-body.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { createSession } from '../../src/sessions/create-session.ts';
import { acceptedText, readAccepted } from '../../src/sessions/stored-request.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig, sessionBody } from '../support/service.ts';

const TODAY = '2026-11-21';
const CITY = 'Accepted town';
/** What today's rules refuse, as if they had been made stricter since. */
const REFUSED = 'Accepted town '.repeat(20).trim();

const database = useDatabase();
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  provider = await pixProvider();
  const config = pixConfig(provider, 'http://127.0.0.1:1', 0);
  made = serviceContext(database.db, config, () => Date.parse(`${TODAY}T12:00:00Z`));
});

afterAll(() => Promise.all([provider.close(), made.close()]));

test('a session whose request is refused by later rules is paid, looked up, called back and told as before', async () => {
  const { context } = made;
  const { stores, sealer } = context;
  const body = sessionBody({ billing_address: { country: 'BR', city: CITY } });
  const refused = parseSession({ ...body, billing_address: { country: 'BR', city: REFUSED } }, { today: TODAY });
  expect(refused).toMatchObject({ ok: false, issues: [{ path: 'billing_address.city' }] });
  const created = await createSession(context, JSON.stringify(body));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const kept = await stores.sessions.findByTokenHash(context.pageTokens.hash(token));
  if (kept === undefined) throw new Error('There is no session.');
  const place = sealedAt.request(kept.id);
  const text = openText(sealer, kept.requestText, place).replace(JSON.stringify(CITY), JSON.stringify(REFUSED));
  await database.db
    .updateTable('sessions')
    .set({ requestText: sealer.seal(text, place) })
    .where('id', '=', kept.id)
    .execute();

  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const begun = await beginPayment(context, session, { methodKey: 'pix', answers: {}, ip: undefined });
  const payment = begun.kind === 'begun' ? await stores.payments.find(begun.paymentId) : undefined;
  const charge = provider.ledger[0];
  if (payment === undefined || charge === undefined) throw new Error('The payment did not begin.');
  charge.status = 'PAID';
  await lookUp(context, payment);

  const settled = await stores.payments.find(payment.id);
  if (settled === undefined) throw new Error('The payment is gone.');
  expect(statusBody(context, settled, { session: session.stored, card: undefined, chain: undefined })).toMatchObject({
    status: 'settled',
    order: { number: body.order.number, amount: '10.00' },
  });
  const told = await database.db.selectFrom('callbacks').select(['id', 'body']).execute();
  const bodies = told.map(({ id, body: sealed }) => openText(sealer, sealed, sealedAt.callbackBody(id)));
  expect(bodies.some((each) => new URLSearchParams(each).get('status') === 'success')).toBe(true);
});

test.each([
  ['a fixed amount', sessionBody({ custom_data: { a: [1, 'b'] } })],
  ['an amount that the payer chooses', { ...sessionBody(), order: { ...sessionBody().order, amount: undefined } }],
])('a request with %s is read as it was accepted', (_what, body) => {
  const parsed = parseSession(body, { today: TODAY, openAmount: () => true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { session } = parsed;
  expect(readAccepted(acceptedText(session), TODAY)).toEqual({ ok: true, session });
  // From before requests were kept as accepted.
  expect(readAccepted(JSON.stringify(body), TODAY)).toEqual({ ok: true, session });
});
