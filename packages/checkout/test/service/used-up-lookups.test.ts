import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSession } from '../../src/http/load-session.ts';
import { createLog } from '../../src/log.ts';
import { beginPayment } from '../../src/payments/begin.ts';
import { lookUp } from '../../src/payments/look-up.ts';
import { MAX_POLLS } from '../../src/payments/poll-plan.ts';
import { createSession } from '../../src/sessions/create-session.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig, sessionBody } from '../support/service.ts';

const database = useDatabase();
const at = Date.parse('2026-11-21T12:00:00Z');
let provider: PixProvider;

beforeAll(async () => {
  provider = await pixProvider();
});

afterAll(() => provider.close());

test.each([
  ['an unknown outcome', 'SOMETHING_NEW', 'needs-attention'],
  ['a code that was never paid', 'PENDING', 'still-open'],
])('the last lookup of %s ends the asking and is told as it should be', async (_what, status, event) => {
  const made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), () => at);
  const lines: string[] = [];
  const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
  provider.beforeReply = (entry) => {
    entry.status = status;
    return true;
  };
  const created = await createSession(context, JSON.stringify(sessionBody()));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const begun = await beginPayment(context, session, { methodKey: 'pix', answers: {}, ip: undefined });
  const payment = begun.kind === 'begun' ? await context.stores.payments.find(begun.paymentId) : undefined;
  if (payment === undefined) throw new Error('The payment did not begin.');

  await lookUp(context, { ...payment, polls: MAX_POLLS - 1 });
  expect((await context.stores.payments.find(payment.id))?.pollAt).not.toBeNull();
  await lookUp(context, { ...payment, polls: MAX_POLLS });
  expect((await context.stores.payments.find(payment.id))?.pollAt).toBeNull();
  const told = lines.map((line): { event?: string } => JSON.parse(line)).map((line) => line.event);
  expect(told.filter((each) => each === 'needs-attention' || each === 'still-open')).toEqual([event]);
  await made.close();
});
