import { signRequest, signSession } from '@railyard/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRefund, paymentVoid } from '../../src/http/action-routes.ts';
import { loadSession } from '../../src/http/load-session.ts';
import { beginPayment } from '../../src/payments/begin.ts';
import type { ServiceContext } from '../../src/service-context.ts';
import { createSession } from '../../src/sessions/create-session.ts';
import { actionsStore, DatabaseUnavailableError, paymentsStore } from '../../src/storage/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant, sessionBody } from '../support/service.ts';

const database = useDatabase();
let cards: Awaited<ReturnType<typeof anyMethodProvider>>;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  cards = await anyMethodProvider();
  const config = anyMethodConfig({ providerUrl: cards.url, callbackUrl: 'http://127.0.0.1:1', port: 0 });
  made = serviceContext(database.db, config, Date.now);
});

afterAll(async () => {
  await made.close();
  await cards.close();
});

/** A card payment that is settled. @returns its id */
async function paid(): Promise<string> {
  const { context } = made;
  const body = sessionBody({ methods: ['card'] });
  const signed = { ...body, hash: signSession(body.order, merchant.password) };
  const created = await createSession(context, JSON.stringify(signed));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  const begun = await beginPayment(context, session, { methodKey: 'card', answers: {}, ip: undefined });
  if (begun.kind !== 'begun') throw new Error('The payment did not begin.');
  return begun.paymentId;
}

function refundOf(payment_id: string): string {
  const amount = '4.00';
  const hash = signRequest('refund', { payment_id, amount }, merchant.password);
  return JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash });
}

const gone = (effect: 'none' | 'unknown') => new DatabaseUnavailableError(effect, new Error('gone'));

/** The database goes away while the provider is answering. */
function awayAfterSending({ stores, ...context }: ServiceContext): ServiceContext {
  const actions = actionsStore(context.db, context.sqlClock);
  actions.find = () => Promise.reject(gone('none'));
  return { ...context, stores: { ...stores, actions } };
}

/** The change is written and its answer is lost. */
function answerLost({ stores, ...context }: ServiceContext): ServiceContext {
  const payments = paymentsStore(context.db, context.sqlClock);
  let lost = false;
  payments.applyTransition = async (transition) => {
    const written = await stores.payments.applyTransition(transition);
    if (lost) return written;
    lost = true;
    throw gone('unknown');
  };
  return { ...context, stores: { ...stores, payments } };
}

describe('an action whose database goes away', () => {
  test('when a refund was sent does not ask the merchant to send it again', async () => {
    const id = await paid();
    const answer = await paymentRefund(awayAfterSending(made.context), refundOf(id));
    expect(answer).toEqual({ status: 200, body: { payment_id: id, result: 'accepted' } });
    expect((await made.context.stores.payments.find(id))?.reservedMinor).toBe(400n);
  });

  test('when a void was sent is answered as unknown', async () => {
    const payment_id = await paid();
    const hash = signRequest('void', { payment_id }, merchant.password);
    const text = JSON.stringify({ merchant_key: merchant.key, payment_id, hash });
    const answer = await paymentVoid(awayAfterSending(made.context), text);
    expect(answer).toMatchObject({ status: 200, body: { payment_id, status: 'UNDEFINED' } });
  });

  test('while a refund is stored is looked for, and goes on when it is there', async () => {
    const id = await paid();
    const before = cards.acts.ledger.length;
    const answer = await paymentRefund(answerLost(made.context), refundOf(id));
    expect(answer).toEqual({ status: 200, body: { payment_id: id, result: 'accepted' } });
    expect(cards.acts.ledger).toHaveLength(before + 1);
    expect((await made.context.stores.payments.find(id))?.refundedMinor).toBe(400n);
  });
});
