import { signRequest } from '@railyard/core/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { type CheckoutConfig, ConfigError, startCheckout } from '../../src/index.ts';
import { clientAddress, trustedProxies } from '../../src/deployment/addresses.ts';
import { senderOf } from '../../src/http/basics/limits.ts';
import { anyMethodConfig, otherMerchant } from '../support/any-method-config.ts';
import { anyMethodProvider } from '../support/any-method-connector.ts';
import { cardConfig } from '../support/card-config.ts';
import { cardProvider } from '../support/card-provider.ts';
import { onTransaction, saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, merchant, post, pressPay, sessionBody, startOn } from '../support/service.ts';

let ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function serviceWith(change: Partial<CheckoutConfig>) {
  const provider = await anyMethodProvider();
  const shop = await receiver();
  const given = { providerUrl: provider.url, callbackUrl: shop.url };
  const service = await startOn((port) => ({ ...anyMethodConfig({ ...given, port }), ...change }));
  ends.push(service.stop, shop.close, provider.close);
  return { ...service, shop };
}

const few = (requests: number) => ({ requests, seconds: 3600 });
const status = (url: string, { key, password }: { key: string; password: string }) =>
  post(`${url}/api/v1/payment/status`, {
    merchant_key: key,
    order_id: 'none',
    hash: signRequest('status_by_order', { order_id: 'none' }, password),
  });

describe('rate limits', () => {
  test('of one merchant leave the others alone, and no other caller can use them up', async () => {
    const { url } = await serviceWith({ rateLimits: { merchant: few(2) } });
    for (let each = 0; each < 5; each += 1)
      expect((await status(url, { key: merchant.key, password: 'guessed' })).status).toBe(400);
    expect([(await status(url, merchant)).status, (await status(url, merchant)).status]).toEqual([400, 400]);
    const refused = await status(url, merchant);
    expect(refused).toMatchObject({
      status: 429,
      json: { http_code: 429, error_code: '429', request_id: expect.any(String) },
    });
    expect((await post(`${url}/api/v1/session`, sessionBody({ methods: ['card'] }, { currency: 'USD' }))).status).toBe(
      429,
    );
    expect((await status(url, otherMerchant)).status).toBe(400);
  });

  test('of one address say when to come again, and leave health and assets alone', async () => {
    const { url } = await serviceWith({ rateLimits: { address: few(1) } });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    const refused = await fetch(`${url}/nothing`);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait > 3500 && wait <= 3600).toBe(true);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('of one page leave other pages alone', async () => {
    const { url } = await serviceWith({ rateLimits: { forms: few(1), views: few(2) } });
    const body = () => sessionBody({ methods: ['card'] }, { currency: 'USD' });
    const [page, other] = [await createPage(url, body()), await createPage(url, body())];
    const views = [await fetch(page), await fetch(`${page}/status`), await fetch(page)].map((each) => each.status);
    expect(views).toEqual([200, 200, 429]);
    expect([(await pressPay(page, { method: 'card' })).status, (await pressPay(page)).status]).toEqual([303, 429]);
    expect([(await fetch(other)).status, (await pressPay(other, { method: 'card' })).status]).toEqual([200, 303]);
  });

  test('of notifications are each account’s own', async () => {
    const { url } = await serviceWith({ rateLimits: { notifications: few(1), address: few(1) } });
    const notify = async (mid: string) => (await fetch(`${url}/notify/${mid}`, { method: 'POST', body: '{}' })).status;
    expect([await notify('pix'), await notify('pix')]).toEqual([expect.not.stringMatching('429'), 429]);
    expect(await notify('any')).not.toBe(429);
  });

  test('of wrong signatures refuse an address before a payment is read, and leave right ones alone', async () => {
    const { url } = await serviceWith({ rateLimits: { signatures: few(3) } });
    const lookUp = (hash: string) =>
      fetch(`${url}/post`, {
        method: 'POST',
        body: new URLSearchParams({
          action: 'GET_TRANS_DETAILS',
          client_key: merchant.key,
          trans_id: '3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63',
          hash,
        }),
      });
    const wrong: number[] = [];
    for (let each = 0; each < 4; each += 1) wrong.push((await lookUp('0'.repeat(32))).status);
    expect(wrong).toEqual([400, 400, 400, 429]);
    expect((await lookUp('0'.repeat(32))).headers.get('retry-after')).not.toBeNull();
    // A session's hash is over what was sent: nothing is read for it, and nothing counted.
    expect((await status(url, { ...merchant, password: 'guessed' })).status).toBe(400);
    expect((await post(`${url}/api/v1/session`, sessionBody({ methods: ['card'] }, { currency: 'USD' }))).status).toBe(
      200,
    );
  });

  test('of wrong signatures count no right one over a stored payment', async () => {
    const [provider, shop] = [await cardProvider(), await receiver()];
    const given = { providerUrl: provider.url, callbackUrl: shop.url };
    const rateLimits = { signatures: few(3) };
    const { url, stop } = await startOn((port) => ({ ...cardConfig({ ...given, port }), rateLimits }));
    ends.push(stop, shop.close, provider.close);
    const sold = await sendCommand(url, saleFields());
    const asked = onTransaction('GET_TRANS_DETAILS', String(sold.json['trans_id']));
    const answers: number[] = [];
    for (let each = 0; each < 5; each += 1) answers.push((await sendCommand(url, asked)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    const wrong = { ...asked, hash: '0'.repeat(32) };
    for (let each = 0; each < 3; each += 1) await sendCommand(url, wrong);
    expect((await sendCommand(url, asked)).status).toBe(429);
  });

  test('may be switched off', async () => {
    const { url } = await serviceWith({ rateLimits: false });
    const answers = await Promise.all(Array.from({ length: 50 }, () => status(url, merchant)));
    expect(new Set(answers.map((each) => each.status))).toEqual(new Set([400]));
  });
});

describe('the address of a sender', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '::1', '192.0.2.7']);

  test.each([
    ['203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['::1', '6.6.6.6, 1.2.3.4, 192.0.2.7', '1.2.3.4'],
    ['10.0.0.1', 'unknown, nonsense', '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4:5678, 10.0.0.2:443', '1.2.3.4'],
    ['10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['10.0.0.1', '[::ffff:1.2.3.4]:443', '1.2.3.4'],
    ['10.0.0.1', '::ffff:cb00:7107', '203.0.113.7'],
    ['10.0.0.1', '0:0:0:0:0:FFFF:CB00:7107', '203.0.113.7'],
    ['::ffff:a00:1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', 'fe80::1%eth0', 'fe80::1%eth0'],
    ['10.0.0.1', '1.2.3.4:port', '10.0.0.1'],
    ['10.0.0.1', '2001:DB8::1', '2001:DB8::1'],
    ['10.0.0.1', '10.0.0.2', '10.0.0.2'],
  ])('%s with X-Forwarded-For %j is %s', (remote, forwarded, client) => {
    expect(clientAddress(remote, forwarded, trusted)).toBe(client);
  });

  test('is that of the connection while no proxy is trusted', () => {
    expect(clientAddress('127.0.0.1', '1.2.3.4', trustedProxies([]))).toBe('127.0.0.1');
  });

  test('counts for its network where it is IPv6', () => {
    expect(senderOf('2001:db8:0:1::5')).toBe(senderOf('2001:0DB8:0000:0001:ffff::'));
    expect(senderOf('2001:db8:0:1::5')).not.toBe(senderOf('2001:db8:0:2::5'));
    expect([senderOf('::1'), senderOf('1.2.3.4')]).toEqual(['0:0:0:0', '1.2.3.4']);
  });

  test('reaches the merchant as customer_ip, when a trusted proxy says so', async () => {
    const { url, shop } = await serviceWith({ trustedProxies: ['127.0.0.1'] });
    const body = sessionBody({ methods: ['card'] }, { currency: 'USD' });
    const page = await createPage(url, body);
    await fetch(`${page}/pay`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' },
      body: new URLSearchParams({ method: 'card' }),
      redirect: 'manual',
    });
    const { fields } = await shop.until((callback) => callback.fields.order_number === body.order.number);
    expect(fields.customer_ip).toBe('203.0.113.9');
  });
});

test.each(['everybody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0/8', '::/129'])(
  'the configuration refuses %j as a trusted proxy',
  async (range) => {
    const config = anyMethodConfig({ providerUrl: 'http://127.0.0.1:1', callbackUrl: 'http://127.0.0.1:1', port: 0 });
    const started = startCheckout({ ...config, trustedProxies: [range] });
    await expect(started).rejects.toBeInstanceOf(ConfigError);
    await expect(started).rejects.toThrow('trustedProxies.0: Use an address or a CIDR range.');
  },
);
