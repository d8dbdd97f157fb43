import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODIFICATION_CALLS } from '../../src/http/merchant-api/modification-routes.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { modificationsStore, DatabaseUnavailableError, paymentsStore } from '../../src/storage/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { paidByCard } from '../support/begin-card.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant } from '../support/service.ts';

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

function refundOf(payment_id: string): string {
  const amount = '4.00';
  const hash = signRequest('refund', { payment_id, amount }, merchant.password);
  return JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash });
}

const gone = (effect: 'none' | 'unknown') => new DatabaseUnavailableError(effect, new Error('gone'));

/** The database goes away while the provider is answering. */
function awayAfterSending({ stores, ...context }: ServiceDeps): ServiceDeps {
  const modifications = modificationsStore(context.db, context.sqlClock);
  modifications.find = () => Promise.reject(gone('none'));
  return { ...context, stores: { ...stores, modifications } };
}

/** The change is written and its answer is lost. */
function answerLost({ stores, ...context }: ServiceDeps): ServiceDeps {
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

describe('a modification whose database goes away', () => {
  test('when a refund was sent does not ask the merchant to send it again', async () => {
    const id = await paidByCard(made.context);
    const answer = await MODIFICATION_CALLS['/payment/refund'].handle(awayAfterSending(made.context), refundOf(id));
    expect(answer).toEqual({ status: 200, body: { payment_id: id, result: 'accepted' } });
    expect((await made.context.stores.payments.find(id))?.reservedMinor).toBe(400n);
  });

  test('when a void was sent is answered as unknown', async () => {
    const payment_id = await paidByCard(made.context);
    const hash = signRequest('void', { payment_id }, merchant.password);
    const text = JSON.stringify({ merchant_key: merchant.key, payment_id, hash });
    const answer = await MODIFICATION_CALLS['/payment/void'].handle(awayAfterSending(made.context), text);
    expect(answer).toMatchObject({ status: 200, body: { payment_id, status: 'UNDEFINED' } });
  });

  test('while a refund is stored is looked for, and goes on when it is there', async () => {
    const id = await paidByCard(made.context);
    const before = cards.acts.ledger.length;
    const answer = await MODIFICATION_CALLS['/payment/refund'].handle(answerLost(made.context), refundOf(id));
    expect(answer).toEqual({ status: 200, body: { payment_id: id, result: 'accepted' } });
    expect(cards.acts.ledger).toHaveLength(before + 1);
    expect((await made.context.stores.payments.find(id))?.refundedMinor).toBe(400n);
  });
});
