import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEnteredCodes } from '../../src/cards/index.ts';
import { recoverRun, takeAbandoned } from '../../src/payments/runs/again.ts';
import { DatabaseUnavailableError } from '../../src/storage/index.ts';
import type { LogLine } from '../../src/log/log.ts';
import { keepSwept } from '../../src/work/upkeep.ts';
import { useDatabase } from '../support/database.ts';
import { fieldsProcesses } from '../support/fields-processes.ts';
import { PAYMENT, TYPED } from '../support/hosted-fields.ts';

const database = useDatabase();

async function entered() {
  const processes = await fieldsProcesses(database.db);
  const { one, session, stores } = processes;
  const token = await one.token();
  await one.enter(token, TYPED);
  const { id = '', entryId } = (await session(token)) ?? {};
  return {
    ...processes,
    token,
    sessionId: id,
    entryId: entryId ?? '',
    sweep: () => one.codes.sweep((ids) => stores.sessions.entriesOf(ids)),
  };
}

describe('the security code of an entry', () => {
  test('is in no process after its payment, where two were asked at once', async () => {
    const { one, other, token, entryId, stores, provider } = await entered();
    // The other process is handed the code of a payment that this one is just storing.
    const insert = stores.payments.insert.bind(stores.payments);
    const late: Promise<unknown>[] = [];
    stores.payments.insert = async (payment) => {
      stores.payments.insert = insert;
      const fetched = new Promise<void>((resolve) => {
        const { fetch } = other.codes;
        other.codes.fetch = async (...asked) => {
          const code = await fetch(...asked);
          resolve();
          await stored;
          return code;
        };
      });
      late.push(other.pay(token, PAYMENT));
      await fetched;
      const started = await insert(payment);
      release();
      return started;
    };
    let release = () => {};
    const stored = new Promise<void>((resolve) => (release = resolve));
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
    await Promise.all(late);
    expect(late).toHaveLength(1);
    expect(provider.asked).toHaveLength(1);
    expect([one.codes.of(entryId), other.codes.of(entryId)]).toEqual([undefined, undefined]);
  });

  test('that another process is being handed is not asked of the payer again', async () => {
    const { one, other, token, entryId, provider } = await entered();
    other.codes.fetch = () => Promise.resolve({ kind: 'elsewhere' });
    expect(await other.pay(token, PAYMENT)).toMatchObject({
      status: 400,
      json: { error_message: 'Previous payment not completed.' },
    });
    expect(one.codes.of(entryId)).toBe('123');
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'success' });
    expect(provider.asked).toHaveLength(1);
  });

  test('is gone where its card could not be kept', async () => {
    const { one, token, stores } = await entered();
    const held: string[] = [];
    const { hold } = one.codes;
    one.codes.hold = (place, ...rest) => {
      held.push(place.entryId);
      hold(place, ...rest);
    };
    stores.sessions.keepEntry = () => Promise.reject(new DatabaseUnavailableError('unknown', new Error('x')));
    expect((await one.enter(token, { ...TYPED, cvv: '321' })).status).toBe(503);
    expect(held.map((each) => one.codes.of(each))).toEqual([undefined]);
  });

  test('is swept where another process has had another card entered and paid', async () => {
    const { one, other, token, entryId, sweep } = await entered();
    await other.enter(token, { ...TYPED, number: '5555555555554444', cvv: '999' });
    await other.pay(token, PAYMENT);
    await sweep();
    await sweep();
    expect(one.codes.of(entryId)).toBeUndefined();
  });

  test('is swept where the session has ended', async () => {
    const { one, sessionId, entryId, stores, sweep } = await entered();
    await sweep();
    await sweep();
    expect(one.codes.of(entryId)).toBe('123');
    await stores.sessions.close(sessionId, 'cancelled');
    await sweep();
    expect(one.codes.of(entryId)).toBeUndefined();
  });

  test('is swept where the answer to storing its payment was lost', async () => {
    const { one, token, entryId, stores, sweep } = await entered();
    const { payments } = stores;
    const [insert, find] = [payments.insert.bind(payments), payments.find.bind(payments)];
    payments.insert = async (payment) => {
      await insert(payment);
      throw new DatabaseUnavailableError('unknown', new Error('x'));
    };
    payments.find = () => Promise.reject(new Error('away'));
    expect((await one.pay(token, PAYMENT)).status).toBe(503);
    [payments.insert, payments.find] = [insert, find];
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'waiting' });
    await sweep();
    await sweep();
    expect(one.codes.of(entryId)).toBeUndefined();
  });
});

describe('the security code of a payment', () => {
  test('is there for the process that stored it and had no answer, when it takes the payment’s run over', async () => {
    const { one, token, stores, provider } = await entered();
    const { context } = one;
    const insert = stores.payments.insert.bind(stores.payments);
    stores.payments.insert = async (payment) => {
      await insert(payment);
      throw new DatabaseUnavailableError('unknown', new Error('x'));
    };
    expect((await one.pay(token, PAYMENT)).json).toMatchObject({ result: 'waiting' });
    expect(provider.asked).toEqual([]);
    await stores.runs.releaseAll(context.owner);
    const [taken] = await takeAbandoned(context, 1, []);
    if (taken === undefined) throw new Error('There is a run to take over.');
    await recoverRun(context, taken);
    expect(provider.asked).toMatchObject([{ card: { number: '4111111111111111', cvv: '123' } }]);
    expect(context.securityCodes.of(taken.run.runId)).toBeUndefined();
  });

  test.each([
    ['was not begun', () => Promise.resolve(undefined), 400],
    ['was not stored', () => Promise.reject(new DatabaseUnavailableError('none', new Error('x'))), 503],
  ])('that %s is not held for its run, and stays with the entry', async (_what, insert, status) => {
    const { one, token, entryId, stores } = await entered();
    const runs: string[] = [];
    stores.payments.insert = (payment) => {
      runs.push(payment.run.runId);
      return insert();
    };
    expect((await one.pay(token, PAYMENT)).status).toBe(status);
    expect(runs.map((each) => one.context.securityCodes.of(each))).toEqual([undefined]);
    expect(one.codes.of(entryId)).toBe('123');
  });
});

const vault = { fingerprint: (text: string) => text };

test('of more entered codes than a process holds the oldest goes, and the log counts it', () => {
  const warned: LogLine[] = [];
  const codes = createEnteredCodes(vault, () => false, { warn: (line) => void warned.push(line) }, { most: 2 });
  onTestFinished(() => codes.clear());
  const entries = ['a', 'b', 'c'];
  for (const entryId of entries) codes.hold({ entryId, sessionId: `s-${entryId}` }, '123', 60_000);
  expect(entries.map((each) => codes.of(each))).toEqual([undefined, '123', '123']);
  expect(warned).toEqual([{ event: 'security-code-evicted' }]);
});

test('ten thousand entered codes and one more, the number of runs whose codes are held, are all held', () => {
  const codes = createEnteredCodes(vault, () => false, { warn: () => undefined });
  onTestFinished(() => codes.clear());
  const entries = Array.from({ length: 10_001 }, (_each, at) => `${at}`);
  for (const entryId of entries) codes.hold({ entryId, sessionId: entryId }, '123', 60_000);
  expect(codes.of('0')).toBe('123');
});

describe('a sweep', () => {
  const place = { entryId: '0b0b0b0b-1111-4222-8333-444444444444', sessionId: '0c0c0c0c-1111-4222-8333-444444444444' };

  test('leaves a code that is held while its card is being stored', async () => {
    const codes = createEnteredCodes(vault, () => false, { warn: () => undefined });
    onTestFinished(() => codes.clear());
    codes.hold(place, '123', 60_000);
    await codes.sweep(() => Promise.resolve([]));
    expect(codes.of(place.entryId)).toBe('123');
    await codes.sweep(() => Promise.resolve([]));
    expect(codes.of(place.entryId)).toBeUndefined();
  });

  test('begins once the one before has ended, however long the database hangs', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const ends: (() => void)[] = [];
    const enteredCodes = { sweep: () => new Promise<void>((resolve) => void ends.push(resolve)) };
    const sessions = { entriesOf: () => Promise.resolve([]) };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const keeper = keepSwept({ enteredCodes, stores: { sessions }, log }, 1000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await keeper.stop();
  });

  test('is made again and again, and only a failure of its own is logged', async () => {
    const lines: LogLine[] = [];
    const line = (each: LogLine) => void lines.push(each);
    const answers = [
      () => Promise.reject(new DatabaseUnavailableError('none', new Error('away'))),
      () => Promise.reject(new Error('wrong')),
    ];
    await new Promise<void>((resolve) => {
      const enteredCodes = { sweep: () => answers.shift()?.() ?? Promise.resolve(resolve()) };
      const sessions = { entriesOf: () => Promise.resolve([]) };
      const log = { info: line, warn: line, error: line };
      const keeper = keepSwept({ enteredCodes, stores: { sessions }, log }, 1);
      onTestFinished(() => keeper.stop());
    });
    expect(lines).toEqual([{ event: 'work-failed', work: 'entered-codes', error: 'wrong' }]);
  });
});
