import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type HttpRequest, kyTransport } from '../src/index.ts';

const transport = kyTransport();
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => transport.close());

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** A server that ends with its test. */
async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return listening(server);
}

async function tcpServer(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer(onSocket);
  open.push(server);
  return listening(server);
}

const send = (url: string, more: Partial<HttpRequest> = {}) =>
  transport.send({ method: 'POST', url, headers: {}, body: 'hello', timeoutMs: 5_000, maxReplyBytes: 1_000, ...more });

test('answers status, headers and body as they came', async () => {
  let seen = '';
  const url = await serverOf((request, response) => {
    request.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    request.on('end', () => response.writeHead(402, { 'x-a': 'b' }).end('{"declined":true}'));
  });
  expect(await send(url)).toMatchObject({
    kind: 'reply',
    status: 402,
    headers: { 'x-a': 'b' },
    body: '{"declined":true}',
  });
  expect(seen).toBe('hello');
});

test('answers a 502 with its HTML once, without a retry', async () => {
  let requests = 0;
  const url = await serverOf((_request, response) => {
    requests += 1;
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '0' }).end('<html>');
  });
  expect(await send(url)).toMatchObject({ kind: 'reply', status: 502, body: '<html>' });
  expect(requests).toBe(1);
});

test.each([[301], [302], [307], [308]])('does not follow a %i', async (status) => {
  const paths: string[] = [];
  const url = await serverOf((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  expect(await send(`${url}/charge`)).toMatchObject({ kind: 'reply', status });
  expect(paths).toEqual(['/charge']);
});

test('answers a reply without a body', async () => {
  const url = await serverOf((_request, response) => response.writeHead(204).end());
  expect(await send(url)).toMatchObject({ kind: 'reply', status: 204, body: '' });
});

test('answers a header that came several times as one', async () => {
  const url = await serverOf((_request, response) =>
    response.writeHead(200, { link: ['<a>', '<b>'], 'X-Once': 'c' }).end(),
  );
  expect(await send(url)).toMatchObject({ headers: { link: '<a>, <b>', 'x-once': 'c' } });
});

test('answers a header without the blanks around its value', async () => {
  const url = await tcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx-signature:  abc \t\r\ncontent-length: 2\r\n\r\n{}')),
  );
  expect(await send(url)).toMatchObject({ headers: { 'x-signature': 'abc' } });
});

test('reads a reply as UTF-8, without its byte order mark, with a mark for bytes that are none', async () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('é😀'), Buffer.from([0xff])]);
  const url = await serverOf((_request, response) => response.end(bytes));
  expect(await send(url)).toMatchObject({ body: 'é😀\uFFFD' });
});

test('loses a reply whose status is none', async () => {
  const url = await tcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}')),
  );
  expect(await send(url)).toMatchObject({ kind: 'lost' });
});

test('gives up at the deadline when nothing is answered', async () => {
  const url = await serverOf(() => undefined);
  expect(await send(url, { timeoutMs: 80 })).toEqual({ kind: 'lost', why: 'No complete reply within 80 ms.' });
});

test('gives up at the deadline when the body does not end', async () => {
  const url = await serverOf((_request, response) => response.writeHead(200).write('{"id":'));
  expect(await send(url, { timeoutMs: 80 })).toEqual({ kind: 'lost', why: 'No complete reply within 80 ms.' });
});

test('stops reading a reply that is too large', async () => {
  const url = await serverOf((_request, response) => response.end('x'.repeat(1_001)));
  expect(await send(url)).toEqual({ kind: 'lost', why: 'The reply is larger than 1000 bytes.' });
  const fits = await serverOf((_request, response) => response.end('x'.repeat(1_000)));
  expect(await send(fits)).toMatchObject({ kind: 'reply', status: 200 });
});

test('loses a reply when the connection is reset after the request', async () => {
  const url = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  expect(await send(url)).toMatchObject({ kind: 'lost' });
});

test('loses a reply that is cut off', async () => {
  const url = await tcpServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"id":')),
  );
  expect(await send(url)).toMatchObject({ kind: 'lost' });
});

test('knows that a refused connection sent nothing', async () => {
  const server = createTcpServer();
  const url = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await send(url)).toEqual({ kind: 'not-sent', why: 'The provider could not be reached (ECONNREFUSED).' });
});

test('knows that an address that cannot be connected to was sent nothing', async () => {
  // The broadcast address: the system refuses the connection by itself.
  const result = await send('http://255.255.255.255:9/');
  expect(result).toMatchObject({ kind: 'not-sent', why: expect.stringMatching(/\(E[A-Z]+\)/) });
  expect(result).not.toMatchObject({ why: expect.stringContaining('ECONNREFUSED') });
});

test('knows that a header no request can carry sent nothing', async () => {
  let requests = 0;
  const url = await serverOf((_request, response) => {
    requests += 1;
    response.end();
  });
  expect(await send(url, { headers: { 'x-a': 'b\r\nx-injected: 1' } })).toMatchObject({ kind: 'not-sent' });
  expect(requests).toBe(0);
});

test('says nothing of the address in what went wrong', async () => {
  const url = await tcpServer((socket) => socket.destroy());
  expect(JSON.stringify(await send(`${url}/?key=secret`))).not.toMatch(/secret|127\.0/);
});

test('closed, it sends nothing more, also where the request that loads it is under way', async () => {
  let requests = 0;
  const url = await serverOf((_request, response) => {
    requests += 1;
    response.end();
  });
  const request = { method: 'POST', url, headers: {}, body: 'x', timeoutMs: 5_000, maxReplyBytes: 1_000 } as const;
  const [loading, unused] = [kyTransport(), kyTransport()];
  const first = loading.send(request);
  await Promise.all([loading.close(), unused.close()]);
  expect([await first, await unused.send(request)]).toEqual([
    { kind: 'lost', why: 'The process that would send it stops.' },
    { kind: 'lost', why: 'The process that would send it stops.' },
  ]);
  expect(requests).toBe(0);
});

test('cuts off a request under way when it is closed', async () => {
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  const url = await serverOf(() => arrived());
  const own = kyTransport();
  await own.load();
  const hanging = own.send({ method: 'GET', url, headers: {}, timeoutMs: 60_000, maxReplyBytes: 1_000 });
  await isThere;
  await own.close();
  expect(await hanging).toMatchObject({ kind: 'lost' });
});
