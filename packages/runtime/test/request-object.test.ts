import { generateKeyPairSync } from 'node:crypto';
import { call, settled, visit } from '@railyard/core';
import { oauthCode, signedForOpenBanking } from '@railyard/core/proofs';
import { flattenedVerify, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { connectorOf, endpoint, five, hostOf, json, runOf } from './support/sample.ts';

const NOW = 1_795_435_200;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));

const exchangeCode = oauthCode(endpoint, {
  url: () => 'https://api.example/token.oauth2',
  client: () => ({ by: 'tls', id: 'the-client' }),
});
const pay = endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (_token: string) => ({
    json: { amount: '5.00' },
    sign: signedForOpenBanking({ key, keyId: 'kid-1', issuer: 'org/software' }),
  }),
  reply: z.object({}),
});
const connector = connectorOf(
  function* () {
    const { code } = yield* visit({
      purpose: 'approve',
      url: 'https://bank.example/authorize',
      fields: { client_id: 'the-client', scope: 'openid payments' },
      requestObject: { algorithm: 'PS256', key, keyId: 'kid-1', claims: { aud: 'https://bank.example' } },
      reference: 'consent-1',
      until: z.object({ code: z.string() }),
    });
    const answer = yield* call(exchangeCode, { code, redirectUri: 'https://pay.example/back' });
    if (answer.reply === 'granted') yield* call(pay, answer.body.access_token);
    return settled('c1', five);
  },
  [exchangeCode, pay],
);

test('a visit carries its fields signed as a request object, which lives for an hour', async () => {
  const { host } = hostOf(() => json(200, {}));
  const result = await drive(runOf(connector), { ...host, now: () => NOW * 1000 });
  if (result.kind !== 'suspended' || result.nextAction.kind !== 'visit') throw new Error(JSON.stringify(result));
  const { request, ...fields } = result.nextAction.fields;
  expect(fields).toEqual({ client_id: 'the-client', scope: 'openid payments' });
  const { payload, protectedHeader } = await jwtVerify(request ?? '', publicKey, { currentDate: new Date(NOW * 1000) });
  expect(protectedHeader).toMatchObject({ alg: 'PS256', kid: 'kid-1', typ: 'JWT' });
  expect(payload).toEqual({
    ...fields,
    aud: 'https://bank.example',
    iat: NOW,
    nbf: NOW,
    exp: NOW + 3600,
    jti: payload.nonce,
    nonce: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(JSON.stringify(result)).not.toContain('PRIVATE KEY');
});

test('the code that comes back is exchanged, and the request is signed for UK Open Banking', async () => {
  const { host, requests } = hostOf(({ url }) =>
    json(200, url.includes('token') ? { access_token: 'of-the-payer' } : {}),
  );
  const at = { ...host, now: () => NOW * 1000 };
  await drive(runOf(connector), at);
  expect(await drive(runOf(connector), at, { step: 'visit', values: { code: 'a-code' } })).toMatchObject({
    kind: 'done',
  });
  const [exchanged, paid] = requests;
  expect(exchanged?.url).toMatch(/\/token\.oauth2$/);
  expect(Object.fromEntries(new URLSearchParams(exchanged?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'a-code',
    redirect_uri: 'https://pay.example/back',
    client_id: 'the-client',
  });
  const [head = '', nothing, signature = ''] = (paid?.headers['x-jws-signature'] ?? '').split('.');
  expect(nothing).toBe('');
  const uk = 'http://openbanking.org.uk';
  const crit = { [`${uk}/iat`]: true, [`${uk}/iss`]: true, [`${uk}/tan`]: true };
  const payload = Buffer.from(paid?.body ?? '').toString('base64url');
  const { protectedHeader } = await flattenedVerify({ protected: head, payload, signature }, publicKey, { crit });
  expect(protectedHeader).toMatchObject({
    kid: 'kid-1',
    [`${uk}/iat`]: NOW,
    [`${uk}/iss`]: 'org/software',
    [`${uk}/tan`]: 'openbanking.org.uk',
    crit: Object.keys(crit),
  });
});
