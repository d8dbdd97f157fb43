import { createECDH } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEnteredCodes } from '../../src/cards/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardCanary } from '../support/card-canary.ts';
import { cardService } from '../support/card-service.ts';
import { statementLog } from '../support/statement-log.ts';
import { cardProvider, type CardProvider } from '../support/card-provider.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { hostedFields, PAYMENT } from '../support/hosted-fields.ts';
import { openPlace } from '../support/jobs.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

describe('two processes behind a proxy that asks them in turn', () => {
  const { number, code, hasNumber, hasCode } = cardCanary();
  const typed = { number, expiry: '01/38', cvv: code };
  let provider: CardProvider;
  let shop: Awaited<ReturnType<typeof receiver>>;
  let directory: DataDir;
  let listener: Client;
  /** The messages between the processes. */
  const passed: string[] = [];
  let [one, other]: ServiceProcess[] = [];

  const spawn = async () => {
    const at = { provider: { url: provider.url, apiKey: '', webhookSecret: '' }, callbackUrl: shop.url };
    const given = { ...at, port: await freePort(), deployment: 'card', place: directory.place } as const;
    const started = spawnService({ ...given, kill: 'never' });
    await started.ready;
    return started;
  };
  const fieldsOf = (started: ServiceProcess | undefined) => hostedFields(started?.url ?? '');

  beforeAll(async () => {
    [provider, shop, directory] = await Promise.all([cardProvider(), receiver(), newDataDir()]);
    [one, other] = await Promise.all([spawn(), spawn()]);
    listener = new Client({ connectionString: directory.place.databaseUrl });
    await listener.connect();
    listener.on('notification', ({ payload = '' }) => passed.push(payload));
    await listener.query('LISTEN railyard_messages');
  }, 120_000);

  afterAll(async () => {
    const running = [one, other].filter((each) => each !== undefined);
    for (const each of running) each.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await listener.end();
    await Promise.all([provider.close(), shop.close(), directory.remove()]);
  });

  test('hand the code over, unreadable on its way, and pay once whichever is asked', async () => {
    const token = await fieldsOf(one).token();
    expect((await fieldsOf(one).enter(token, typed)).status).toBe(200);
    const answers = await Promise.all([other, one, other, one].map((each) => fieldsOf(each).pay(token, PAYMENT)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid.length).toBeGreaterThan(0);
    expect(provider.asked).toMatchObject([{ card: { number, cvv: code } }]);
    // Later requests are answered as that payment stands.
    const later = await fieldsOf(one).pay(token);
    expect([later.status, Object(later.json).public_id]).toEqual([200, Object(paid[0]?.json).public_id]);
    const again = await fieldsOf(other).token();
    await fieldsOf(one).enter(again, typed);
    expect((await fieldsOf(other).pay(again)).json).toMatchObject({ result: 'success' });
    expect(provider.asked).toHaveLength(2);
    expect(passed.some((text) => text.includes('"tell"'))).toBe(true);
    expect(passed.filter((text) => hasCode(text) || hasNumber(text))).toEqual([]);
  });

  test('ask for the code again once the process that held it was killed, and charge nothing before', async () => {
    const token = await fieldsOf(one).token();
    await fieldsOf(one).enter(token, typed);
    one?.kill('SIGKILL');
    await one?.ended;
    const before = provider.asked.length;
    expect(await fieldsOf(other).pay(token)).toMatchObject({
      status: 400,
      lines: [expect.stringMatching(/^card\.cvv: The security code is not there any more\./)],
    });
    expect(provider.asked).toHaveLength(before);
    expect(other?.said()).toContain('"security-code-gone"');
    expect((await fieldsOf(other).enter(token, { cvv: code })).status).toBe(200);
    expect((await fieldsOf(other).pay(token)).json).toMatchObject({ result: 'success' });
    expect(provider.asked).toHaveLength(before + 1);
    const { db, close } = await openPlace(directory.place);
    const columns = await allColumns(db);
    await close();
    expect(columns.filter(({ text }) => hasNumber(text) || hasCode(text))).toEqual([]);
  });
});

test('a service forgets the code of an entry that the database does not have any more', async () => {
  const directory = await newDataDir();
  onTestFinished(() => directory.remove());
  const { databaseUrl = expect.fail() } = directory.place;
  const log = await statementLog(databaseUrl);
  onTestFinished(() => log.close());
  const service = await cardService({ place: { ...directory.place, databaseUrl: log.url }, clock: Date.now });
  onTestFinished(() => service.stop());
  const fields = hostedFields(service.url);
  const token = await fields.token();
  await fields.enter(token);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('SELECT id, entry_id FROM sessions');
  const put = (entryId: unknown) =>
    client.query('UPDATE sessions SET entry_id = $1 WHERE id = $2', [entryId, rows[0].id]);
  // While a code is held, every sweep has a statement.
  await fields.enter(await fields.token());
  await put('0b0b0b0b-1111-4222-8333-444444444444');
  // The first of them may have begun before, and the one after the last has the answer of the last.
  await log.until(SWEEP, log.statements.filter((each) => each.includes(SWEEP)).length + 4);
  await put(rows[0].entry_id);
  expect(await fields.pay(token)).toMatchObject({
    status: 400,
    lines: [expect.stringMatching(/^card\.cvv: The security code is not there any more\./)],
  });
}, 120_000);

/** Of the statement by which a sweep asks for the entries of sessions, and of no other. */
const SWEEP = 'AND entry_id IS NOT NULL';

type Codes = ReturnType<typeof createEnteredCodes>;

describe('a code between processes', () => {
  const vault = { fingerprint: (text: string) => Buffer.from(text).toString('hex') };
  const stranger = { fingerprint: (text: string) => Buffer.from(`other ${text}`).toString('hex') };
  const silent = { warn: () => undefined };
  const entry = '0b0b0b0b-1111-4222-8333-444444444444';
  const place = { entryId: entry, sessionId: '0c0c0c0c-1111-4222-8333-444444444444' };

  test('is given to none who does not prove the key of the service, and stays where it is', async () => {
    const sent: string[] = [];
    const holder = createEnteredCodes(vault, (text) => sent.push(text) > 0, silent);
    holder.hold(place, '123', 1000);
    const thief = createEnteredCodes(stranger, (text) => (holder.heard(text), true), silent, { withinMs: 1 });
    expect(await thief.fetch(place, 1000)).toEqual({ kind: 'gone' });
    const key = createECDH('prime256v1').generateKeys('base64url');
    for (const text of ['', '{}', JSON.stringify({ kind: 'ask', entry, key, proof: '' })]) holder.heard(text);
    expect([sent, holder.of(entry)]).toEqual([[], '123']);
    holder.clear();
  });

  test('is in one place after it was handed over, and an answer that was not asked for changes nothing', async () => {
    const holder: Codes = createEnteredCodes(vault, (text) => (asker.heard(text), true), silent);
    const asker: Codes = createEnteredCodes(vault, (text) => (holder.heard(text), true), silent);
    holder.hold(place, '123', 1000);
    const here = { kind: 'here', cvv: '123' };
    expect(await Promise.all([asker.fetch(place, 1000), asker.fetch(place, 1000)])).toEqual([here, here]);
    expect([holder.of(entry), asker.of(entry)]).toEqual([undefined, '123']);
    asker.heard(JSON.stringify({ kind: 'tell', entry, key: 'x', code: 'y' }));
    expect(asker.of(entry)).toBe('123');
    asker.clear();
  });

  test('goes to the process that asked first, and the other one learns that it is elsewhere', async () => {
    const waiting: { readonly to: Codes[]; readonly text: string }[] = [];
    const all: Codes[] = [];
    const codes = () => {
      const made: Codes = createEnteredCodes(
        vault,
        (text) => waiting.push({ to: all.filter((each) => each !== made), text }) > 0,
        silent,
        { withinMs: 1000 },
      );
      all.push(made);
      return made;
    };
    const [holder, first, second] = [codes(), codes(), codes()];
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
      for (const each of all) each.clear();
    });
    holder.hold(place, '123', 10_000);
    const asked = [first.fetch(place, 10_000), second.fetch(place, 10_000)];
    // All processes hear all messages, in one order.
    for (const { to, text } of waiting) for (const each of to) each.heard(text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await Promise.all(asked)).toEqual([{ kind: 'here', cvv: '123' }, { kind: 'elsewhere' }]);
    expect([holder, first, second].map((each) => each.of(entry))).toEqual([undefined, '123', undefined]);
  });

  test('is called elsewhere only by a process that proves the key of the service', async () => {
    const sent: string[] = [];
    const asker = createEnteredCodes(vault, (text) => sent.push(text) > 0, silent, { withinMs: 1 });
    const fetched = asker.fetch(place, 1000);
    const { key } = JSON.parse(sent[0] ?? '');
    asker.heard(JSON.stringify({ kind: 'asked', entry, key, proof: stranger.fingerprint(`asked:${entry}:${key}`) }));
    expect(await fetched).toEqual({ kind: 'gone' });
  });
});
