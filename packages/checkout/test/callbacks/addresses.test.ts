import { createServer, type Server } from 'node:net';
import { request as undici } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callbackAddresses } from '../../../core/test/support/bad-inputs.ts';
import { addressProblem, isPublicAddress } from '../../src/deployment/addresses.ts';
import { checkedAgent, type Resolve } from '../../src/callbacks/checked-agent.ts';
import { callbackSender } from '../../src/callbacks/sender.ts';

/** Counts connections on a loopback address and says nothing. */
async function canary(host: string) {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    connections: () => connections,
    reset: () => (connections = 0),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('a public address', () => {
  test.each([
    ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1'],
    ['100.100.100.200', '169.254.169.254', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
    ['::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
    ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::', '2001:db8::1', '3fff::1', '5f00::1'],
    ['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12::1', 'ff02::1', '100::1', '4000::1', 'e000::1'],
    ['', 'localhost', '1.2.3', '8.8.8.8.8'],
  ])('is none of %s, %s, %s …', (...addresses) => {
    expect(addresses.filter((address) => isPublicAddress(address))).toEqual([]);
  });

  test('is one that is given out for use in the internet', () => {
    const all = ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:81b::200e'];
    expect(all.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe('the address of a merchant', () => {
  test.each([
    'https://shop.example/callbacks',
    'https://shop.example:443/c?a=1',
    'https://shop.example:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost.shop.example/',
  ])('may be %s', (url) => {
    expect(addressProblem(url, 'public')).toBeUndefined();
  });

  test.each([
    'http://shop.example/',
    'https://shop.example:8080/',
    'https://shop.example:80/',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https:/shop.example/',
    'https:\\\\shop.example/',
    'https://shop.example\\@127.0.0.1/',
    'https://shop .example/',
    'https:///shop.example',
    'javascript:alert(1)',
    'nonsense',
  ])('may not be %s', (url) => {
    expect(addressProblem(url, 'public')).toEqual(expect.any(String));
  });

  test('may be anything on http where the deployment says so, but carries no password', () => {
    expect(addressProblem('http://127.0.0.1:9000/c', 'any')).toBeUndefined();
    expect(addressProblem('http://user:word@127.0.0.1/', 'any')).toContain('user name');
    expect(addressProblem('gopher://127.0.0.1:6379/_FLUSHALL', 'any')).toEqual(expect.any(String));
  });
});

describe('sending', () => {
  let four: Awaited<ReturnType<typeof canary>>;
  let six: Awaited<ReturnType<typeof canary>>;
  beforeAll(async () => {
    [four, six] = await Promise.all([canary('127.0.0.1'), canary('::1')]);
  });
  beforeEach(() => {
    four.reset();
    six.reset();
  });
  afterAll(() => Promise.all([four.close(), six.close()]));

  const request = (url: string) => ({ url, headers: {}, body: 'a=1', timeoutMs: 5000 });
  const addresses = callbackAddresses();

  test('the list of bad addresses is read', () => {
    expect(addresses).toHaveLength(18);
  });

  test.each(addresses)('$id is not sent to: $url', async ({ url }) => {
    const sender = callbackSender({ network: 'public' });
    const replies = await Promise.all([url, url.replace(/^\w+:/, 'https:')].map((each) => sender.send(request(each))));
    await sender.close();
    expect(replies.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
  });

  /** Calls the host at the ports of both canaries, past the rules on the text. @returns how often they were connected to */
  async function knock(network: 'public' | 'any', hostname: string, resolve?: Resolve): Promise<number> {
    const agent = checkedAgent(network, resolve);
    const calls = [four.port, six.port].map((port) =>
      undici(`http://${hostname}:${port}/`, { dispatcher: agent, signal: AbortSignal.timeout(5000) }).catch(() => 0),
    );
    await Promise.all(calls);
    await agent.destroy();
    return four.connections() + six.connections();
  }

  const hosts = addresses.flatMap(({ id, url }) =>
    url.startsWith('http') ? [{ id, hostname: new URL(url).hostname }] : [],
  );

  test.each(hosts)('$id is not connected to, though a server listens: $hostname', async ({ hostname }) => {
    const inside: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await knock('public', hostname, hostname.endsWith('internal') ? inside : undefined)).toBe(0);
  });

  test.each(['127.0.0.1', '[::1]', 'localhost'])('a server does listen at %s', async (hostname) => {
    expect(await knock('any', hostname)).toBeGreaterThan(0);
  });

  // The rules on the text would already refuse most of these; here only the connection decides.
  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::7f00:1']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:4700::1111', '::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [[]],
  ])('a name that leads to %j is connected to nowhere', async (found: string[]) => {
    let asked = 0;
    const sender = callbackSender({
      network: 'public',
      resolve: async () => {
        asked += 1;
        return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    });
    const reply = await sender.send(request('https://shop.example/c'));
    await sender.close();
    expect(reply).toEqual({ kind: 'failed', why: 'The address is not in the internet.' });
    expect(asked).toBe(1);
  });

  // Bad input B289: the name is asked for with every connection, and only that answer is connected to.
  test('a name that leads elsewhere by now is connected to nowhere', async () => {
    const answers = ['192.0.2.1', '127.0.0.1'];
    const rebinding: Resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    expect(await knock('public', 'shop.example', rebinding)).toBe(0);
    expect(answers).toEqual([]);
  });
});
