import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { payments as command } from '../../src/commands/payments.ts';
import { syncPayment } from '../../src/payments/lookups.ts';
import { paymentOperator } from '../../src/payments/operators.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { paymentsStore } from '../../src/storage/index.ts';
import { beginPix } from '../support/begin-pix.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig } from '../support/service.ts';

const database = useDatabase();
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  provider = await pixProvider();
  made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), Date.now);
});

afterAll(() => Promise.all([made.close(), provider.close()]));

const operator = () => paymentOperator(made.context);
const stores = () => made.context.stores;

/** A payment whose provider says this of it, and about which nothing asks any more. @returns its id */
async function left(status: string): Promise<string> {
  provider.beforeReply = (entry) => {
    entry.status = status;
    return true;
  };
  const id = await beginPix(made.context);
  await stores().payments.schedulePoll(id, null);
  return id;
}
const unknown = () => left('SOMETHING_NEW');

/** What the merchant is told of a payment: `status`, oldest first. */
async function told(id: string) {
  const rows = await database.db
    .selectFrom('callbacks')
    .selectAll()
    .where('paymentId', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map((each) => {
    return new URLSearchParams(openText(made.context.sealer, each.body, sealedAt.callbackBody(each.id))).get('status');
  });
}

const lastEvent = async (id: string) => (await stores().payments.eventsOf(id)).at(-1)?.dataText;
const versionOf = async (id: string) => (await stores().payments.find(id))?.version;

describe('an operator', () => {
  test('sees unknown outcomes, also while they are looked up, and then the payments that nothing asks about', async () => {
    const [waits, doubtful] = [await left('PENDING'), await unknown()];
    const asked = await beginPix(made.context);
    provider.beforeReply = () => true;
    await beginPix(made.context);
    expect(await operator().list()).toMatchObject([
      { id: doubtful, unknown: true, state: 'pending', amountText: '10.00', currency: 'BRL', midId: 'pix-main' },
      { id: asked, unknown: true, state: 'pending' },
      { id: waits, unknown: false, state: 'pending' },
    ]);
    expect(await operator().list({ limit: 1 })).toHaveLength(1);
    expect((await stores().payments.find(asked))?.pollAt).not.toBeNull();
  });

  test('has the provider asked again, and its answer counts', async () => {
    const id = await unknown();
    await operator().sync(id);
    const [due, ...more] = await stores().payments.claimDuePolls(9, 60_000);
    expect([due?.id, more]).toEqual([id, []]);
    const charge = provider.ledger.at(-1);
    if (due === undefined || charge === undefined) throw new Error('Nothing is looked up.');
    charge.status = 'PAID';
    await syncPayment(made.context, due);
    expect(await stores().payments.find(id)).toMatchObject({ state: 'settled' });
  });

  test.each([
    ['settled', 'success'],
    ['declined', 'fail'],
  ] as const)('says that one is %s: it is told, and its history says who decided', async (outcome, status) => {
    const id = await unknown();
    expect(await operator().resolve(id, { outcome })).toEqual({ id, state: outcome });
    expect((await told(id)).at(-1)).toBe(status);
    expect(await lastEvent(id)).toContain('"via":"operator"');
  });

  test('says so once', async () => {
    const id = await unknown();
    const both = [operator().resolve(id, { outcome: 'settled' }), operator().resolve(id, { outcome: 'declined' })];
    const ended = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(ended.toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an operator is refused, and nothing changes:', () => {
  test.each([
    ['another amount', { outcome: 'settled', amount: '9.99' }, /expected was 10\.00 BRL/],
    ['no amount at all', { outcome: 'settled', amount: 'ten' }, /ten/],
  ] as const)('%s', async (_what, found, why) => {
    const id = await unknown();
    await expect(operator().resolve(id, found)).rejects.toThrow(why);
    expect(await versionOf(id)).toBe(2);
  });

  test('the reference of another payment', async () => {
    const [id, other] = [await unknown(), await unknown()];
    const reference = (await stores().payments.find(other))?.providerReference ?? '';
    await expect(operator().resolve(id, { outcome: 'settled', providerReference: reference })).rejects.toThrow(other);
    expect(await versionOf(id)).toBe(2);
  });

  test('a success without any reference', async () => {
    const id = await unknown();
    const found = await stores().payments.find(id);
    if (found === undefined) throw new Error('The payment is gone.');
    // As after a creating call that was never answered.
    const payments = paymentsStore(database.db, made.context.sqlClock);
    payments.find = () => Promise.resolve({ ...found, providerReference: null });
    const context = { ...made.context, stores: { ...stores(), payments } };
    await expect(paymentOperator(context).resolve(id, { outcome: 'settled' })).rejects.toThrow(/reference/);
    expect(await versionOf(id)).toBe(2);
  });

  test('a decline of what the provider has accepted', async () => {
    const id = await left('PENDING');
    await expect(operator().resolve(id, { outcome: 'declined' })).rejects.toThrow(/has accepted/);
    expect(await versionOf(id)).toBe(2);
  });

  test('a payment whose flow is under way, looked up or resolved', async () => {
    const id = await unknown();
    const running = { state: 'running', finishedAt: null, leaseUntil: new Date() } as const;
    await database.db.updateTable('flowRuns').set(running).where('paymentId', '=', id).execute();
    await expect(operator().resolve(id, { outcome: 'settled' })).rejects.toThrow(/under way/);
    await expect(operator().sync(id)).rejects.toThrow(/under way/);
  });

  test('a payment that has ended', async () => {
    const id = await unknown();
    await operator().resolve(id, { outcome: 'declined' });
    await expect(operator().resolve(id, { outcome: 'settled' })).rejects.toThrow(/is declined/);
    await expect(operator().sync(id)).rejects.toThrow(/is declined/);
  });

  test.each(['nonsense', randomUUID()])('the id %s', async (id) => {
    await expect(operator().resolve(id, { outcome: 'declined' })).rejects.toThrow(/There is no payment/);
  });
});

test.each([
  [[]],
  [['list', 'a']],
  [['list', '--limit', '0']],
  [['sync']],
  [['sync', 'a', 'b']],
  [['resolve', 'a']],
  [['resolve', 'a', '--settled', '--declined']],
  [['resolve', 'a', '--declined', '--reference', 'r']],
  [['resolve', 'a', '--settled', '--reference', '']],
  [['forget', 'a']],
])('the command refuses %j', async (args) => {
  await expect(command.run(args)).rejects.toThrow(UsageError);
});
