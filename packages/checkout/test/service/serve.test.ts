import { request } from 'node:http';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { serve } from '../../src/http/basics/server.ts';

/** @returns a promise, and what resolves it */
function signal(): readonly [promise: Promise<void>, resolve: () => void] {
  const gate = { open: (): void => undefined };
  return [new Promise((resolve) => (gate.open = resolve)), () => gate.open()];
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('a server that closes waits for what a client has asked and left', async () => {
  const [begun, begin] = signal();
  const [answered, answer] = signal();
  const [left, leave] = signal();
  const happened: string[] = [];
  const app = new Hono<HttpEnv>().post('/', async (c) => {
    c.req.raw.signal.addEventListener('abort', leave);
    begin();
    await answered;
    happened.push('answered');
    return c.text('');
  });
  const serving = await serve(app, { host: '127.0.0.1', port: 0 });
  const client = request(serving.url, { method: 'POST' }).on('error', () => undefined);
  client.end();
  await begun;
  client.destroy();
  await left;
  const closed = serving.close(0).then(() => happened.push('closed'));
  await turns(50);
  answer();
  await closed;
  expect(happened).toEqual(['answered', 'closed']);
});
