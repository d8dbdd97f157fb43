import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { call, credential, oauthToken, settled } from '@railyard/core';
import type { JwsAlgorithm, OAuthClient, Signing, Wire } from '@railyard/core/driver';
import { compactVerify, flattenedVerify, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive, memoryCredentials } from '../src/index.ts';
import { encodeRequest } from '../src/encode.ts';
import { connectorOf, endpoint, five, hostOf, json, runOf, values } from './support/sample.ts';

const NOW = 1_795_435_200;
const moment = { now: NOW, id: '0b5cdb2e-0d6c-8a0f-ab57-6c2f0d8e4a11' };
const pem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'pkcs8' }));

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const pairs: Readonly<Record<string, { readonly publicKey: KeyObject; readonly privateKey: KeyObject }>> = {
  ES256: curve('P-256'),
  ES384: curve('P-384'),
  ES512: curve('P-521'),
  EdDSA: generateKeyPairSync('ed25519'),
};
const pairOf = (algorithm: JwsAlgorithm) => pairs[algorithm] ?? rsa;

const plain = connectorOf(function* () {
  yield* [];
  return settled('c1', five);
}, []);

function signed(sign: Signing | readonly Signing[], body: Wire = { json: { amount: '5.00' } }) {
  const wire = { ...body, sign };
  const target = endpoint({
    name: 'pay',
    method: 'POST',
    path: '/p',
    repeat: 'keyed',
    request: () => wire,
    reply: z.object({}),
  });
  return encodeRequest(plain, values, target, wire, moment, () => '');
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

describe('a detached JWS of a request', () => {
  /** The signature as jose wants it: with the payload that left as the body. */
  async function verified(jws: string | undefined, payload: string | undefined, key: KeyObject, crit = {}) {
    const [head = '', nothing, signature = ''] = (jws ?? '').split('.');
    expect(nothing).toBe('');
    const { protectedHeader } = await flattenedVerify({ protected: head, payload: payload ?? '', signature }, key, {
      crit,
    });
    return protectedHeader;
  }
  const base64 = (text = '') => Buffer.from(text).toString('base64url');

  test.each(ALGORITHMS)('by %s is verified by jose over the body that leaves', async (algorithm) => {
    const { publicKey, privateKey } = pairOf(algorithm);
    const { headers, body } = signed({
      scheme: 'jws',
      algorithm,
      key: pem(privateKey),
      header: () => ({ kid: 'k1' }),
      into: { header: 'X-JWS-Signature' },
    });
    const jws = headers['x-jws-signature'];
    expect(await verified(jws, base64(body), publicKey)).toEqual({ alg: algorithm, kid: 'k1' });
    await expect(verified(jws, base64(`${body} `), publicKey)).rejects.toThrow('verification failed');
  });

  test('by HS256 has the shared secret as its key', async () => {
    const { headers, body } = signed({ scheme: 'jws', algorithm: 'HS256', key: 'shared', into: { header: 'x-sign' } });
    const [head = '', , signature = ''] = (headers['x-sign'] ?? '').split('.');
    const jws = { protected: head, payload: base64(body), signature };
    await expect(flattenedVerify(jws, Buffer.from('shared'))).resolves.toBeDefined();
    await expect(flattenedVerify(jws, Buffer.from('another'))).rejects.toThrow('verification failed');
  });

  // OBIE, Read-Write Data API Profile 3.1.3 and before: b64 is false; the claims stand in the header and in crit.
  test('of UK Open Banking has the time in its header and signs the text as it is', async () => {
    const claim = 'http://openbanking.org.uk/';
    const { headers, body } = signed({
      scheme: 'jws',
      algorithm: 'PS256',
      key: pem(rsa.privateKey),
      unencoded: true,
      header: ({ now }) => ({
        [`${claim}iat`]: now,
        [`${claim}iss`]: '0015800001041RHAAY/org',
        crit: [`${claim}iat`, `${claim}iss`],
      }),
      into: { header: 'x-jws-signature' },
    });
    const known = { [`${claim}iat`]: true, [`${claim}iss`]: true };
    expect(await verified(headers['x-jws-signature'], body, rsa.publicKey, known)).toEqual({
      alg: 'PS256',
      b64: false,
      [`${claim}iat`]: NOW,
      [`${claim}iss`]: '0015800001041RHAAY/org',
      crit: [`${claim}iat`, `${claim}iss`, 'b64'],
    });
  });

  test.each<[JwsAlgorithm, string]>([
    ['PS256', 'no key at all'],
    ['ES256', pem(rsa.privateKey)],
    ['ES256', pem(curve('P-384').privateKey)],
    ['RS256', pem(curve('P-256').privateKey)],
    ['EdDSA', pem(rsa.privateKey)],
  ])('by %s with a key of another kind is refused without the key in the message', (algorithm, key) => {
    const sign = () => signed({ scheme: 'jws', algorithm, key, into: { header: 'x' } });
    expect(sign).toThrow(`A signature by ${algorithm} needs a private key for it in PEM. Check the setting.`);
  });
});

// Berlin Group, XS2A Implementation Guidelines 1.3, 12: a digest of the body in a header, and a signature over headers.
test('several signatures are made in order, and a later one covers what an earlier one put in a header', async () => {
  const { headers, body } = signed([
    {
      scheme: 'digest',
      algorithm: 'sha256',
      key: '',
      over: ({ body: text }) => text,
      encoding: 'base64',
      into: { header: 'Digest', prefix: 'SHA-256=' },
    },
    {
      scheme: 'jws',
      algorithm: 'RS256',
      key: pem(rsa.privateKey),
      headers: ({ now, id }) => ({ Date: new Date(now * 1000).toUTCString(), 'X-Request-ID': id }),
      over: ({ headers: { digest, date, 'x-request-id': id } }) => `${digest}\n${date}\n${id}`,
      into: { header: 'signature' },
    },
  ]);
  const digest = `SHA-256=${createHash('sha256')
    .update(body ?? '')
    .digest('base64')}`;
  expect(headers).toMatchObject({ digest, date: 'Mon, 23 Nov 2026 12:00:00 GMT', 'x-request-id': moment.id });
  const payload = Buffer.from(`${digest}\n${headers.date}\n${moment.id}`).toString('base64url');
  const [head, , signature] = (headers.signature ?? '').split('.');
  await expect(compactVerify(`${head}.${payload}.${signature}`, rsa.publicKey)).resolves.toBeDefined();
});

describe('a token endpoint', () => {
  const charge = endpoint({
    name: 'charge',
    method: 'POST',
    path: '/charges',
    repeat: 'keyed',
    request: (bearer: string) => ({ headers: { authorization: `Bearer ${bearer}` } }),
    reply: z.object({}),
  });

  /** Two calls under two scopes, against a server that numbers its tokens. */
  function exchange(client: OAuthClient, statusOfCharge: (at: number) => number = () => 200) {
    const token = oauthToken(endpoint, {
      path: '/token',
      baseUrl: () => 'https://login.example',
      client: () => client,
    });
    const connector = connectorOf(
      function* () {
        for (const scope of ['payments', 'refunds', 'payments']) {
          const { access_token: bearer } = yield* credential(token, scope);
          yield* call(charge, bearer, `charge under ${scope}`);
        }
        return settled('c1', five);
      },
      [token, charge],
    );
    let tokens = 0;
    let charges = 0;
    const { host, requests, log } = hostOf(({ url }) => {
      if (!url.endsWith('/token')) return json(statusOfCharge((charges += 1)), {});
      return json(200, { access_token: `t${(tokens += 1)}`, expires_in: '3600' });
    });
    const time = { now: NOW * 1000 };
    const running = { ...host, now: () => time.now, credentials: memoryCredentials(() => time.now) };
    const forms = () =>
      requests.filter(({ url }) => url.endsWith('/token')).map(({ body }) => new URLSearchParams(body));
    return { forms, requests, log, time, drive: () => drive(runOf(connector), running) };
  }

  test('is asked once for each scope, and a call carries the token of its own', async () => {
    const { drive: go, forms, requests } = exchange({ by: 'body', id: 'shop', secret: 's3cret' });
    await go();
    expect(forms().map(String)).toEqual([
      'grant_type=client_credentials&scope=payments&client_id=shop&client_secret=s3cret',
      'grant_type=client_credentials&scope=refunds&client_id=shop&client_secret=s3cret',
    ]);
    const bearers = requests.map(({ headers }) => headers.authorization).filter((each) => each !== undefined);
    expect(bearers).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t1']);
  });

  test('is shown id and secret in the header, written as a form, where the client proves itself by basic', async () => {
    const { drive: go, requests } = exchange({ by: 'basic', id: 'shop:1', secret: 'é &' });
    await go();
    const [, text = ''] = (requests[0]?.headers.authorization ?? '').split('Basic ');
    expect(Buffer.from(text, 'base64').toString()).toBe('shop%3A1:%C3%A9+%26');
  });

  test('is named the client alone where the certificate proves it', async () => {
    const { drive: go, forms } = exchange({ by: 'tls', id: 'shop' });
    await go();
    expect(String(forms()[0])).toBe('grant_type=client_credentials&scope=payments&client_id=shop');
  });

  test('is shown headers alone, without a body, where the provider names its own', async () => {
    const { drive: go, requests } = exchange({
      by: 'headers',
      headers: { client_id: 'shop', client_secret: 's3cret' },
    });
    await go();
    const [asked] = requests;
    expect(asked?.method).toBe('POST');
    expect(asked?.headers).toMatchObject({ client_id: 'shop', client_secret: 's3cret' });
    expect(asked?.body).toBeUndefined();
    expect(requests[1]?.headers.authorization).toBe('Bearer t1');
  });

  const asserting: OAuthClient = {
    by: 'private-key-jwt',
    id: 'shop',
    key: pem(rsa.privateKey),
    keyId: 'k1',
    algorithm: 'PS256',
    audience: 'https://login.example',
  };
  const claimsOf = (form: URLSearchParams | undefined) =>
    jwtVerify(form?.get('client_assertion') ?? '', rsa.publicKey, {
      audience: 'https://login.example',
      issuer: 'shop',
      subject: 'shop',
      currentDate: new Date(NOW * 1000),
    });

  test('is given an assertion that jose verifies, with another jti for each token', async () => {
    const { drive: go, forms, log } = exchange(asserting);
    await go();
    const [first, second] = await Promise.all(forms().map(claimsOf));
    expect(first).toMatchObject({
      protectedHeader: { alg: 'PS256', kid: 'k1', typ: 'JWT' },
      payload: { iat: NOW, exp: NOW + 300 },
    });
    expect(first?.payload.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.payload.jti).not.toBe(first?.payload.jti);
    expect(log.join()).not.toContain(forms()[0]?.get('client_assertion'));
  });

  test('is given a new assertion when a token is renewed', async () => {
    const { drive: go, forms, time } = exchange(asserting, (at) => (at === 1 ? 401 : 200));
    await go();
    time.now += 1;
    expect(forms().map((form) => form.get('scope'))).toEqual(['payments', 'payments', 'refunds']);
    const ids = (await Promise.all(forms().map(claimsOf))).map(({ payload }) => payload.jti);
    expect(new Set(ids).size).toBe(3);
  });
});

test('a repeat of a call is signed with the same id at its own time', async () => {
  const pay = endpoint({
    name: 'pay',
    method: 'POST',
    path: '/pay',
    repeat: 'keyed',
    request: (_input: void) => ({
      json: {},
      sign: {
        scheme: 'jwt',
        algorithm: 'RS256',
        key: pem(rsa.privateKey),
        claims: ({ now, id }, { method, path }) => ({ iat: now, jti: id, htm: method, htu: path }),
        into: { header: 'authorization', prefix: 'Bearer ' },
      } as const,
    }),
    reply: z.object({}),
  });
  const connector = connectorOf(
    function* () {
      yield* call(pay, undefined);
      return settled('c1', five);
    },
    [pay],
  );
  let sends = 0;
  const { host, requests } = hostOf(() => ((sends += 1) === 1 ? { kind: 'lost', why: 'reset' } : json(200, {})));
  await drive(runOf(connector), { ...host, now: () => NOW * 1000 });
  await drive(runOf(connector), { ...host, now: () => (NOW + 60) * 1000 });
  const claims = requests.map(({ headers }) =>
    jwtVerify(headers.authorization?.slice(7) ?? '', rsa.publicKey, { currentDate: new Date(NOW * 1000) }),
  );
  const [first, second] = (await Promise.all(claims)).map(({ payload }) => payload);
  expect(first).toMatchObject({ iat: NOW, htm: 'POST', htu: '/v1/pay' });
  expect(second).toEqual({ ...first, iat: NOW + 60 });
});
