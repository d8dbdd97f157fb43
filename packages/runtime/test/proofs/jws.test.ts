import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { FlattenedSign } from 'jose';
import { describe, expect, test } from 'vitest';
import { receiveNotification } from '../../src/index.ts';
import { BODY, connectorOf, NOW, provenBy } from './support.ts';

type Verify = Parameters<typeof provenBy>[0];
type Jws = Extract<Verify, { readonly scheme: 'jws' }>;

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = ec.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const verify: Jws = {
  scheme: 'jws',
  header: 'x-jws',
  algorithms: ['ES256'],
  keys: ({ key }) => ({ k1: key }),
  claims: () => ({ iss: 'bank' }),
  timestamp: { claim: 'iat', toleranceSeconds: 60 },
};

const receive = (header: string, { declared = verify, key = pem } = {}) =>
  receiveNotification(connectorOf(provenBy(declared)), { key }, { body: BODY, headers: { 'x-jws': header } }, NOW);

const iat = NOW / 1000;
const GENUINE = { alg: 'ES256', kid: 'k1', iss: 'bank', iat, crit: ['iss', 'iat'] };
const inBase64 = (text: string) => Buffer.from(text).toString('base64url');

/** A JWS as an attacker may write one: any header, signed by the bank's key all the same. */
function written(header: unknown, payload = inBase64(BODY)): string {
  const head = inBase64(typeof header === 'string' ? header : JSON.stringify(header));
  const signature = sign('sha256', Buffer.from(`${head}.${payload}`), {
    key: ec.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${head}..${signature.toString('base64url')}`;
}

test('a JWS by jose is taken, whether its text is in Base64 or not', async () => {
  for (const b64 of [true, false]) {
    const { protected: head, signature } = await new FlattenedSign(Buffer.from(BODY))
      .setProtectedHeader({ ...GENUINE, ...(!b64 && { b64 }), crit: b64 ? ['iss', 'iat'] : ['b64', 'iss', 'iat'] })
      .sign(ec.privateKey, { crit: { iss: true, iat: true } });
    expect(receive(`${head}..${signature}`)).toMatchObject({ kind: 'events', proven: true });
  }
});

describe('a JWS is refused', () => {
  test.each([
    ['by another algorithm than may sign', { ...GENUINE, alg: 'ES384' }],
    ['by none', { ...GENUINE, alg: 'none' }],
    ['under a key that is not known', { ...GENUINE, kid: 'k2' }],
    ['under a key that every object has', { ...GENUINE, kid: 'constructor' }],
    ['without the name of its key', { ...GENUINE, kid: undefined }],
    ['of another issuer', { ...GENUINE, iss: 'another' }],
    ['of no issuer', { ...GENUINE, iss: undefined, crit: ['iat'] }],
    ['with something critical that is not known', { ...GENUINE, exp: 1, crit: ['iss', 'iat', 'exp'] }],
    ['with something critical that is absent', { ...GENUINE, crit: ['iss', 'iat', 'b64'] }],
    ['with an empty list of what is critical', { ...GENUINE, crit: [] }],
    ['with a text for the list of what is critical', { ...GENUINE, crit: 'iss' }],
    ['with b64 that is not critical', { ...GENUINE, b64: false }],
    ['with b64 that is no Boolean', { ...GENUINE, b64: 'false', crit: ['iss', 'iat', 'b64'] }],
    ['with a header that is a list', [GENUINE]],
    ['with a header that is no JSON', '{'],
  ])('%s', (_which, header) => {
    expect(receive(written(header))).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test.each([
    ['that is not detached', written(GENUINE).replace('..', `.${inBase64(BODY)}.`)],
    ['of another text', written(GENUINE, inBase64('{}'))],
    ['whose text was not encoded although it says so', written(GENUINE, BODY)],
    ['with a third part', `${written(GENUINE)}..AA`],
    ['without a signature', `${written(GENUINE).split('..')[0]}..`],
    ['cut short', written(GENUINE).slice(0, -2)],
    ['that is longer than any', `${written(GENUINE)}${'A'.repeat(20_000)}`],
    ['that is empty', ''],
  ])('%s', (_which, header) => {
    expect(receive(header)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test.each([iat - 61, iat + 61, String(iat), undefined])('signed at %s', (at) => {
    const header = { ...GENUINE, iat: at, crit: at === undefined ? ['iss'] : ['iss', 'iat'] };
    expect(receive(written(header))).toMatchObject({ kind: 'refused', why: 'stale' });
  });

  test('by an HMAC whose secret is the public key that everybody has', () => {
    const head = inBase64(JSON.stringify({ ...GENUINE, alg: 'HS256' }));
    const signature = createHmac('sha256', rsaPem)
      .update(`${head}.${inBase64(BODY)}`)
      .digest('base64url');
    const declared: Jws = { ...verify, algorithms: ['RS256'] };
    expect(receive(`${head}..${signature}`, { declared, key: rsaPem })).toMatchObject({ why: 'signature' });
  });

  test('where the setting holds no key of the algorithm, and says so', () => {
    const refused = receive(written(GENUINE), { key: rsaPem });
    expect(refused).toMatchObject({ why: 'signature', detail: 'The key in the settings is none for ES256.' });
  });
});

test('a JWS by a shared secret is taken where it is declared, and an empty secret proves nothing', () => {
  const declared: Jws = { ...verify, algorithms: ['HS256'] };
  const head = inBase64(JSON.stringify({ ...GENUINE, alg: 'HS256' }));
  const signed = (secret: string) =>
    `${head}..${createHmac('sha256', secret)
      .update(`${head}.${inBase64(BODY)}`)
      .digest('base64url')}`;
  expect(receive(signed('secret'), { declared, key: 'secret' })).toMatchObject({ kind: 'events' });
  expect(receive(signed(''), { declared, key: '' })).toMatchObject({ why: 'signature' });
});
