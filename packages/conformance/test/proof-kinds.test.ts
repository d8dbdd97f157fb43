import { call, type Connector, providerApi, readPath } from '@railyard/core';
import type { FurtherProof, NotificationVerification } from '@railyard/core/driver';
import { hexKey, openBankingJws, timedSignatures } from '@railyard/core/proofs';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { receiveNotification } from '@railyard/runtime';
import type { ConformanceOptions } from '../src/index.ts';
import { runChecks } from '../src/run-checks.ts';
import type { Internals } from '../src/subject.ts';
import { runOnly } from './support/run-only.ts';
import { signedBank, signedBankOptions } from './support/signed-bank.ts';

const settings = z.looseObject({ webhook_secret: z.string() });
type Settings = z.output<typeof settings>;
type Verify = NotificationVerification<Settings>;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const RSA = {
  secret: rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  providerKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

const key = ({ webhook_secret }: Settings) => webhook_secret;
const header = 'x-sign';
const PLACES = ['event', 'transfer.id', 'transfer.status', 'transfer.amount', 'transfer.currency'];
const fields = (places: readonly string[]) => (item: unknown) =>
  places.map((place) => String(readPath(item, place))).join(':');
const inField = (places: readonly string[]): Verify => ({
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'base64',
  field: 'signed.by',
  key: ({ webhook_secret }) => hexKey(webhook_secret),
  over: (_raw, { item }) => fields(places)(item),
});

/** @param withKey whether the text has the key in it, without which anybody could make the digest */
const digestOf = (places: readonly string[], withKey = true): Verify => ({
  scheme: 'digest',
  algorithm: 'sha512',
  encoding: 'hex',
  field: 'signed.by',
  key,
  over: (_raw, { item, settings: { webhook_secret } }) => [fields(places)(item), withKey ? webhook_secret : ''],
});

interface Kind {
  readonly verify: Verify;
  readonly also?: readonly FurtherProof<Settings>[];
  readonly secret: string;
  readonly providerKey?: string;
}

const hmac = { scheme: 'hmac', algorithm: 'sha256', encoding: 'hex', header, key } as const;
const basic = {
  scheme: 'basic',
  credentials: ({ webhook_secret: password }: Settings) => ({ user: 'bank', password }),
} as const;

const HEX = '44782def547aaa06c910c43932b1eb0c';

const kinds: Readonly<Record<string, Kind>> = {
  'a list with its time': { verify: timedSignatures({ header, key }), secret: 'webhook-secret' },
  'the address and the body': {
    verify: {
      scheme: 'hmac',
      algorithm: 'sha1',
      header,
      encoding: 'base64url',
      key,
      over: (raw) => [raw.url, raw.bytes],
    },
    secret: 'webhook-secret',
  },
  'a field of the body': { verify: inField(PLACES), secret: HEX },
  'a digest of fields and the key': { verify: digestOf(PLACES), secret: 'webhook-secret' },
  'a date, the address and a digest of the body': {
    verify: {
      scheme: 'hmac',
      algorithm: 'sha256',
      header,
      encoding: 'base64',
      key,
      over: ({ url, headers, bytes }) => [
        `${headers['x-date'] ?? ''};${url};`,
        { digest: 'sha256', of: bytes, encoding: 'base64' },
      ],
    },
    secret: 'webhook-secret',
  },
  'RSA with PSS': {
    verify: { scheme: 'rsa', algorithm: 'sha256', padding: 'pss', header, encoding: 'base64', key },
    ...RSA,
  },
  'a JWS': {
    verify: openBankingJws({ keys: ({ webhook_secret }: Settings) => ({ k1: webhook_secret }), issuer: () => 'bank' }),
    ...RSA,
  },
  'basic authentication': {
    verify: basic,
    secret: 'webhook-secret',
  },
  'a signature and basic authentication': { verify: hmac, also: [basic], secret: 'webhook-secret' },
  'a signature in a field and one in a header': { verify: inField(PLACES), also: [hmac], secret: HEX },
  'a certificate that a proxy reports': {
    verify: { scheme: 'client-certificate', header: 'x-client-cert', value: key },
    secret: 'sha256-of-the-certificate',
  },
};

function provenBy({ verify, also, secret, providerKey }: Kind): readonly [Connector, ConformanceOptions] {
  const { notifications } = signedBank;
  if (notifications === undefined) throw new Error('The bank sends none.');
  return [
    { ...signedBank, notifications: { ...notifications, verify, ...(also && { also }) } },
    {
      ...signedBankOptions,
      settings: { ...signedBankOptions.settings, webhook_secret: secret },
      ...(providerKey !== undefined && { providerKey }),
    },
  ];
}

const IDS = /^notification|^secrets|-key$/;

const resultsOf = (connector: Connector, options: ConformanceOptions) =>
  runOnly(connector, options, ({ id }) => IDS.test(id));

const failedOf = (results: Awaited<ReturnType<typeof resultsOf>>) =>
  results.filter(({ status }) => status === 'failed').map(({ id, path, why }) => ({ id, path, why }));

test.each(Object.entries(kinds))(
  'notifications that are proven by %s are signed by the simulator and forged by the kit',
  async (_name, kind) => {
    const results = await resultsOf(...provenBy(kind));
    expect(failedOf(results)).toEqual([]);
    const passed = results.filter(({ status }) => status === 'passed').map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining(['notification-settles', 'notification-forged', 'notification-twice']),
    );
  },
);

test('a proof that does not cover the body makes hints of its events, which lead to a lookup', async () => {
  const over = () => 'the same text each time';
  const verify: Verify = { scheme: 'hmac', algorithm: 'sha256', header, encoding: 'hex', key, over, confirm: 'status' };
  const results = await resultsOf(...provenBy({ verify, secret: 'webhook-secret' }));
  expect(failedOf(results)).toEqual([]);
  expect(results.find(({ id }) => id === 'notification-unsigned-is-a-hint')?.status).toBe('passed');
});

/** A service that checks the first proof alone. */
const firstProofAlone: Internals = {
  machinery: {
    receive(connector, account, raw, now) {
      const { also: _also, ...notifications } = connector.notifications ?? {};
      return receiveNotification(Object.assign({}, connector, { notifications }), account, raw, now);
    },
  },
};

test('the second of two proofs that is not checked is found', async () => {
  const { results } = await runChecks(
    ...provenBy({ verify: hmac, also: [basic], secret: 'webhook-secret' }),
    firstProofAlone,
  );
  expect(failedOf(results.filter(({ id }) => IDS.test(id)))).toMatchObject([
    { id: 'notification-forged', why: expect.stringContaining('without its proof (basic)') },
  ]);
});

test('a field that events depend on and that is not signed is found', async () => {
  const kind = { verify: inField(PLACES.filter((place) => place !== 'transfer.amount')), secret: HEX };
  expect(failedOf(await resultsOf(...provenBy(kind)))).toMatchObject([
    { id: 'notification-forged', why: expect.stringContaining('"transfer.amount" is not signed') },
  ]);
});

test('a digest without the key in it is found', async () => {
  const kind = { verify: digestOf(PLACES, false), secret: 'webhook-secret' };
  expect(failedOf(await resultsOf(...provenBy(kind)))).toContainEqual(
    expect.objectContaining({ id: 'notification-forged', why: expect.stringContaining('another account') }),
  );
});

test('a header that is signed and a body that is not are found', async () => {
  const over = () => 'the same text each time';
  const verify: Verify = { scheme: 'hmac', algorithm: 'sha256', header, encoding: 'hex', key, over };
  const found = failedOf(await resultsOf(...provenBy({ verify, secret: 'webhook-secret' })));
  expect(found.map(({ id }) => id)).toEqual(['notification-forged']);
});

describe('notifications about which the provider is asked', () => {
  const { endpoint, endpoints } = providerApi(settings, { source: 'this test' });
  const verifyEvent = endpoint({
    name: 'verify-event',
    method: 'POST',
    path: '/verify',
    repeat: 'safe',
    request: (asked: { readonly proof: string; readonly event: string }) => ({
      headers: { 'content-type': 'application/json' },
      text: `{"proof":${JSON.stringify(asked.proof)},"event":${asked.event}}`,
    }),
    reply: z.object({ status: z.enum(['SUCCESS', 'FAILURE']) }),
    examples: [{ body: { status: 'SUCCESS' } }],
  });

  const asking = (believes: (status: string) => boolean): readonly [Connector, ConformanceOptions] => {
    const [connector, options] = provenBy({
      verify: {
        scheme: 'call',
        headers: ['x-transmission-sig'],
        *steps({ headers, body }) {
          const proof = headers['x-transmission-sig'] ?? '';
          return believes((yield* call(verifyEvent, { proof, event: body })).status);
        },
      },
      secret: 'webhook-secret',
    });
    const { simulation } = options;
    if (simulation === undefined) throw new Error('The bank has no simulation.');
    const question = {
      effect: 'read' as const,
      request: { proof: 'body.proof', notification: 'body.event' },
      reply: {},
      absent: { status: 200, body: { status: 'FAILURE' } },
    };
    return [
      Object.assign({}, connector, { endpoints: [...connector.endpoints, ...endpoints] }),
      { ...options, simulation: { ...simulation, endpoints: { ...simulation.endpoints, 'verify-event': question } } },
    ];
  };

  test('count once it says that they are its own', async () => {
    const results = await resultsOf(...asking((status) => status === 'SUCCESS'));
    expect(failedOf(results).filter(({ id }) => id !== 'secrets-are-read')).toEqual([]);
    expect(results.find(({ id }) => id === 'notification-forged')?.status).toBe('passed');
  });

  test('are found where the answer is not read', async () => {
    const found = failedOf(await resultsOf(...asking(() => true)));
    expect(found.map(({ id }) => id)).toContain('notification-forged');
  });
});
