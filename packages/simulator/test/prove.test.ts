import { type Connector, defineConnector, notificationsFor, readPath, statusTable } from '@railyard/core';
import type { NotificationVerification } from '@railyard/core/driver';
import { base64Key, hexKey, openBankingJws, standardWebhooks, timedSignatures } from '@railyard/core/proofs';
import { receiveNotification } from '@railyard/runtime';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { prove } from '../src/index.ts';

const settings = z.object({ key: z.string() });
type Settings = z.output<typeof settings>;
type Verify = NotificationVerification<Settings>;

const NOW = 1_764_000_000_000;
const pem = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const spki = { type: 'spki', format: 'pem' } as const;
const RSA = { key: rsa.publicKey.export(spki).toString(), privateKey: rsa.privateKey.export(pem).toString() };
const EC = { key: ec.publicKey.export(spki).toString(), privateKey: ec.privateKey.export(pem).toString() };
const ED = { key: ed.publicKey.export({ format: 'jwk' }).x ?? '', privateKey: ed.privateKey.export(pem).toString() };
const SECRET = { key: 'a secret of the account' };

const key = ({ key: own }: Settings) => own;
const header = 'X-Sign';
const inBody = { scheme: 'hmac', algorithm: 'sha256', encoding: 'base64' } as const;
const bank = { keys: ({ key: k1 }: Settings) => ({ k1 }), issuer: () => 'bank' };

const kinds: Readonly<
  Record<string, readonly [verify: Verify, keys: { readonly key: string; readonly privateKey?: string }]>
> = {
  'an HMAC': [{ scheme: 'hmac', algorithm: 'sha512', header, encoding: 'hex', key }, SECRET],
  'an HMAC of address, time and body': [
    {
      scheme: 'hmac',
      algorithm: 'sha1',
      header,
      prefix: 'v=',
      encoding: 'base64url',
      key,
      timestamp: { header: 'X-Time', unit: 'iso', toleranceSeconds: 60 },
      over: ({ url, method, bytes }, { time }) => [method, url, time, bytes],
    },
    SECRET,
  ],
  'a list with its time': [timedSignatures({ header, key }), SECRET],
  'Standard Webhooks': [standardWebhooks(key), { key: 'whsec_YSBzZWNyZXQgb2YgdGhlIGFjY291bnQ=' }],
  'a field of the body': [
    {
      ...inBody,
      field: 'sign',
      key: (own) => hexKey(own.key),
      over: (_raw, { item }) => String(readPath(item, 'amount')),
    },
    { key: '44782def547aaa06c910c43932b1eb0c' },
  ],
  'a field of each item': [
    { ...inBody, each: 'items.*', field: 'more.sign', key, over: (_raw, { item }) => String(readPath(item, 'id')) },
    SECRET,
  ],
  'RSA with PKCS #1': [{ scheme: 'rsa', algorithm: 'sha256', header, encoding: 'base64', key }, RSA],
  'RSA with PSS': [{ scheme: 'rsa', algorithm: 'sha256', padding: 'pss', header, encoding: 'hex', key }, RSA],
  'ECDSA in DER': [{ scheme: 'ecdsa', algorithm: 'sha256', format: 'der', header, encoding: 'hex', key }, EC],
  'ECDSA as two numbers': [
    { scheme: 'ecdsa', algorithm: 'sha256', format: 'raw', header, encoding: 'base64', key },
    EC,
  ],
  Ed25519: [{ scheme: 'ed25519', header, encoding: 'base64', key: (own) => base64Key(own.key) }, ED],
  'a JWS': [openBankingJws(bank), RSA],
  'a JWS without Base64': [openBankingJws({ ...bank, unencoded: true }), RSA],
  'basic authentication': [
    { scheme: 'basic', credentials: ({ key: password }) => ({ user: 'bank', password }) },
    SECRET,
  ],
  'a shared secret': [{ scheme: 'shared-secret', header, prefix: 'Token ', value: key }, SECRET],
  'a certificate that a proxy reports': [{ scheme: 'client-certificate', header, value: key }, SECRET],
};

const connectorOf = (verify: Verify): Connector =>
  defineConnector({
    id: 'sample',
    contract: 1,
    version: '1.0.0',
    title: 'Sample',
    settings,
    baseUrl: () => 'https://provider.example',
    endpoints: [],
    statuses: statusTable({}),
    notifications: notificationsFor(settings)({ verify, codec: 'json', body: z.unknown(), events: () => [] }),
    serves: () => [],
  });

const url = 'https://pay.example/notify/m1?from=sample';
const value = { amount: 5, text: 'café', items: [{ id: 1 }, { id: 2, more: { note: 'é' } }] };

describe.each(Object.entries(kinds))(
  'a notification that is proven by %s',
  (_name, [verify, { key: own, privateKey }]) => {
    const connector = connectorOf(verify);
    const account = {
      connector,
      settings: { key: own },
      name: 'sample',
      ...(privateKey !== undefined && { privateKey }),
    };
    const sent = (forged: boolean) =>
      prove(account, { url, headers: { 'webhook-id': 'msg_1' }, value }, { forged, now: NOW });
    const received = (raw: ReturnType<typeof sent>, at = NOW) =>
      receiveNotification(connector, { key: own }, { ...raw, url, proxied: true }, at);

    test('is signed so that the runtime takes it', () => {
      expect(received(sent(false))).toMatchObject({ kind: 'events', proven: true });
    });

    test('is refused where an attacker made it', () => {
      expect(received(sent(true))).toMatchObject({ kind: 'refused', why: 'signature' });
    });

    if ('timestamp' in verify)
      test('is refused a day later', () => {
        expect(received(sent(false), NOW + 86_400_000)).toMatchObject({ kind: 'refused', why: 'stale' });
      });
  },
);

test('a signature in the body leaves the digits of its numbers as they were', () => {
  const [verify] = kinds['a field of the body'] ?? [];
  if (verify === undefined) throw new Error('There is no such kind.');
  const account = { connector: connectorOf(verify), settings: { key: '00ff' }, name: 'sample' };
  const { body } = prove(account, { url, headers: {}, value: { amount: 5, id: 1 } }, { forged: false, now: NOW });
  expect(body).toMatch(/^\{"amount":5,"id":1,"sign":"[\w+/]+="\}$/);
});

test('a provider without its private key cannot be played, and the message names what is missing', () => {
  const account = {
    connector: connectorOf({ scheme: 'ed25519', header, encoding: 'hex', key }),
    settings: ED,
    name: 'sample',
  };
  expect(() => prove(account, { url, headers: {}, value }, { forged: false, now: NOW })).toThrow(
    'sample signs its notifications by ed25519: give privateKey.',
  );
});
