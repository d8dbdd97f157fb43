import type { ArrivedNotification } from '@railyard/core/driver';
import { base64Key, hexKey } from '@railyard/core/proofs';
import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { receiveNotification } from '../../src/index.ts';
import { BODY, connectorOf, NOW, provenBy, type Settings } from './support.ts';

type Verify = Parameters<typeof provenBy>[0];
type Signature = Extract<Verify, { readonly scheme: 'hmac' | 'rsa' | 'ecdsa' | 'ed25519' }>;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const der = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const text = Buffer.from(BODY);

const header = 'x-sign';
const key = ({ key: own }: Settings) => own;
const receive = (verify: Verify, raw: ArrivedNotification, setting: string) =>
  receiveNotification(connectorOf(provenBy(verify)), { key: setting, base_url: '' }, raw, NOW);

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const raw64 = ed.publicKey.export({ format: 'jwk' }).x ?? '';

const kinds: readonly (readonly [name: string, verify: Signature, signature: Buffer, setting: string])[] = [
  [
    'HMAC-SHA-1',
    { scheme: 'hmac', algorithm: 'sha1', header, encoding: 'base64', key },
    createHmac('sha1', 'k').update(text).digest(),
    'k',
  ],
  [
    'HMAC-SHA-512 with a key in Base64',
    { scheme: 'hmac', algorithm: 'sha512', header, encoding: 'base64url', key: (own) => base64Key(own.key) },
    createHmac('sha512', Buffer.from([0, 255, 7]))
      .update(text)
      .digest(),
    'AP8H',
  ],
  [
    'HMAC-SHA-256 with a key in hexadecimal',
    { scheme: 'hmac', algorithm: 'sha256', header, encoding: 'hex', key: (own) => hexKey(own.key) },
    createHmac('sha256', Buffer.from([0, 255, 7]))
      .update(text)
      .digest(),
    '00Ff07',
  ],
  [
    'RSA PKCS #1',
    { scheme: 'rsa', algorithm: 'sha512', header, encoding: 'hex', key },
    sign('sha512', text, rsa.privateKey),
    pem(rsa.publicKey),
  ],
  [
    'RSA PSS',
    { scheme: 'rsa', algorithm: 'sha256', padding: 'pss', header, encoding: 'base64url', key },
    sign('sha256', text, { key: rsa.privateKey, ...pss }),
    pem(rsa.publicKey),
  ],
  [
    'ECDSA in DER',
    { scheme: 'ecdsa', algorithm: 'sha256', format: 'der', header, encoding: 'base64', key },
    sign('sha256', text, ec.privateKey),
    pem(ec.publicKey),
  ],
  [
    'ECDSA as two numbers',
    { scheme: 'ecdsa', algorithm: 'sha256', format: 'raw', header, encoding: 'base64', key },
    sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
    pem(ec.publicKey),
  ],
  [
    'Ed25519',
    { scheme: 'ed25519', header, encoding: 'base64', key },
    sign(undefined, text, ed.privateKey),
    pem(ed.publicKey),
  ],
  [
    'Ed25519 with a bare key',
    { scheme: 'ed25519', header, encoding: 'hex', key: (own) => base64Key(own.key) },
    sign(undefined, text, ed.privateKey),
    raw64,
  ],
  [
    'ECDSA with a key in DER',
    { scheme: 'ecdsa', algorithm: 'sha256', format: 'der', header, encoding: 'hex', key: (own) => base64Key(own.key) },
    sign('sha256', text, ec.privateKey),
    der(ec.publicKey).toString('base64'),
  ],
];

describe.each(kinds)('%s', (_name, verify, signature, setting) => {
  const written = signature.toString(verify.encoding);
  const given = (value: string, body = BODY) => receive(verify, { body, headers: { [header]: value } }, setting);

  test('is taken', () => {
    expect(given(written)).toMatchObject({ kind: 'events', proven: true });
  });

  test.each([
    ['of another body', written, `${BODY} `],
    ['with another letter', `${written.startsWith('a') ? 'b' : 'a'}${written.slice(1)}`, BODY],
    ['cut short', written.slice(0, -4), BODY],
    ['with a blank within', `${written.slice(0, 8)} ${written.slice(8)}`, BODY],
    ['in another encoding', signature.toString(verify.encoding === 'hex' ? 'base64' : 'hex'), BODY],
    ['that is no encoding at all', '!!', BODY],
  ])('is refused %s', (_which, value, body) => {
    expect(given(value, body)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test.each([
    ['is empty', ''],
    ['is no key', '-----BEGIN PUBLIC KEY-----\nnot a key of anybody\n-----END PUBLIC KEY-----'],
    ['is of another kind', pem(other.publicKey)],
    ['is a private key', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('refuses with a reason where the setting %s, and repeats nothing of it', (_what, wrong) => {
    const refused = receive(verify, { body: BODY, headers: { [header]: written } }, wrong);
    expect(refused).toMatchObject({ kind: 'refused', why: 'signature' });
    expect(JSON.stringify(refused)).not.toMatch(/not a key|PRIVATE|BEGIN/);
  });
});

test('a genuine signature by a key on another curve than P-256 is refused', () => {
  const verify: Verify = { scheme: 'ecdsa', algorithm: 'sha256', format: 'der', header, encoding: 'hex', key };
  const signature = sign('sha256', text, other.privateKey).toString('hex');
  expect(receive(verify, { body: BODY, headers: { [header]: signature } }, pem(other.publicKey))).toMatchObject({
    why: 'signature',
    detail: 'The settings have no key for ecdsa.',
  });
});

describe('several keys', () => {
  const two: Verify = { scheme: 'ed25519', header, encoding: 'hex', key: (own) => own.key.split('|') };
  const signature = sign(undefined, text, ed.privateKey).toString('hex');
  const next = generateKeyPairSync('ed25519');

  test('of which one cannot be read leave the other', () => {
    const keys = `no key|${pem(next.publicKey)}|${pem(ed.publicKey)}`;
    expect(receive(two, { body: BODY, headers: { [header]: signature } }, keys)).toMatchObject({ kind: 'events' });
  });

  test('none of which signed refuse', () => {
    const keys = `no key|${pem(next.publicKey)}`;
    expect(receive(two, { body: BODY, headers: { [header]: signature } }, keys)).toMatchObject({ why: 'signature' });
  });
});

test('a signature in a field of a form is checked over the other fields', () => {
  const verify: Verify = {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    field: 'sign',
    key,
    over: ({ body }) => body.replace(/&sign=[^&]*$/, ''),
  };
  const connector = connectorOf({ ...provenBy(verify), codec: 'form' });
  const fields = 'id=e1&charge=c1&paid=5.00';
  const signed = (over: string) => `${fields}&sign=${createHmac('sha256', 'k').update(over).digest('hex')}`;
  const given = (body: string) => receiveNotification(connector, { key: 'k' }, { body, headers: {} }, NOW);
  expect(given(signed(fields))).toMatchObject({ kind: 'events' });
  expect(given(signed(`${fields}0`))).toMatchObject({ why: 'signature' });
  expect(given(fields)).toMatchObject({ why: 'signature' });
});

test('every item of a list must be proven, and an empty list proves nothing', () => {
  const verify: Verify = {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    each: 'items.*',
    field: 'sign',
    key,
    over: (_raw, { item }) => JSON.stringify(item).replace(/,"sign":"[^"]*"/, ''),
  };
  const item = { id: 1 };
  const sign = createHmac('sha256', 'k').update(JSON.stringify(item)).digest('hex');
  const given = (items: unknown) =>
    receive(verify, { body: JSON.stringify({ id: 'e1', charge: 'c1', paid: '5.00', items }), headers: {} }, 'k');
  expect(
    given([
      { ...item, sign },
      { ...item, sign },
    ]),
  ).toMatchObject({ kind: 'events' });
  for (const items of [
    [{ ...item, sign }, { ...item }],
    [
      { ...item, sign },
      { id: 2, sign },
    ],
    [],
    'none',
    { a: { ...item, sign } },
  ])
    expect(given(items)).toMatchObject({ kind: 'refused', why: 'signature' });
});

test('a function of the declaration that throws refuses, and its error is not repeated', () => {
  const verify: Verify = {
    scheme: 'hmac',
    algorithm: 'sha256',
    header,
    encoding: 'hex',
    key,
    over: ({ body }) => {
      throw new Error(`no such field in ${body}`);
    },
  };
  const refused = receive(verify, { body: BODY, headers: { [header]: '00' } }, 'k');
  expect(refused).toMatchObject({ why: 'signature' });
  expect(JSON.stringify(refused)).not.toContain('evt_1');
});
