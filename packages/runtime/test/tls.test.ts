import { createServer, type Server, type ServerOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { type HttpRequest, kyTransport } from '../src/index.ts';
import { authority } from './support/authority.ts';

const bank = authority('Bank authority');
const merchants = authority('Authority of merchants');
const another = authority('Another authority');
const transport = kyTransport();
const servers: Server[] = [];

afterAll(async () => {
  await transport.close();
  for (const server of servers) server.close();
});

/** The bank's API, which answers with the name of the certificate that the client showed. */
async function bankServer(options: ServerOptions = {}): Promise<string> {
  const server = createServer({ ...bank.issue('api.bank'), ...options }, ({ socket }, response) => {
    const shown = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
    response.end([shown ?? 'no certificate'].flat().join());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

const get = (url: string, tls: HttpRequest['tls']) =>
  transport.send({ method: 'GET', url, headers: {}, timeoutMs: 5_000, maxReplyBytes: 1_000, ...(tls && { tls }) });

const plain = await bankServer();
const mutual = await bankServer({ requestCert: true, rejectUnauthorized: true, ca: merchants.ca });
const shop = { ...merchants.issue('shop'), ca: bank.ca };

test('a bank with an authority of its own is reached by the MID that names the authority', async () => {
  expect(await get(plain, { ca: bank.ca })).toMatchObject({ kind: 'reply', body: 'no certificate' });
});

test('a bank whose authority is public or another than the MID names is sent nothing', async () => {
  for (const tls of [undefined, { ca: another.ca }])
    expect(await get(plain, tls)).toMatchObject({ kind: 'not-sent', why: expect.stringContaining('could not be') });
});

test('one of several authorities is enough', async () => {
  expect(await get(plain, { ca: `${another.ca}${bank.ca}` })).toMatchObject({ kind: 'reply', status: 200 });
});

test("a bank that asks for the merchant's certificate is shown the MID's own", async () => {
  expect(await get(mutual, shop)).toMatchObject({ kind: 'reply', body: 'shop' });
  const second = { ...merchants.issue('second shop'), ca: bank.ca };
  expect(await get(mutual, second)).toMatchObject({ kind: 'reply', body: 'second shop' });
  expect(await get(mutual, shop)).toMatchObject({ kind: 'reply', body: 'shop' });
});

test('a certificate of a foreign authority, or none, gets no reply from a bank that asks for one', async () => {
  expect((await get(mutual, { ...another.issue('shop'), ca: bank.ca })).kind).not.toBe('reply');
  expect((await get(mutual, { ca: bank.ca })).kind).not.toBe('reply');
});

test('closed, it sends a bank nothing more under any certificate', async () => {
  const own = kyTransport();
  await own.load();
  await own.close();
  const request = {
    method: 'GET',
    url: mutual,
    headers: {},
    timeoutMs: 5_000,
    maxReplyBytes: 1_000,
    tls: shop,
  } as const;
  expect(await own.send(request)).toEqual({ kind: 'lost', why: 'The process that would send it stops.' });
});
