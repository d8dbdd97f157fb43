import { parseSession } from '@railyard/core/protocol';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { failed } from '../../src/http/app.ts';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { recoverRun } from '../../src/payments/runs/again.ts';
import { syncPayment } from '../../src/payments/lookups.ts';
import { statusBody } from '../../src/payments/status.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { acceptedText, NewerRequestError, readAccepted } from '../../src/sessions/session.ts';
import { createLog } from '../../src/log/log.ts';
import { beginPix } from '../support/begin-pix.ts';
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

test('a session whose request is refused by later rules is paid, looked up, called back and reported as before', async () => {
  const { context } = made;
  const { stores, sealer } = context;
  const body = sessionBody({ billing_address: { country: 'BR', city: CITY } });
  const refused = parseSession({ ...body, billing_address: { country: 'BR', city: REFUSED } }, { today: TODAY });
  expect(refused).toMatchObject({ ok: false, issues: [{ path: 'billing_address.city' }] });
  const created = await createSession.handle(context, JSON.stringify(body));
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
  const started = await startPayment(context, session, { methodKey: 'pix', answers: {}, ip: undefined });
  const payment = started.kind === 'started' ? await stores.payments.find(started.paymentId) : undefined;
  const charge = provider.ledger[0];
  if (payment === undefined || charge === undefined) throw new Error('The payment did not start.');
  charge.status = 'PAID';
  await syncPayment(context, payment);

  const settled = await stores.payments.find(payment.id);
  if (settled === undefined) throw new Error('The payment is gone.');
  expect(
    await statusBody(context, settled, {
      session: session.stored,
      card: undefined,
      mandate: undefined,
      browser: undefined,
    }),
  ).toMatchObject({
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

test('what a newer version kept is left to it: nothing is sent or changed, and the log says why', async () => {
  const lines: string[] = [];
  const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
  const { stores, sealer } = context;
  const payment = await stores.payments.find(await beginPix(context));
  const kept = await stores.sessions.find(payment?.sessionId ?? '');
  const [run] = await stores.runs.ofPayment(payment?.id ?? '');
  if (payment === undefined || kept === undefined || run === undefined) throw new Error('The payment did not start.');
  const place = sealedAt.request(kept.id);
  const newer = openText(sealer, kept.requestText, place).replace('"form":1', '"form":2');
  expect(newer).toContain('"form":2');
  const requestText = sealer.seal(newer, place);
  await database.db.updateTable('sessions').set({ requestText }).where('id', '=', kept.id).execute();
  const running = { state: 'running', finishedAt: null, tries: 99 } as const;
  const leaseUntil = new Date(context.now() + 60_000);
  await database.db
    .updateTable('flowRuns')
    .set({ ...running, leaseUntil })
    .where('runId', '=', run.runId)
    .execute();

  await expect(syncPayment(context, payment)).rejects.toThrow(NewerRequestError);
  await recoverRun(context, {
    run: { ...run, tries: 99 },
    lease: { runId: run.runId, owner: context.owner, epoch: 1 },
  });
  expect(await stores.payments.find(payment.id)).toEqual(payment);
  expect(await stores.runs.find(run.runId)).toMatchObject(running);
  const last: unknown = JSON.parse(lines.at(-1) ?? '');
  expect(last).toMatchObject({ level: 'warn', event: 'newer-request', payment: payment.id });
});

test('a request about it is asked to come again, when another process may answer it', async () => {
  const app = new Hono<HttpEnv>();
  app.onError(failed(made.context));
  app.get('*', () => {
    throw new NewerRequestError();
  });
  const replies = await Promise.all(['/api/v1/payment/status', '/auth/x'].map((path) => app.request(path)));
  expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '2'],
    [503, '2'],
  ]);
});
