import { call, type Connector, providerApi, readPath } from '@railyard/core';
import type { NotificationVerification } from '@railyard/core/driver';
import { hexKey, openBankingJws, timedSignatures } from '@railyard/core/proofs';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkConformance, type ConformanceOptions } from '../src/index.ts';
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

interface Kind {
  readonly verify: Verify;
  readonly secret: string;
  readonly providerKey?: string;
}

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
  'RSA with PSS': {
    verify: { scheme: 'rsa', algorithm: 'sha256', padding: 'pss', header, encoding: 'base64', key },
    ...RSA,
  },
  'a JWS': {
    verify: openBankingJws({ keys: ({ webhook_secret }: Settings) => ({ k1: webhook_secret }), issuer: () => 'bank' }),
    ...RSA,
  },
  'basic authentication': {
    verify: { scheme: 'basic', credentials: ({ webhook_secret: password }) => ({ user: 'bank', password }) },
    secret: 'webhook-secret',
  },
  'a certificate that a proxy reports': {
    verify: { scheme: 'client-certificate', header: 'x-client-cert', value: key },
    secret: 'sha256-of-the-certificate',
  },
};

function provenBy({ verify, secret, providerKey }: Kind): readonly [Connector, ConformanceOptions] {
  const { notifications } = signedBank;
  if (notifications === undefined) throw new Error('The bank sends none.');
  return [
    { ...signedBank, notifications: { ...notifications, verify } },
    {
      ...signedBankOptions,
      settings: { ...signedBankOptions.settings, webhook_secret: secret },
      ...(providerKey !== undefined && { providerKey }),
    },
  ];
}

const IDS = /^notification|^secrets|-key$/;

async function resultsOf(connector: Connector, options: ConformanceOptions) {
  const { results } = await checkConformance(connector, options);
  return results.filter(({ id }) => IDS.test(id));
}

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

test('a field that events depend on and that is not signed is found', async () => {
  const kind = { verify: inField(PLACES.filter((place) => place !== 'transfer.amount')), secret: HEX };
  expect(failedOf(await resultsOf(...provenBy(kind)))).toMatchObject([
    { id: 'notification-forged', why: expect.stringContaining('"transfer.amount" is not signed') },
  ]);
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
