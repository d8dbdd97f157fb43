import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { callbackSender } from '../../src/callbacks/sender.ts';
import { listen } from '../support/listen.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

function sender() {
  const made = callbackSender({ network: 'any' });
  ending.push(made.close);
  return made;
}

async function receiver(...[handle]: Parameters<typeof listen>) {
  const server = await listen(handle);
  ending.push(server.close);
  return server.url;
}

const request = (url: string, timeoutMs = 20_000) => ({ url, headers: { a: 'b' }, body: 'x=ä', timeoutMs });

describe('sending a callback', () => {
  test('posts the bytes and returns status and Retry-After', async () => {
    const got: unknown[] = [];
    const url = await receiver((incoming, body, response) => {
      got.push([incoming.method, incoming.url, incoming.headers['a'], body]);
      response.writeHead(503, { 'retry-after': '7' }).end('not now');
    });
    expect(await sender().send(request(`${url}/c?d=1`))).toEqual({ kind: 'reply', status: 503, retryAfter: '7' });
    expect(got).toEqual([['POST', '/c?d=1', 'b', 'x=ä']]);
  });

  // Bad input B290.
  test.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    let followed = 0;
    const inside = await receiver((_request, _body, response) => {
      followed += 1;
      response.end();
    });
    const url = await receiver((_request, _body, response) => response.writeHead(status, { location: inside }).end());
    expect(await sender().send(request(url))).toMatchObject({ kind: 'reply', status });
    expect(followed).toBe(0);
  });

  // Bad input B291.
  test('decides on the status of a reply that never ends, and closes it', async () => {
    let closed: () => void = () => {};
    const end = new Promise<void>((resolve) => (closed = resolve));
    const url = await receiver((_request, _body, response) => {
      response.once('close', closed).writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await sender().send(request(url))).toMatchObject({ kind: 'reply', status: 200 });
    await end;
  });

  // Bad input B292.
  test('gives up on a reply that comes byte by byte, while others are served', async () => {
    const drip = createServer((socket) => {
      const bytes = [...'HTTP/1.1 200 OK\r\n'];
      const timer = setInterval(() => socket.write(bytes.shift() ?? 'x'), 20);
      socket.once('close', () => clearInterval(timer)).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => {
      drip.listen(0, '127.0.0.1', resolve);
    });
    ending.push(() => drip.close());
    const address = drip.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const quick = await receiver((_request, _body, response) => response.end());
    const both = sender();
    const slow = both.send(request(`http://127.0.0.1:${port}`, 300));
    expect(await both.send(request(quick))).toMatchObject({ kind: 'reply', status: 200 });
    expect(await slow).toEqual({ kind: 'timed-out', why: 'No reply within 300 ms.' });
  });

  test('reports a refused connection, without the address', async () => {
    const server = await listen(() => undefined);
    await server.close();
    const reply = await sender().send(request(`${server.url}/secret`));
    expect(reply).toEqual({ kind: 'failed', why: 'The receiver could not be reached (ECONNREFUSED).' });
  });

  test('reports a broken connection', async () => {
    const url = await receiver((incoming) => incoming.socket.destroy());
    expect(await sender().send(request(url))).toMatchObject({ kind: 'failed' });
  });

  test('does not use a proxy of the environment', async () => {
    let proxied = 0;
    const proxy = await receiver((_request, _body, response) => {
      proxied += 1;
      response.end();
    });
    const before = { ...process.env };
    ending.push(() => (process.env = before));
    process.env = { ...before, HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1' };
    const url = await receiver((_request, _body, response) => response.writeHead(204).end());
    expect(await sender().send(request(url))).toMatchObject({ kind: 'reply', status: 204 });
    expect(proxied).toBe(0);
  });
});
