import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import type { PayerPresence } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';
import { initiationProvider, type InitiationProvider } from '../support/initiation-provider.ts';
import { openBankingConfig } from '../support/open-banking-service.ts';
import { redirectGateway, type RedirectGateway } from '../support/redirect-gateway.ts';
import { serviceContext } from '../support/service-context.ts';
import { sessionBody } from '../support/service.ts';

const database = useDatabase();
let initiation: InitiationProvider;
let gateway: RedirectGateway;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  [initiation, gateway] = await Promise.all([initiationProvider(), redirectGateway()]);
  made = serviceContext(database.db, openBankingConfig({ initiation, gateway }, 'http://127.0.0.1:1', 1), Date.now);
});

afterAll(() => Promise.all([made.close(), initiation.close(), gateway.close()]));

/** A payment that leads its payer to a bank, in a session with this presence. */
async function toBank(payerPresence: PayerPresence) {
  const { context } = made;
  const { body } = await createSession.handle(
    context,
    JSON.stringify(sessionBody({ methods: ['online-bank-transfer'] }, { currency: 'EUR' })),
  );
  const token = 'redirect_url' in body ? (body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(body)}`);
  const { id } = session.stored;
  await sql`UPDATE sessions SET payer_presence = ${payerPresence} WHERE id = ${id}::uuid`.execute(database.db);
  const answers = { 'customer.name': 'Ann Lee' };
  const asCreated = { ...session, stored: { ...session.stored, payerPresence } };
  const started = await startPayment(context, asCreated, { methodKey: 'online-bank-transfer', answers, ip: undefined });
  if (started.kind !== 'started') throw new Error(`It did not start: ${JSON.stringify(started)}`);
  const payment = await context.stores.payments.find(started.paymentId);
  const [run] = await context.stores.runs.ofPayment(started.paymentId);
  const hasPage = (await loadSession(context, token)) !== undefined;
  return { hasPage, run: run?.state, unknown: payment?.unknown };
}

test.each([
  ['page', { hasPage: true, run: 'suspended', unknown: false }],
  ['merchant', { hasPage: false, run: 'suspended', unknown: false }],
  ['none', { hasPage: false, run: 'finished', unknown: true }],
] as const)('a flow that asks a payer whose presence is "%s" comes to %j', async (presence, expected) => {
  expect(await toBank(presence)).toEqual(expected);
});
