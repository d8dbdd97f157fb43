import { verifyCallback, verifyCallbackHash, verifyCommandCallback } from '@railyard/core/merchant';
import { CALLBACK_TYPES } from '@railyard/core/payment';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listening } from '../src/record/proxy.ts';
import { runCli, startCli } from './support/run-cli.ts';

const SECRET = 'whsec_dGhpcnR5LXR3by1ieXRlcy1vZi1hLXRlc3Qtc2VjcmV0';
const env = { RAILYARD_PASSWORD: 'merchant-password', RAILYARD_CALLBACK_SECRET: SECRET };

/** What the shop received, and what it answers. */
const shop = { received: [] as { body: string; headers: Record<string, string> }[], status: 200 };
let receiver: { url: string; close(): Promise<void> };
let heard: ReturnType<typeof startListening> extends Promise<infer T> ? T : never;

beforeAll(async () => {
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    shop.received.push({ body, headers: Object.fromEntries(headers) });
    outgoing.writeHead(shop.status).end();
  });
  receiver = await listening(server, 0);
  heard = await startListening();
});

afterAll(async () => {
  await heard.stop();
  await receiver.close();
});

/** `railyard listen`, once it listens. */
async function startListening() {
  const child = startCli(['listen', '--forward-to', receiver.url, '--port', '0', '--json'], { env });
  const lines: Record<string, unknown>[] = [];
  let left = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stderr.once('data', (chunk: Buffer) => reject(new Error(String(chunk))));
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (left + chunk.toString('utf8')).split('\n');
      left = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line)));
      resolve();
    });
  });
  return {
    url: String(lines[0]?.['listening']),
    lines,
    async stop() {
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    },
  };
}

const trigger = (args: readonly string[], more = {}) =>
  runCli(['trigger', ...args, '--to', heard.url, '--json'], { env: { ...env, ...more } });

/** The next line that `listen` prints, which may come after the sender has ended. */
async function nextLine(): Promise<unknown> {
  const before = heard.lines.length;
  await vi.waitUntil(() => heard.lines.length > before, { timeout: 60_000 });
  return heard.lines[before];
}

test.for(CALLBACK_TYPES)('a triggered %s reaches the shop as it was signed', async (type) => {
  const line = nextLine();
  const { code, complained } = await trigger([type]);
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  const { body, headers } = shop.received.at(-1) ?? { body: '', headers: {} };
  const checked = verifyCallback({ body, headers, secret: SECRET, now: Date.now() });
  expect(checked).toMatchObject({ ok: true, callback: { fields: { type, status: 'success' } } });
  const order = { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Important gift' };
  const signer = { order, password: env.RAILYARD_PASSWORD };
  expect(checked.ok && verifyCallbackHash({ fields: checked.callback.fields, ...signer })).toBe(true);
  expect(await line).toMatchObject({ signature: 'right', fields: { type }, forwarded: 200 });
});

test('a triggered command callback is verified as one, and has the fields that were named', async () => {
  const line = nextLine();
  expect((await trigger(['command', '--field', 'action=CAPTURE'])).code).toBe(0);
  expect(await line).toMatchObject({ signature: 'right', fields: { action: 'CAPTURE' } });
  const { body, headers } = shop.received.at(-1) ?? { body: '', headers: {} };
  const checked = verifyCommandCallback({ body, headers, secret: SECRET, now: Date.now() });
  expect(checked).toMatchObject({ ok: true, callback: { fields: { action: 'CAPTURE', result: 'SUCCESS' } } });
});

test('a failed payment is a decline, with a reason', async () => {
  const line = nextLine();
  await trigger(['sale', '--status', 'fail']);
  expect(await line).toMatchObject({ fields: { order_status: 'decline', reason: 'Declined by processing.' } });
});

test('a callback that another secret signed is said to be wrong', async () => {
  const line = nextLine();
  await trigger(['sale'], { RAILYARD_CALLBACK_SECRET: 'whsec_dGhpcnR5LXR3by1ieXRlcy1vZi1hbm90aGVyLXNlY3JldA==' });
  expect(await line).toMatchObject({ signature: 'wrong (wrong-signature)', fields: null });
});

test('the answer of the shop goes back, and one that refuses is exit code 1', async () => {
  shop.status = 503;
  const { code, said } = await trigger(['refund']);
  shop.status = 200;
  expect({ code, answer: JSON.parse(said) }).toMatchObject({ code: 1, answer: { status: 503 } });
});

test.each([
  [['trigger', 'sael', '--to', 'http://127.0.0.1:1'], 'The type is one of sale,'],
  [['trigger', 'sale'], 'Give --to with an address.'],
  [['listen', '--forwad-to', 'http://127.0.0.1:1'], `Unknown option '--forwad-to' Did you mean "--forward-to"?`],
  [['lisen'], 'Did you mean "listen"?'],
])('%j says what to do', async (args, text) => {
  expect(await runCli(args, { env })).toMatchObject({ code: 2, complained: expect.stringContaining(text) });
});

test('a command whose reader goes away ends quietly', async () => {
  const child = startCli(['--help']);
  let complained = '';
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
});
