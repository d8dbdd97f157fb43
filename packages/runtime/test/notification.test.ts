import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import {
  defineConnector,
  fromDecimal,
  notificationsFor,
  type RawNotification,
  settled,
  statusTable,
} from '@railyard/core';
import type { ArrivedNotification, NotificationVerification } from '@railyard/core/driver';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readNotification, receiveNotification } from '../src/index.ts';

const settings = z.object({ key: z.string() });
const NOW = 1_764_000_000_000;
const body = JSON.stringify({ id: 'e1', paid: '5.00' });

type Verify = NotificationVerification<z.output<typeof settings>>;

function connectorOf(verify: Verify) {
  return defineConnector({
    id: 'sample',
    contract: 1,
    version: '1.0.0',
    title: 'Sample',
    settings,
    baseUrl: () => 'https://api.example',
    endpoints: [],
    statuses: statusTable({}),
    notifications: notificationsFor(settings)({
      verify,
      codec: 'json',
      body: z.object({ id: z.string(), paid: z.string() }),
      events: ({ id, paid }) => [
        { kind: 'payment', id, providerReference: 'c1', outcome: settled('c1', fromDecimal(paid, 'USD')) },
      ],
      acknowledge: { status: 202, body: 'OK' },
    }),
    serves: () => [],
  });
}

const receive = (verify: Verify, raw: ArrivedNotification, key = 'k') =>
  receiveNotification(connectorOf(verify), { key }, raw, NOW);

const hmac: Verify = {
  scheme: 'hmac',
  algorithm: 'sha256',
  header: 'X-Sign',
  encoding: 'hex',
  prefix: 'sha256=',
  key: ({ key }) => key,
};
const sign = (text: string, key = 'k') => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;

describe('an HMAC-signed notification', () => {
  test('gives its events and the acknowledgement', () => {
    expect(receive(hmac, { body, headers: { 'x-sign': sign(body) } })).toMatchObject({
      kind: 'events',
      proven: true,
      events: [{ id: 'e1', outcome: { status: 'settled', amount: { text: '5.00' } } }],
      acknowledge: { status: 202, body: 'OK' },
    });
  });

  test.each([
    ['another key', sign(body, 'other')],
    ['another body', sign(`${body} `)],
    ['no prefix', sign(body).slice(7)],
    ['another length', 'sha256=00'],
    ['nothing', ''],
  ])('is refused with the signature of %s', (_what, signature) => {
    const refused = receive(hmac, { body, headers: { 'x-sign': signature } });
    expect(refused).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test('is genuine at the address, by the method and with the bytes that were signed, and at no other', () => {
    const over: Verify = {
      ...hmac,
      over: ({ method, url, query, bytes }) => Buffer.concat([Buffer.from(`${method} ${url} ${query['n']} `), bytes]),
    };
    const url = 'https://pay.example/notify/m-1?n=7';
    const raw = { body, headers: { 'x-sign': sign(`PUT ${url} 7 ${body}`) }, method: 'PUT', url };
    expect(receive(over, raw)).toMatchObject({ kind: 'events' });
    expect(receive(over, { ...raw, url: 'https://pay.example/notify/m-2?n=7' })).toMatchObject({ why: 'signature' });
    expect(receive(over, { ...raw, method: 'POST' })).toMatchObject({ why: 'signature' });
    expect(receive(over, { ...raw, bytes: Buffer.from(`${body} `) })).toMatchObject({ why: 'signature' });
  });

  test('that was stored is read by any later key', () => {
    const stored = { body, headers: {} };
    expect(readNotification(connectorOf(hmac), { key: 'renewed' }, stored)).toMatchObject({ events: [{ id: 'e1' }] });
    expect(readNotification(connectorOf(hmac), { key: 'k' }, { ...stored, body: '{}' })).toMatchObject({
      events: [],
      unread: [expect.any(String)],
    });
  });

  test('is refused without the header', () => {
    expect(receive(hmac, { body, headers: {} })).toMatchObject({ why: 'signature' });
  });

  test('is refused where the settings have no key', () => {
    expect(receive(hmac, { body, headers: { 'x-sign': sign(body, '') } }, '')).toMatchObject({ why: 'signature' });
  });

  test.each([
    [299, 'events'],
    [-299, 'events'],
    [301, 'refused'],
    [-301, 'refused'],
  ])('signed %i seconds from now is %s', (seconds, kind) => {
    const at = String(NOW / 1000 + seconds);
    const timed: Verify = {
      ...hmac,
      over: ({ body: text }, { time }) => `${time}.${text}`,
      timestamp: { header: 'x-time', toleranceSeconds: 300 },
    };
    const headers = { 'x-sign': sign(`${at}.${body}`), 'x-time': at };
    const received = receive(timed, { body, headers });
    expect(received.kind).toBe(kind);
    if (received.kind === 'refused') expect(received.why).toBe('stale');
  });

  test.each([
    ['is no JSON', '{'],
    ['lacks a field', '{"id":"e1"}'],
    ['has an amount that cannot be read', '{"id":"e1","paid":"five"}'],
  ])('is genuine and not understood when its body %s', (_what, text) => {
    const unread = receive(hmac, { body: text, headers: { 'x-sign': sign(text) } });
    expect(unread).toMatchObject({ kind: 'events', events: [], genuine: true, unread: [expect.any(String)] });
    expect(JSON.stringify(unread)).not.toContain('five');
  });
});

describe('a header that lists signatures', () => {
  // Stripe: `t=<time>,v1=<hex>,v1=<hex>`, over `<time>.<body>` (docs.stripe.com/webhooks/signature).
  const listed: Verify = {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'stripe-signature',
    encoding: 'hex',
    prefix: 'v1=',
    separator: ',',
    key: ({ key }) => key.split(' ').map((each) => Buffer.from(each)),
    over: ({ bytes }, { time }) => [`${time}.`, bytes],
    timestamp: { item: 't=', toleranceSeconds: 300 },
  };
  const v1 = (key: string, at: number, text = body) =>
    `v1=${createHmac('sha256', key).update(`${at}.${text}`).digest('hex')}`;
  const at = NOW / 1000;
  const given = (header: string, key = 'old new') =>
    receive(listed, { body, headers: { 'stripe-signature': header } }, key);

  test.each([
    ['the only signature', `t=${at},${v1('new', at)}`],
    ['the second signature', `t=${at},${v1('another', at)},${v1('old', at)}`],
  ])('proves by %s, with any key of the settings', (_which, header) => {
    expect(given(header)).toMatchObject({ kind: 'events', proven: true });
  });

  test.each([
    ['forged', `t=${at},${v1('another', at)}`, 'signature'],
    ['for another body', `t=${at},${v1('new', at, '{}')}`, 'signature'],
    ['cut short', `t=${at},${v1('new', at).slice(0, -2)}`, 'signature'],
    ['of another version', `t=${at},${v1('new', at).replace('v1', 'v0')}`, 'signature'],
    ['under a time that was changed', `t=${at + 1},${v1('new', at)}`, 'signature'],
    ['replayed', `t=${at - 301},${v1('new', at - 301)}`, 'stale'],
  ])('refuses one that is %s', (_which, header, why) => {
    expect(given(header)).toMatchObject({ kind: 'refused', why });
  });

  test('proves nothing by an empty key among the keys', () => {
    expect(given(`t=${at},${v1('', at)}`, ' new')).toMatchObject({ why: 'signature' });
  });
});

describe('an RSA-signed notification', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const rsa: Verify = {
    scheme: 'rsa',
    algorithm: 'sha256',
    header: 'x-sign',
    encoding: 'base64',
    key: ({ key }) => key,
  };
  const signed = (text: string) => createSign('SHA256').update(text).sign(privateKey, 'base64');
  const signature = signed(body);

  test('is read when the signature is genuine', () => {
    expect(receive(rsa, { body, headers: { 'x-sign': signature } }, pem)).toMatchObject({ proven: true });
  });

  test.each([
    ['a changed body', `${body} `, signature],
    ['the signature of another body', body, signed('{}')],
    // A key is new in each run: a letter put in the place of the first would sometimes be the same letter.
    ['a forged signature', body, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['no signature at all', body, '!!'],
  ])('is refused with %s', (_what, text, given) => {
    expect(receive(rsa, { body: text, headers: { 'x-sign': given } }, pem)).toMatchObject({ why: 'signature' });
  });
});

describe('a shared secret', () => {
  const shared: Verify = { scheme: 'shared-secret', header: 'X-Token', value: ({ key }) => key };

  test('is compared as it is', () => {
    expect(receive(shared, { body, headers: { 'x-token': 'k' } })).toMatchObject({ proven: true });
    expect(receive(shared, { body, headers: { 'x-token': 'K' } })).toMatchObject({ why: 'signature' });
    expect(receive(shared, { body, headers: {} })).toMatchObject({ why: 'signature' });
  });

  test('that is empty proves nothing', () => {
    expect(receive(shared, { body, headers: { 'x-token': '' } }, '')).toMatchObject({ why: 'signature' });
  });
});

describe('a request by which the provider tries the address', () => {
  const tried = (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const connector = connectorOf(hmac);
    if (connector.notifications === undefined) throw new Error('It takes no notifications.');
    const addressCheck = (raw: RawNotification) => {
      if (raw.query['fails'] !== undefined) throw new Error(raw.url);
      return raw.method === 'GET' ? (raw.headers['x-verification'] ?? raw.query['challenge']) : undefined;
    };
    const asking = { ...connector, notifications: { ...connector.notifications, addressCheck } };
    return receiveNotification(asking, { key: 'k' }, { method, url, headers, body: method === 'GET' ? '' : body }, NOW);
  };

  test.each([
    ['a header', 'https://pay.example/notify/m1', { 'x-verification': 'e-1' }],
    ['a query value', 'https://pay.example/notify/m1?challenge=e-1', {}],
  ])('is answered with %s of it before any proof, and reports nothing', (_what, url, headers) => {
    expect(tried(url, headers)).toEqual({
      kind: 'events',
      events: [],
      proven: false,
      genuine: false,
      unread: [],
      acknowledge: { status: 200, body: 'e-1' },
    });
  });

  test('is no notification: one still needs its proof, and so does a request that the connector cannot read', () => {
    expect(tried('https://pay.example/notify/m1?challenge=e-1', {}, 'POST')).toMatchObject({ why: 'signature' });
    expect(tried('https://pay.example/notify/m1?fails=1')).toMatchObject({ why: 'signature' });
    const proven = { 'x-sign': sign(body) };
    expect(tried('https://pay.example/notify/m1', proven, 'POST')).toMatchObject({ events: [{ id: 'e1' }] });
  });
});

test('an acknowledgement may be made of the notification, and the fixed one stands for one that cannot be made', () => {
  const connector = (bodyFor: (sent: { id: string }, raw: RawNotification) => string) =>
    defineConnector({
      id: 'sample',
      contract: 1,
      version: '1.0.0',
      title: 'Sample',
      settings,
      baseUrl: () => 'https://api.example',
      endpoints: [],
      statuses: statusTable({}),
      notifications: notificationsFor(settings)({
        verify: { scheme: 'shared-secret', header: 'x-token', value: ({ key }) => key },
        codec: 'json',
        body: z.object({ id: z.string() }),
        events: () => [],
        acknowledge: { status: 200, body: 'OK', bodyFor },
      }),
      serves: () => [],
    });
  const raw = { body, headers: { 'x-token': 'k' } };
  // https://docs.robokassa.ru/ru/notifications-and-redirects
  const taken = receiveNotification(
    connector(({ id }) => `OK${id}`),
    { key: 'k' },
    raw,
    NOW,
  );
  expect(taken).toMatchObject({ acknowledge: { status: 200, body: 'OKe1' } });
  const echoing = connector(({ id }, { headers, query }) => `${id} ${headers['x-echo']} ${query['echo']}`);
  const asked = { ...raw, url: 'https://pay.example/notify/m1?echo=q-1', headers: { ...raw.headers, 'x-echo': 'h-1' } };
  expect(receiveNotification(echoing, { key: 'k' }, asked, NOW)).toMatchObject({ acknowledge: { body: 'e1 h-1 q-1' } });
  const failing = connector(({ id }) => {
    throw new Error(id);
  });
  expect(receiveNotification(failing, { key: 'k' }, raw, NOW)).toMatchObject({
    acknowledge: { status: 200, body: 'OK' },
  });
});

test('an unsigned notification is a hint, not a proof', () => {
  const received = receive({ scheme: 'unsigned', confirm: 'status' }, { body, headers: {} });
  expect(received).toMatchObject({ kind: 'events', proven: false, events: [{ providerReference: 'c1' }] });
});

test('a notification that gives a name twice is not understood, whatever signs it', () => {
  const twice = '{"id":"e1","paid":"5.00","paid":"0.01"}';
  expect(receive(hmac, { body: twice, headers: { 'x-sign': sign(twice) } })).toMatchObject({
    kind: 'events',
    events: [],
    unread: [expect.any(String)],
  });
});

describe('a list whose items stand for themselves', () => {
  const listed = (verify: Verify) =>
    defineConnector({
      ...connectorOf(verify),
      notifications: notificationsFor(z.object({ key: z.string() }))({
        verify,
        codec: 'json',
        items: 'all.*',
        body: z.object({ all: z.array(z.object({ id: z.string() })) }),
        events: ({ all }) =>
          all.map(({ id }) => ({ kind: 'facts' as const, id, providerReference: id, facts: { arn: id } })),
      }),
      serves: () => [],
    });
  const text = JSON.stringify({ all: [{ id: 'e1' }, { none: 'of ours' }, { id: 'e3' }] });

  test('is read but for the one that is not understood', () => {
    const sent = { body: text, headers: { 'x-sign': sign(text) } };
    expect(receiveNotification(listed(hmac), { key: 'k' }, sent, NOW)).toMatchObject({
      events: [{ id: 'e1' }, { id: 'e3' }],
      unread: [expect.stringContaining('Part 2 of 3')],
    });
  });

  test('is refused whole where its signature is wrong', () => {
    const forged = { body: text, headers: { 'x-sign': sign(`${text} `) } };
    expect(receiveNotification(listed(hmac), { key: 'k' }, forged, NOW)).toMatchObject({ why: 'signature' });
  });
});
