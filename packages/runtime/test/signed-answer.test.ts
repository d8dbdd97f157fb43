import { createHash } from 'node:crypto';
import { call, settled, visit } from '@railyard/core';
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { connectorOf, endpoint, five, hostOf, json, runOf } from './support/sample.ts';

const NOW = 1_795_435_200;
const STATE = 'https://pay.example/back';
const [bank, stranger] = await Promise.all([generateKeyPair('PS256'), generateKeyPair('PS256')]);
const keys = [{ kty: 'RSA', ...(await exportJWK(bank.publicKey)), kid: 'of-the-bank' }];
const own = await generateKeyPair('PS256', { extractable: true });
const key = await exportPKCS8(own.privateKey);

const exchange = endpoint({
  name: 'exchange',
  method: 'POST',
  path: '/exchange',
  repeat: 'safe',
  request: (code: string) => ({ json: { code } }),
  reply: z.object({}),
});

/** A visit at whose end the code is sent on. */
async function come(by: 'response' | 'id_token', bring: (nonce: string) => Promise<Record<string, string>>) {
  const connector = connectorOf(
    function* () {
      const { code } = yield* visit({
        purpose: 'approve',
        url: 'https://bank.example/authorize',
        fields: { client_id: 'the-client', state: STATE },
        requestObject: { algorithm: 'PS256', key, keyId: 'kid-1', claims: {} },
        signedAnswer: { by, keys, issuer: 'https://bank.example', audience: 'the-client' },
        reference: 'consent-1',
        until: z.object({ code: z.string() }),
      });
      yield* call(exchange, code);
      return settled('c1', five);
    },
    [exchange],
  );
  const { host, requests } = hostOf(() => json(200, {}));
  const at = { ...host, now: () => NOW * 1000 };
  const away = await drive(runOf(connector), at);
  if (away.kind !== 'suspended' || away.nextAction.kind !== 'visit') throw new Error(JSON.stringify(away));
  const claims = (away.nextAction.fields.request ?? '').split('.')[1] ?? '';
  const { nonce } = z.object({ nonce: z.string() }).parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  const { kind } = await drive(runOf(connector), at, { step: 'visit', values: await bring(nonce) });
  return { kind, sent: requests.map(({ body }) => body) };
}

const half = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

const signed = (claims: object, by = bank, kid = 'of-the-bank') =>
  new SignJWT({ iss: 'https://bank.example', aud: 'the-client', exp: NOW + 600, ...claims })
    .setProtectedHeader({ alg: 'PS256', kid })
    .sign(by.privateKey);

const believed = { kind: 'done', sent: ['{"code":"a-code"}'] };
const refused = { kind: 'suspended', sent: [] };

describe('an answer as one signed JWT', () => {
  const code = { code: 'a-code', state: STATE };
  const answer = (claims: object, ...by: [typeof bank?, string?]) =>
    come('response', async () => ({ response: await signed({ ...code, ...claims }, ...by) }));

  test('of the provider to this visit is believed', async () => {
    expect(await answer({})).toEqual(believed);
    expect(await answer({ aud: ['another', 'the-client'], exp: NOW - 59 })).toEqual(believed);
  });

  test.each([
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['to another client', { aud: 'another' }],
    ['that has run out', { exp: NOW - 61 }],
    ['without an end', { exp: undefined }],
    ['to another visit', { state: 'https://pay.example/other' }],
    ['without a state', { state: undefined }],
  ])('%s ends no visit', async (_title, claims) => {
    expect(await answer(claims)).toEqual(refused);
  });

  test('by a strange key, of an unknown key, or unsigned ends no visit', async () => {
    expect(await answer({}, stranger)).toEqual(refused);
    expect(await answer({}, bank, 'unknown')).toEqual(refused);
    const none = [{ alg: 'none' }, { iss: 'https://bank.example', aud: 'the-client', exp: NOW + 600, ...code }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    expect(await come('response', async () => ({ response: `${none}.` }))).toEqual(refused);
    expect(await come('response', async () => code)).toEqual(refused);
  });
});

describe('an answer beside its id token', () => {
  const answer = (over: { claims?: object; values?: object } = {}) =>
    come('id_token', async (nonce) => ({
      code: 'a-code',
      state: STATE,
      id_token: await signed({ nonce, c_hash: half('a-code'), s_hash: half(STATE), ...over.claims }),
      ...over.values,
    }));

  test('of the provider to this visit is believed', async () => {
    expect(await answer()).toEqual(believed);
  });

  test.each([
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a digest of the code', { claims: { c_hash: undefined } }],
    ['without a digest of the state', { claims: { s_hash: undefined } }],
    ['with another code', { values: { code: 'stolen' } }],
    ['with another state', { values: { state: 'https://pay.example/other' } }],
    ['that is no token', { values: { id_token: 'ey' } }],
  ])('%s ends no visit', async (_title, over) => {
    expect(await answer(over)).toEqual(refused);
  });
});
