import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { money } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import {
  APPLE_ROOT_CA_G3,
  type ApplePayOptions,
  merchantIdHashOf,
  openApplePayToken,
} from '../../src/wallet-tokens.ts';
import { reasonOf } from './reason.ts';
import { appleVectors, type AppleVector } from './vectors.ts';

const EVERY_BYTE = process.env['RAILYARD_SOAK'] !== undefined;

const SIGNED_AT = new Map([
  ['basis-theory-ec-new', '2023-09-13T13:49:38Z'],
  ['basis-theory-ec-old', '2023-03-20T20:46:55Z'],
  ['basis-theory-rsa', '2024-01-08T17:54:44Z'],
  ['spreedly-gala-ec', '2021-09-01T19:03:06Z'],
]);

const optionsOf = ({ id, privateKeyPem, certificatePem }: AppleVector) => ({
  keys: [{ privateKey: createPrivateKey(privateKeyPem), merchantIdHash: merchantIdHashOf(certificatePem) }],
  now: Date.parse(SIGNED_AT.get(id) ?? '') + 5000,
  amount: money('1.00', 'USD'),
});

const said = (token: unknown, options: ApplePayOptions): string => reasonOf(() => openApplePayToken(token, options));

/** Where a byte is changed: here and there, others for each token; at every byte in the long runs (`npm run test:soak`). */
function bytesOf(text: string, encoding: 'base64' | 'hex', step: number, from = 0): number[] {
  const all = Array.from(Buffer.from(text, encoding), (_byte, at) => at);
  return EVERY_BYTE ? all : all.filter((at) => at >= from && (at - from) % step === 0);
}

/** The bytes of a field with one bit changed, in the same spelling. */
function changed(text: string, at: number, encoding: 'base64' | 'hex'): string {
  const bytes = Buffer.from(text, encoding);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString(encoding);
}

it('trusts the certificate that Apple publishes as its root', () => {
  expect(new X509Certificate(APPLE_ROOT_CA_G3).fingerprint256).toBe(
    '63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79',
  );
});

describe.each(appleVectors)('the published token $id', (vector) => {
  const { token, expected } = vector;
  const { paymentData } = token;
  const options = optionsOf(vector);

  it('is verified up to Apple’s root and decrypted', () => {
    const date = expected.applicationExpirationDate;
    const { eciIndicator } = expected.paymentData;
    const opened = {
      id: paymentData.header.transactionId,
      number: expected.applicationPrimaryAccountNumber,
      expiryMonth: date.slice(2, 4),
      expiryYear: `20${date.slice(0, 2)}`,
      panType: 'dpan',
      cryptogram: expected.paymentData.onlinePaymentCryptogram,
      ...(eciIndicator !== undefined && { eci: `0${eciIndicator}` }),
    };
    expect(openApplePayToken(token, options)).toEqual(opened);
    expect(openApplePayToken(paymentData, options)).toEqual(opened);
  });

  it('is refused with a byte of its signature, data or header changed', { timeout: 600_000 }, () => {
    const reasons = new Set<string>();
    const attempt = (changedData: object) => reasons.add(said({ paymentData: changedData }, options));
    for (const [field, step, from] of [
      ['data', 40, 0],
      ['signature', 90, appleVectors.indexOf(vector) * 20],
    ] as const)
      for (const at of bytesOf(paymentData[field], 'base64', step, from))
        attempt({ ...paymentData, [field]: changed(paymentData[field], at, 'base64') });
    for (const [name, text] of Object.entries(paymentData.header)) {
      const encoding = name === 'transactionId' ? 'hex' : 'base64';
      for (const at of bytesOf(text, encoding, 16))
        attempt({ ...paymentData, header: { ...paymentData.header, [name]: changed(text, at, encoding) } });
    }
    expect([...reasons]).not.toContain('taken');
    expect([...reasons]).toEqual(expect.arrayContaining(['content-changed', 'signature-malformed', 'unknown-key']));
  });

  it('is refused for another key, amount or currency, and at another time', () => {
    const [key] = options.keys;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(
      [
        { ...options, keys: key === undefined ? [] : [{ ...key, privateKey }] },
        { ...options, amount: money('1.01', 'USD') },
        { ...options, amount: money('1.00', 'EUR') },
        { ...options, amount: money('100', 'JPY') },
        { ...options, now: options.now + 600_001 },
        { ...options, now: options.now - 70_000 },
        { ...options, roots: [] },
        { ...options, applicationDataHash: Buffer.alloc(32) },
      ].map((each) => said(token, each)),
    ).toEqual([
      'unknown-key',
      'other-amount',
      'other-currency',
      'other-currency',
      'signed-long-ago',
      'signed-in-future',
      'certificate-chain',
      'other-application-data',
    ]);
  });
});

// Tags and lengths in a signature that nothing signs, and that a reader of ASN.1 forgives.
it.each([
  21, 23, 49, 55, 58, 61, 178, 246, 307, 330, 365, 434, 454, 559, 901, 1058, 1160, 1316, 1440, 1598, 1806, 1912,
])('a signature with a bit changed in byte %i, which no signature covers, is refused', (at) => {
  const vector = appleVectors.find(({ id }) => id === 'basis-theory-ec-old');
  if (vector === undefined) throw new Error('The token is not there.');
  const { paymentData } = vector.token;
  const signature = changed(paymentData.signature, at, 'base64');
  expect(said({ paymentData: { ...paymentData, signature } }, optionsOf(vector))).toBe('signature-malformed');
});
