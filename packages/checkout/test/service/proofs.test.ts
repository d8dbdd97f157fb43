import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { takeNotification } from '../../src/notifications/receive.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { useDatabase } from '../support/database.ts';
import { listen, type Listening } from '../support/listen.ts';
import { HOOK, provenConfig } from '../support/proven-config.ts';
import { serviceContext } from '../support/service-context.ts';
import { startOn } from '../support/service.ts';

const BODY = '{"event":"e-1"}';
const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const hmac = (text: string) => createHmac('sha256', HOOK).update(text).digest('hex');

let provider: Listening;
let behind: Awaited<ReturnType<typeof startOn>>;
let open: Awaited<ReturnType<typeof startOn>>;
/** The provider's answers to the question whether a proof is its own. */
const answers = new Map([
  ['genuine', '{"status":"SUCCESS"}'],
  ['forged', '{"status":"FAILURE"}'],
]);

beforeAll(async () => {
  provider = await listen((_request, body, response) => {
    const { proof }: { proof: string } = JSON.parse(body);
    const answer = answers.get(proof);
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' }).end(answer);
  });
  behind = await startOn((port) => provenConfig(provider.url, port, ['127.0.0.1']));
  open = await startOn((port) => provenConfig(provider.url, port));
});

afterAll(async () => {
  await behind.stop();
  await open.stop();
  await provider.close();
});

type Sent = readonly [path: string, headers: Readonly<Record<string, string>>];

async function post({ url }: typeof open, [path, headers]: Sent, body = BODY): Promise<number> {
  const answer = await fetch(`${url}/notify/${path}`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

describe('a notification that arrives over HTTP', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const listed = (at: number, body = BODY) => ({ 'x-signature': `t=${at},v1=${hmac(`${at}.${body}`)}` });

  test('is taken with its proof', async () => {
    const address = (written: string) => ({
      'x-signature': hmac(`POST${open.url}/notify/${written}/pix?x=%C3%A9&y=a+b/pix${BODY}`),
    });
    const genuine: readonly Sent[] = [
      ['basic', { authorization: encoded(`provider:${HOOK}`) }],
      ['token', { 'x-callback-token': HOOK }],
      ['list', listed(now())],
      ['address/pix?x=%C3%A9&y=a+b', address('address')],
      // The same account, its name written with an escape.
      ['%61ddress/pix?x=%C3%A9&y=a+b', address('%61ddress')],
      ['asked', { 'x-transmission-sig': 'genuine' }],
    ];
    for (const sent of genuine) expect([sent[0], await post(open, sent)]).toEqual([sent[0], 202]);
  });

  test.each<readonly [string, Sent, number]>([
    ['without a proof', ['basic', {}], 401],
    ['with another password', ['basic', { authorization: encoded('provider:guess') }], 401],
    ['with another token', ['token', { 'x-callback-token': `${HOOK}x` }], 401],
    ['with a token that is not ASCII', ['token', { 'x-callback-token': 'h\u00e9' }], 401],
    ['with a header of 12 KB', ['list', { 'x-signature': `t=1,v1=${'a'.repeat(12_000)}` }], 401],
    [
      'to another address of the account',
      ['address/other', { 'x-signature': hmac(`POST/notify/address${BODY}`) }],
      401,
    ],
    ['with a key that cannot be read in the settings', ['wrong-key', { 'x-signature': '00'.repeat(64) }], 401],
    ['that the provider did not send', ['asked', { 'x-transmission-sig': 'forged' }], 401],
    ['about which the provider cannot be asked', ['asked', { 'x-transmission-sig': 'anything' }], 503],
  ])('is refused %s', async (_which, sent, status) => {
    expect(await post(open, sent)).toBe(status);
  });

  test('is refused as a replay and with another body', async () => {
    expect(await post(open, ['list', listed(now() - 3600)])).toBe(401);
    expect(await post(open, ['list', listed(now())], '{"event":"e-2"}')).toBe(401);
  });

  test('reports its certificate only through a proxy that the configuration names', async () => {
    const sent: Sent = ['certificate', { 'x-client-cert-sha256': HOOK }];
    expect([await post(open, sent), await post(behind, sent)]).toEqual([401, 202]);
    expect(await post(behind, ['certificate', { 'x-client-cert-sha256': 'another' }])).toBe(401);
  });

  test('leaves no secret in the log', () => {
    const log = [...open.lines, ...behind.lines].join('\n');
    expect(log).toContain('notification-refused');
    for (const text of [HOOK, encoded(`provider:${HOOK}`), 'guess', hmac(BODY)]) expect(log).not.toContain(text);
  });
});

describe('a notification that is stored', () => {
  const database = useDatabase();

  test('is kept and reported at once where it is genuine and not understood, and not kept where it is forged', async () => {
    const lines: string[] = [];
    const made = serviceContext(database.db, provenConfig(provider.url, 1), Date.now);
    const context = { ...made.context, log: createLog({ write: (line) => lines.push(line) }) };
    const mid = context.directory.mid('token');
    if (mid === undefined) throw new Error('There is no such MID.');
    const body = '{"none":"of ours"}';
    const kept = () =>
      database.db.selectFrom('providerNotifications').selectAll().where('midId', '=', 'token').execute();
    expect((await takeNotification(context, mid, { body, headers: { 'x-callback-token': 'x' } })).status).toBe(401);
    expect(await kept()).toEqual([]);
    expect((await takeNotification(context, mid, { body, headers: { 'x-callback-token': HOOK } })).status).toBe(202);
    expect(await kept()).toMatchObject([{ state: 'refused', detail: expect.stringContaining('event') }]);
    expect(lines.filter((line) => line.includes('needs-attention'))).toHaveLength(1);
    await database.db.deleteFrom('providerNotifications').execute();
    await made.close();
  });

  test.each<Sent>([
    ['basic', { authorization: encoded(`provider:${HOOK}`), cookie: 'a=1', 'x-request-id': 'r-1' }],
    ['token', { 'x-callback-token': HOOK, 'x-request-id': 'r-1' }],
  ])('has its headers without those that carry the proof: %s', async (id, headers) => {
    const { context, close } = serviceContext(database.db, provenConfig(provider.url, 1), Date.now);
    const mid = context.directory.mid(id);
    if (mid === undefined) throw new Error('There is no such MID.');
    expect(await takeNotification(context, mid, { body: BODY, headers })).toEqual({ status: 202, body: '' });
    const stored = await database.db
      .selectFrom('providerNotifications')
      .selectAll()
      .where('midId', '=', id)
      .executeTakeFirstOrThrow();
    const request = openText(context.sealer, stored.requestText, sealedAt.notificationRequest(stored.id));
    expect(request).toContain('"x-request-id":"r-1"');
    expect(request).not.toMatch(/hook-secret|Basic|a=1/);
    await close();
  });
});
