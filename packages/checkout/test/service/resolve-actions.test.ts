import { randomUUID } from 'node:crypto';
import { money } from '@railyard/core';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentRefund, paymentVoid } from '../../src/http/merchant-api/action-routes.ts';
import { createLog } from '../../src/log/log.ts';
import { applyChange } from '../../src/payments/transitions/apply.ts';
import { syncModification } from '../../src/payments/lookups/sync-modification.ts';
import { actionOperator } from '../../src/payments/operators/operator.ts';
import { MAX_POLLS } from '../../src/payments/transitions/poll-plan.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
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

beforeEach(() => {
  cards.acts.state.behaves = () => 'done';
});

const stores = () => made.context.stores;

/** A refund of 4.00 of a card payment. `behaves`: what the provider does with it. */
async function refunded(behaves: 'done' | 'pending' | 'lost-before' | 'lost-after') {
  const payment_id = await paidByCard(made.context);
  cards.acts.state.behaves = () => behaves;
  const amount = '4.00';
  const hash = signRequest('refund', { payment_id, amount }, merchant.password);
  await paymentRefund(made.context, JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash }));
  const [action] = await stores().actions.ofPayment(payment_id);
  if (action === undefined) throw new Error('There is no action.');
  return { payment: payment_id, action: action.id };
}

const refundedMinor = async (id: string) => {
  const payment = await stores().payments.find(id);
  return payment && [payment.refundedMinor, payment.reservedMinor];
};

/** What the merchant is told of refunds of a payment: `status`, oldest first. */
async function told(payment: string) {
  const rows = await database.db
    .selectFrom('callbacks')
    .selectAll()
    .where('paymentId', '=', payment)
    .orderBy('seq')
    .execute();
  const fields = rows.map(({ id, body }) => {
    return new URLSearchParams(openText(made.context.sealer, body, sealedAt.callbackBody(id)));
  });
  return fields.filter((each) => each.get('type') === 'refund').map((each) => each.get('status'));
}

async function lastEvent(payment: string): Promise<unknown> {
  const rows = await database.db
    .selectFrom('paymentEvents')
    .selectAll()
    .where('paymentId', '=', payment)
    .orderBy('version', 'desc')
    .execute();
  return rows[0];
}

describe('an action of which nobody knows', () => {
  test('that succeeded, says an operator, has its effect, is told, and its history says who decided', async () => {
    const { payment, action } = await refunded('lost-after');
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
    const resolved = await actionOperator(made.context).resolve(action, {
      result: 'succeeded',
      providerReference: 're-1',
    });
    expect(resolved).toEqual({
      id: action,
      kind: 'refund',
      state: 'succeeded',
      payment: { id: payment, state: 'settled' },
    });
    expect(await refundedMinor(payment)).toEqual([400n, 0n]);
    expect(await stores().actions.find(action)).toMatchObject({
      state: 'succeeded',
      providerReference: 're-1',
      pollAt: null,
    });
    expect((await told(payment)).at(-1)).toBe('success');
    expect(JSON.stringify(await lastEvent(payment))).toContain('operator');
  });

  test('that failed, says an operator, frees what it reserved, and is told', async () => {
    const { payment, action } = await refunded('lost-after');
    await actionOperator(made.context).resolve(action, { result: 'failed' });
    expect(await refundedMinor(payment)).toEqual([0n, 0n]);
    expect((await told(payment)).at(-1)).toBe('fail');
  });

  test('is resolved once', async () => {
    const { action } = await refunded('lost-after');
    const operator = actionOperator(made.context);
    const both = await Promise.allSettled([
      operator.resolve(action, { result: 'succeeded', providerReference: 're-2' }),
      operator.resolve(action, { result: 'failed' }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

/** A context with what its log says is for a person. */
function calling() {
  const lines: string[] = [];
  const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
  const called = () =>
    lines.filter((line) => line.includes('needs-attention')).map((line): unknown => JSON.parse(line));
  return { context, called };
}

describe('a person is told of an action', () => {
  test('whose lookups are used up: which, what was asked for, and how often', async () => {
    const { payment, action } = await refunded('lost-before');
    const { context, called } = calling();
    await database.db.updateTable('actions').set({ polls: MAX_POLLS }).where('id', '=', action).execute();
    const [found, of] = [await stores().actions.find(action), await stores().payments.find(payment)];
    if (found === undefined || of === undefined) throw new Error('The refund is gone.');
    await syncModification(context, { action: found, payment: of });
    const [line, ...more] = called();
    expect(line).toMatchObject({ payment, action, kind: 'refund', state: 'unknown', why: 'the lookups are used up' });
    expect(line).toMatchObject({ amount: '4.00 BRL', tries: MAX_POLLS });
    expect(more).toEqual([]);
  });

  test('whose money may have gone back twice, and the history keeps why', async () => {
    const payment_id = await paidByCard(made.context);
    cards.acts.state.behaves = () => 'pending';
    const hash = signRequest('void', { payment_id }, merchant.password);
    await paymentVoid(made.context, JSON.stringify({ merchant_key: merchant.key, payment_id, hash }));
    const [action] = await stores().actions.ofPayment(payment_id);
    const refund = {
      kind: 'refund',
      amount: money('3.00', 'BRL'),
      providerReference: 're-3',
      via: 'notification',
    } as const;
    await applyChange(made.context, payment_id, { change: refund });
    const { context, called } = calling();
    await actionOperator(context).resolve(action?.id ?? '', { result: 'succeeded', providerReference: 'void-1' });
    expect(called()).toMatchObject([
      { payment: payment_id, action: action?.id, kind: 'void', state: 'succeeded', amount: '10.00 BRL' },
    ]);
    expect(JSON.stringify(await lastEvent(payment_id))).toContain('may have gone back twice');
  });
});

describe('an operator is refused', () => {
  test('a reference under which another refund of the payment took place', async () => {
    const { payment, action } = await refunded('lost-after');
    cards.acts.state.behaves = () => 'done';
    const amount = '4.00';
    const hash = signRequest('refund', { payment_id: payment, amount }, merchant.password);
    await paymentRefund(
      made.context,
      JSON.stringify({ merchant_key: merchant.key, payment_id: payment, amount, hash }),
    );
    const other = (await stores().actions.ofPayment(payment)).find(({ id }) => id !== action);
    const reference = other?.providerReference ?? '';
    const resolved = actionOperator(made.context).resolve(action, {
      result: 'succeeded',
      providerReference: reference,
    });
    await expect(resolved).rejects.toThrow(other?.id);
    expect(await refundedMinor(payment)).toEqual([400n, 400n]);
  });

  test('that a refund failed which the provider has accepted', async () => {
    const { payment, action } = await refunded('pending');
    await expect(actionOperator(made.context).resolve(action, { result: 'failed' })).rejects.toThrow(/has accepted/);
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
  });

  test('an action that has ended', async () => {
    const { payment, action } = await refunded('done');
    await expect(actionOperator(made.context).resolve(action, { result: 'failed' })).rejects.toThrow(/has ended/);
    expect(await refundedMinor(payment)).toEqual([400n, 0n]);
  });

  test('an action whose run is under way', async () => {
    const { payment, action } = await refunded('lost-after');
    await database.db
      .updateTable('flowRuns')
      .set({ state: 'running', finishedAt: null, leaseUntil: new Date() })
      .where('runId', '=', action)
      .execute();
    await expect(actionOperator(made.context).resolve(action, { result: 'failed' })).rejects.toThrow(/under way/);
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
  });

  test('a success without a reference', async () => {
    const { action } = await refunded('lost-after');
    await expect(actionOperator(made.context).resolve(action, { result: 'succeeded' })).rejects.toThrow(/reference/);
  });

  test.each(['nonsense', randomUUID()])('the id %s', async (id) => {
    await expect(actionOperator(made.context).resolve(id, { result: 'failed' })).rejects.toThrow(/There is no action/);
  });
});
