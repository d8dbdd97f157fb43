import { randomUUID } from 'node:crypto';
import { money, settled } from '@railyard/core';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MODIFICATION_CALLS } from '../../src/http/merchant-api/modification-routes.ts';
import { createLog } from '../../src/log/log.ts';
import { applyChange } from '../../src/payments/change/apply.ts';
import { applyEvent } from '../../src/payments/events.ts';
import { syncModification } from '../../src/payments/lookups.ts';
import { modificationOperator } from '../../src/payments/operators.ts';
import { MAX_POLLS } from '../../src/payments/change/plan.ts';
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
  await MODIFICATION_CALLS['/payment/refund'].handle(
    made.context,
    JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash }),
  );
  const [modification] = await stores().modifications.ofPayment(payment_id);
  if (modification === undefined) throw new Error('There is no modification.');
  return { payment: payment_id, modification: modification.id };
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

describe('a modification with an unknown result', () => {
  test('that succeeded, says an operator, has its effect, is told, and its history says who decided', async () => {
    const { payment, modification } = await refunded('lost-after');
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
    const resolved = await modificationOperator(made.context).resolve(modification, {
      result: 'succeeded',
      providerReference: 're-1',
    });
    expect(resolved).toEqual({
      id: modification,
      kind: 'refund',
      state: 'succeeded',
      payment: { id: payment, state: 'settled' },
    });
    expect(await refundedMinor(payment)).toEqual([400n, 0n]);
    expect(await stores().modifications.find(modification)).toMatchObject({
      state: 'succeeded',
      providerReference: 're-1',
      pollAt: null,
    });
    expect((await told(payment)).at(-1)).toBe('success');
    expect(JSON.stringify(await lastEvent(payment))).toContain('operator');
  });

  test('that failed, says an operator, frees what it reserved, and is reported', async () => {
    const { payment, modification } = await refunded('lost-after');
    await modificationOperator(made.context).resolve(modification, { result: 'failed' });
    expect(await refundedMinor(payment)).toEqual([0n, 0n]);
    expect((await told(payment)).at(-1)).toBe('fail');
  });

  test('is not ended by a refund of the same number in another currency, which is set aside', async () => {
    const { payment, modification } = await refunded('lost-after');
    const before = await refundedMinor(payment);
    const of = await stores().payments.find(payment);
    const mid = made.context.directory.mid(of?.midId ?? '');
    if (of?.providerReference == null || mid === undefined) throw new Error('The payment is gone.');
    const outcome = settled('another', money('4.00', 'USD'));
    const event = { id: randomUUID(), kind: 'refund', providerReference: of.providerReference, outcome } as const;
    expect(await applyEvent(made.context, mid, event, 'notification')).toBe('kept');
    expect(await stores().modifications.find(modification)).toMatchObject({
      state: 'unknown',
      providerReference: null,
    });
    expect(await refundedMinor(payment)).toEqual(before);
    const { reason } = await database.db
      .selectFrom('providerEvents')
      .selectAll()
      .where('paymentId', '=', payment)
      .where('state', '=', 'quarantined')
      .executeTakeFirstOrThrow();
    expect(reason).toBe('The provider says 4.00 USD, asked for was a refund of 4.00 BRL.');
  });

  test('is resolved once', async () => {
    const { modification } = await refunded('lost-after');
    const operator = modificationOperator(made.context);
    const both = await Promise.allSettled([
      operator.resolve(modification, { result: 'succeeded', providerReference: 're-2' }),
      operator.resolve(modification, { result: 'failed' }),
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

describe('an operator is notified of a modification', () => {
  test('whose lookups are used up: which, what was asked for, and how often', async () => {
    const { payment, modification } = await refunded('lost-before');
    const { context, called } = calling();
    await database.db.updateTable('modifications').set({ polls: MAX_POLLS }).where('id', '=', modification).execute();
    const [found, of] = [await stores().modifications.find(modification), await stores().payments.find(payment)];
    if (found === undefined || of === undefined) throw new Error('The refund is gone.');
    await syncModification(context, { modification: found, payment: of });
    const [line, ...more] = called();
    expect(line).toMatchObject({
      payment,
      modification,
      kind: 'refund',
      state: 'unknown',
      why: 'the lookups are used up',
    });
    expect(line).toMatchObject({ amount: '4.00 BRL', tries: MAX_POLLS });
    expect(more).toEqual([]);
  });

  test('that is pending for longer than the connector declares, once, and not before', async () => {
    const { payment, modification } = await refunded('pending');
    const { context, called } = calling();
    const set = { polls: MAX_POLLS + 1 };
    await database.db.updateTable('modifications').set(set).where('id', '=', modification).execute();
    const [found, of] = [await stores().modifications.find(modification), await stores().payments.find(payment)];
    if (found === undefined || of === undefined) throw new Error('The refund is gone.');
    const syncAfter = (hours: number) =>
      syncModification(
        { ...context, now: () => found.createdAt.getTime() + hours * 3_600_000 },
        { modification: found, payment: of },
      );
    await syncAfter(239);
    expect(called()).toEqual([]);
    expect((await stores().modifications.find(modification))?.pollAt).not.toBeNull();
    await syncAfter(240);
    expect(called()).toMatchObject([{ modification, state: 'pending', why: 'the lookups are used up' }]);
    await syncAfter(264);
    expect(called()).toHaveLength(1);
  });

  test('whose money may have gone back twice, and the history keeps why', async () => {
    const payment_id = await paidByCard(made.context);
    cards.acts.state.behaves = () => 'pending';
    const hash = signRequest('void', { payment_id }, merchant.password);
    await MODIFICATION_CALLS['/payment/void'].handle(
      made.context,
      JSON.stringify({ merchant_key: merchant.key, payment_id, hash }),
    );
    const [modification] = await stores().modifications.ofPayment(payment_id);
    const refund = {
      kind: 'refund',
      amount: money('3.00', 'BRL'),
      providerReference: 're-3',
      via: 'notification',
    } as const;
    await applyChange(made.context, payment_id, { change: refund });
    const { context, called } = calling();
    await modificationOperator(context).resolve(modification?.id ?? '', {
      result: 'succeeded',
      providerReference: 'void-1',
    });
    expect(called()).toMatchObject([
      { payment: payment_id, modification: modification?.id, kind: 'void', state: 'succeeded', amount: '10.00 BRL' },
    ]);
    expect(JSON.stringify(await lastEvent(payment_id))).toContain('may have gone back twice');
  });
});

describe('an operator is refused', () => {
  test('a reference under which another refund of the payment took place', async () => {
    const { payment, modification } = await refunded('lost-after');
    cards.acts.state.behaves = () => 'done';
    const amount = '4.00';
    const hash = signRequest('refund', { payment_id: payment, amount }, merchant.password);
    await MODIFICATION_CALLS['/payment/refund'].handle(
      made.context,
      JSON.stringify({ merchant_key: merchant.key, payment_id: payment, amount, hash }),
    );
    const other = (await stores().modifications.ofPayment(payment)).find(({ id }) => id !== modification);
    const reference = other?.providerReference ?? '';
    const resolved = modificationOperator(made.context).resolve(modification, {
      result: 'succeeded',
      providerReference: reference,
    });
    await expect(resolved).rejects.toThrow(other?.id);
    expect(await refundedMinor(payment)).toEqual([400n, 400n]);
  });

  test('that a refund failed which the provider has accepted', async () => {
    const { payment, modification } = await refunded('pending');
    await expect(modificationOperator(made.context).resolve(modification, { result: 'failed' })).rejects.toThrow(
      /has accepted/,
    );
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
  });

  test('a modification that has ended', async () => {
    const { payment, modification } = await refunded('done');
    await expect(modificationOperator(made.context).resolve(modification, { result: 'failed' })).rejects.toThrow(
      /has ended/,
    );
    expect(await refundedMinor(payment)).toEqual([400n, 0n]);
  });

  test('a modification whose run is under way', async () => {
    const { payment, modification } = await refunded('lost-after');
    await database.db
      .updateTable('flowRuns')
      .set({ state: 'running', finishedAt: null, leaseUntil: new Date() })
      .where('runId', '=', modification)
      .execute();
    await expect(modificationOperator(made.context).resolve(modification, { result: 'failed' })).rejects.toThrow(
      /under way/,
    );
    expect(await refundedMinor(payment)).toEqual([0n, 400n]);
  });

  test('a success without a reference', async () => {
    const { modification } = await refunded('lost-after');
    await expect(modificationOperator(made.context).resolve(modification, { result: 'succeeded' })).rejects.toThrow(
      /reference/,
    );
  });

  test.each(['nonsense', randomUUID()])('the id %s', async (id) => {
    await expect(modificationOperator(made.context).resolve(id, { result: 'failed' })).rejects.toThrow(
      /There is no modification/,
    );
  });
});
