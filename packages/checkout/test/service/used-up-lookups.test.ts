import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadSession } from '../../src/http/page/load-session.ts';
import { createLog } from '../../src/log/log.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { syncPayment } from '../../src/payments/lookups.ts';
import { MAX_POLLS } from '../../src/payments/change/plan.ts';
import type { Sent } from '../../src/signatures.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig, sessionBody } from '../support/service.ts';

const database = useDatabase();
const BEGUN = Date.parse('2026-11-21T12:00:00Z');
let at = BEGUN;
let provider: PixProvider;

beforeAll(async () => {
  provider = await pixProvider();
});

afterAll(() => provider.close());

beforeEach(() => {
  at = BEGUN;
  [provider.lifetimeMs, provider.clock] = [3_600_000, () => at];
});

/** How a command of this machine comes. */
const fromHere: Sent = { client: '127.0.0.1', signature: undefined };

/** A payment whose provider says this of it, and goes on saying so. */
async function started(status: string, change: Readonly<Record<string, unknown>> = {}) {
  const made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), () => at);
  const lines: string[] = [];
  const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
  provider.beforeReply = (entry) => {
    entry.status = status;
    return true;
  };
  const created = await createSession.handle(context, JSON.stringify(sessionBody(change)), undefined, fromHere);
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const attempt = await startPayment(context, session, { methodKey: 'pix', answers: {}, ip: undefined });
  const payment = attempt.kind === 'started' ? await context.stores.payments.find(attempt.paymentId) : undefined;
  if (payment === undefined) throw new Error('The payment did not start.');
  const told = () => lines.map((line): { event?: string } => JSON.parse(line)).map((line) => line.event);
  return { context, payment, told, close: made.close, now: () => context.stores.payments.find(payment.id) };
}

test.each([
  ['an unknown outcome', 'SOMETHING_NEW', 'needs-attention'],
  ['a code that was never paid', 'PENDING', 'still-open'],
])('the last lookup of %s ends the asking and is told as it should be', async (_what, status, event) => {
  // Of one whose end is known, lookups go on until then.
  provider.lifetimeMs = undefined;
  const { context, payment, told, close, now } = await started(status);
  await syncPayment(context, { ...payment, polls: MAX_POLLS - 1 });
  expect((await now())?.pollAt).not.toBeNull();
  await syncPayment(context, { ...payment, polls: MAX_POLLS });
  expect((await now())?.pollAt).toBeNull();
  expect(told().filter((each) => each === 'needs-attention' || each === 'still-open')).toEqual([event]);
  await close();
});

const PAYOUT = {
  operation: 'credit',
  payee: { name: 'Maria Silva' },
  parameters: { pix: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' } },
};

test.each([
  ['a code that was never paid expires', {}, 'expired'],
  ['a payout stays open: whoever reads that it is declined pays out again', PAYOUT, 'pending'],
])('when lookups and session are over, %s', async (_what, change, state) => {
  const { context, payment, close, now } = await started('PENDING', change);
  at += 24 * 3_600_000;
  await syncPayment(context, { ...payment, polls: MAX_POLLS });
  expect(await now()).toMatchObject({ state, pollAt: null });
  await close();
});
