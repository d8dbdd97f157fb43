import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  GOOGLE_TEST_ROOT_KEYS,
  type GooglePayOptions,
  googlePayTokenId,
  openGooglePayMessage,
  openGooglePayToken,
} from '../../src/wallet-tokens.ts';
import { merchantKey, rootKeysUntil, sealGooglePay } from '../support/google-sealer.ts';
import { reasonOf } from './reason.ts';
import { googleVectors } from './vectors.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const HOUR = 3_600_000;
/** Every character in the long runs (`npm run test:soak`). */
const STEP = process.env['RAILYARD_SOAK'] === undefined ? 5 : 1;
const pkcs8 = (base64 = '') => createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });

describe.each(googleVectors.filter(({ privateKeyPem }) => privateKeyPem !== undefined))(
  'the published token $id',
  ({ token, privateKeyPem = '', recipientId, expected }) => {
    const before = Number(Object(expected).messageExpiration) - 60_000;
    const options = {
      keys: [createPrivateKey(privateKeyPem)],
      rootKeys: GOOGLE_TEST_ROOT_KEYS,
      recipientId,
      now: before,
    };

    it('is verified up to Google’s test root and decrypted', () => {
      expect(JSON.parse(openGooglePayMessage(token, options))).toMatchObject(Object(expected));
      const { paymentMethodDetails: details } = Object(expected);
      expect(openGooglePayToken(JSON.stringify(token), options)).toEqual({
        id: googlePayTokenId(token),
        number: details.pan,
        expiryMonth: '12',
        expiryYear: String(details.expirationYear),
        panType: 'fpan',
      });
    });

    it('is refused at another time, for another recipient, and under other root keys', () => {
      const reasons = [
        { ...options, now: before + 60_000 },
        { ...options, now: before + 30 * 24 * HOUR },
        { ...options, recipientId: 'merchant:1' },
        { ...options, rootKeys: rootKeysUntil(before + HOUR) },
        { ...options, rootKeys: rootKeysUntil(before) },
        { ...options, keys: [merchantKey] },
        { ...options, keys: [] },
      ].map((each) => reasonOf(() => openGooglePayToken(token, each)));
      expect(reasons).toEqual([
        'expired',
        'intermediate-key-expired',
        'not-signed-for-recipient',
        'intermediate-key-signature',
        'no-root-key',
        'mac-wrong',
        'unknown-key',
      ]);
    });
  },
);

it('the published token of ECv1 is opened with its key alone, and only where its sender is trusted', () => {
  const vector = googleVectors.find(({ id }) => id === 'tink-ecv1');
  const options = {
    keys: [pkcs8(vector?.privateKeyPkcs8Base64)],
    rootKeys: rootKeysUntil(NOW + HOUR),
    recipientId: vector?.recipientId ?? '',
    now: NOW,
  };
  const open = (more: Partial<GooglePayOptions>) => () => openGooglePayMessage(vector?.token, { ...options, ...more });
  const keyValue = vector?.wrongSigningKeySpkiBase64 ?? '';
  expect(open({})()).toBe('plaintext');
  expect(
    [
      { keys: [pkcs8(vector?.wrongPrivateKeyPkcs8Base64)] },
      { rootKeys: [{ protocolVersion: 'ECv1', keyValue }] },
      { recipientId: 'another' },
    ].map((more) => reasonOf(open(more))),
  ).toEqual(['mac-wrong', 'not-signed-for-recipient', 'not-signed-for-recipient']);
});

const message = (more: object = {}, details: object = {}): string =>
  JSON.stringify({
    messageExpiration: String(NOW + HOUR),
    messageId: 'AH2Ejt',
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: '4111111111111111',
      expirationMonth: 1,
      expirationYear: 2038,
      authMethod: 'CRYPTOGRAM_3DS',
      cryptogram: 'AAAAAA==',
      eciIndicator: '7',
      ...details,
    },
    ...more,
  });

describe.each(['ECv1', 'ECv2', 'ECv2SigningOnly'] as const)('a token of %s that was sealed just now', (version) => {
  const recipientId = 'gateway:railyard';
  const options: GooglePayOptions = {
    keys: [merchantKey],
    rootKeys: rootKeysUntil(NOW + HOUR),
    recipientId,
    now: NOW,
  };
  const seal = (text = message(), intermediateUntil = NOW + HOUR) =>
    sealGooglePay(text, { version, recipientId, intermediateUntil });
  const said = (token: unknown, more: Partial<GooglePayOptions> = {}) =>
    reasonOf(() => openGooglePayToken(token, { ...options, ...more }));

  it('is opened, a number of the device with its cryptogram', () => {
    expect(openGooglePayToken(seal(), options)).toMatchObject({
      number: '4111111111111111',
      expiryMonth: '01',
      expiryYear: '2038',
      panType: 'dpan',
      cryptogram: 'AAAAAA==',
      eci: '07',
    });
  });

  it('is opened, the card’s own number without a cryptogram', () => {
    const { cryptogram, eci, panType } = openGooglePayToken(
      seal(message({}, { authMethod: 'PAN_ONLY', cryptogram: undefined, eciIndicator: undefined })),
      options,
    );
    expect({ cryptogram, eci, panType }).toEqual({ cryptogram: undefined, eci: undefined, panType: 'fpan' });
  });

  it('is refused where it proves its payer in another way than the settings allow', () => {
    const own = seal(message({}, { authMethod: 'PAN_ONLY', cryptogram: undefined, eciIndicator: undefined }));
    expect([
      said(own, { authMethods: ['CRYPTOGRAM_3DS'] }),
      said(own, { authMethods: ['PAN_ONLY'] }),
      said(seal(), { authMethods: ['PAN_ONLY'] }),
    ]).toEqual(['other-auth-method', 'taken', 'other-auth-method']);
  });

  it.each([{ expirationMonth: 13 }, { expirationMonth: 0 }, { expirationYear: 38 }, { expirationYear: '038' }])(
    'is refused where its card ends at no moment: %o',
    (details) => expect(said(seal(message({}, details)))).toBe('content-malformed'),
  );

  it('is refused when it is over, for another recipient or merchant, and with what a payment cannot use', () => {
    expect([
      said(seal(), { now: NOW + HOUR - 1 }),
      said(seal(message({ messageExpiration: String(NOW) }))),
      said(seal(), { recipientId: 'gateway:other' }),
      said(seal(message({ gatewayMerchantId: 'shop-1' })), { gatewayMerchantId: 'shop-1' }),
      said(seal(message({ gatewayMerchantId: 'shop-1' })), { gatewayMerchantId: 'shop-2' }),
      said(seal(), { gatewayMerchantId: 'shop-1' }),
      said(seal('plaintext')),
      said(seal(message({}, { cryptogram: undefined }))),
      said(seal(message({}, { authMethod: 'PAN_ONLY' }))),
      said(seal(message({ paymentMethod: 'TOKEN' }))),
    ]).toEqual([
      'taken',
      'expired',
      'not-signed-for-recipient',
      'taken',
      'other-merchant',
      'other-merchant',
      'content-malformed',
      'content-malformed',
      'content-malformed',
      'content-malformed',
    ]);
  });

  it('is refused when any byte of any of its texts is changed', () => {
    const token = seal();
    const reasons = new Set<string>();
    for (const [path, text] of texts(token))
      for (let at = 0; at < text.length; at += STEP) {
        const other = text[at] === 'A' ? 'B' : 'A';
        reasons.add(said(put(token, path, `${text.slice(0, at)}${other}${text.slice(at + 1)}`)));
      }
    expect([...reasons]).not.toContain('taken');
  });

  it('is refused with a member too many, one too few, and in an unknown version', () => {
    const token = seal();
    const { signature: _signature, ...unsigned } = token;
    expect([
      said({ ...token, extra: 1 }),
      said(unsigned),
      said({ ...token, protocolVersion: 'ECv3' }),
      said('{'),
      said(undefined),
    ]).toEqual(['malformed', 'malformed', 'unknown-version', 'malformed', 'malformed']);
  });

  it('is opened with the second of two keys, and with none but its own unless it is in the clear', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(said(seal(), { keys: [other, merchantKey] })).toBe('taken');
    expect(said(seal(), { keys: [other] })).toBe(version === 'ECv2SigningOnly' ? 'taken' : 'mac-wrong');
  });

  it('needs an intermediate key that is valid and signed, where its version has one', () => {
    const late = said(seal(message(), NOW));
    expect(late).toBe(version === 'ECv1' ? 'taken' : 'intermediate-key-expired');
  });
});

/** Every text of a token with its path. */
function texts(value: unknown, path: readonly string[] = []): (readonly [readonly string[], string])[] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(Object(value)).flatMap(([name, each]) => texts(each, [...path, name]));
}

function put(token: unknown, path: readonly string[], text: string): unknown {
  const copy: unknown = structuredClone(token);
  const [last = '', ...rest] = path.toReversed();
  Reflect.set(Object(rest.toReversed().reduce<unknown>((at, name) => Reflect.get(Object(at), name), copy)), last, text);
  return copy;
}
