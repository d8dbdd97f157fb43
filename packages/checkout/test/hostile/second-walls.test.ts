import { signSession } from '@railyard/core/protocol';
import { connect, createServer } from 'node:net';
import { request } from 'undici';
import type * as undici from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkedAgent } from '../../src/callbacks/checked-agent.ts';
import { callbackSender } from '../../src/callbacks/sender.ts';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { cardConfig } from '../support/card-config.ts';
import { cardProvider } from '../support/card-provider.ts';
import { CARD, cardBody } from '../support/card-service.ts';
import { useDatabase } from '../support/database.ts';
import { portOf } from '../support/listen.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant } from '../support/service.ts';

/** Where a connection leads whatever was resolved, as behind a network that translates addresses. */
const led = vi.hoisted(() => ({ port: 0, connections: 0, bytes: 0 }));

vi.mock('undici', async (original) => ({
  ...(await original<typeof undici>()),
  buildConnector: () => (_options: unknown, done: (error: null, socket: ReturnType<typeof connect>) => void) => {
    const socket = connect(led.port, '127.0.0.1');
    socket.once('connect', () => done(null, socket));
  },
}));

const database = useDatabase();
const inside = createServer((socket) => {
  led.connections += 1;
  socket.on('data', (chunk) => (led.bytes += chunk.byteLength)).on('error', () => undefined);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  led.port = portOf(inside);
});

afterAll(() => new Promise((resolve) => inside.close(resolve)));

const elsewhere = async () => [{ address: '93.184.216.34', family: 4 }];

test('a connection that ends up inside, although its name led outside, carries nothing', async () => {
  const agent = checkedAgent('public', elsewhere);
  await expect(request('http://shop.example/', { dispatcher: agent })).rejects.toThrow('shop.example');
  expect(led.bytes).toBe(0);
  await agent.destroy();
});

test('an address with a password is not even connected to', async () => {
  const sender = callbackSender({ network: 'public', resolve: elsewhere });
  const before = led.connections;
  const sent = { url: 'https://user:word@shop.example/', headers: {}, body: '', timeoutMs: 20_000 };
  expect(await sender.send(sent)).toEqual({ kind: 'failed', why: expect.stringContaining('may not be called') });
  expect(led.connections).toBe(before);
  await sender.close();
});

test('a security code is forgotten at the end of its run', async () => {
  const provider = await cardProvider();
  const config = cardConfig({ providerUrl: provider.url, callbackUrl: 'http://127.0.0.1:9', port: 0 });
  const made = serviceContext(database.db, config, Date.now);
  const { securityCodes } = made.context;
  const held: string[] = [];
  const context: typeof made.context = {
    ...made.context,
    securityCodes: {
      ...securityCodes,
      hold(runId, secrets) {
        held.push(runId);
        securityCodes.hold(runId, secrets);
      },
    },
  };
  const body = cardBody();
  const created = await createSession.handle(
    context,
    JSON.stringify({ ...body, hash: signSession(body.order, merchant.password) }),
  );
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const { session } = (await loadSession(context, token)) ?? {};
  if (session === undefined) throw new Error(`There is no session: ${JSON.stringify(created.body)}`);
  const card = { entered: new Map(Object.entries(CARD)), saved: [] };
  const started = await startPayment(context, session, { methodKey: 'card', answers: {}, card, ip: undefined });
  expect(started.kind).toBe('started');
  expect(held).toHaveLength(1);
  expect(held.map((runId) => context.securityCodes.of(runId))).toEqual([undefined]);
  await made.close();
  await provider.close();
});
