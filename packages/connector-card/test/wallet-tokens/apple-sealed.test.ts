import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { money } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import { type ApplePayOptions, applePayTokenId, openApplePayToken } from '../../src/wallet-tokens.ts';
import { sha256 } from '../../src/wallet-tokens/bytes.ts';
import { appleSealer, type Spoilt } from '../support/apple-sealer.ts';
import { reasonOf } from './reason.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const merchantId = 'merchant.example.shop';
const merchantIdHash = sha256(Buffer.from(merchantId));
const content = {
  applicationPrimaryAccountNumber: '4111111111111111',
  applicationExpirationDate: '380131',
  currencyCode: '840',
  transactionAmount: 2500,
  cardholderName: 'Ada Example',
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: '/x2gvNsADhptD1JXWRhcMAACAAA=', eciIndicator: '5' },
};
const pairs = {
  EC_v1: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RSA_v1: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const sealer = appleSealer(NOW);

const optionsFor = (privateKey: KeyObject, root = sealer.root): ApplePayOptions => ({
  keys: [{ privateKey, merchantIdHash }],
  now: NOW,
  amount: money('25.00', 'USD'),
  roots: [root],
});

describe.each(['EC_v1', 'RSA_v1'] as const)('a token of %s that was sealed just now', (version) => {
  const { publicKey, privateKey } = pairs[version];
  const seal = (spoilt: object = {}) =>
    sealer.seal({ ...content, ...spoilt }, { publicKey, merchantId }, { at: NOW, transactionId: 'AB12'.repeat(16) });

  it('is opened, under an id that does not depend on its spelling', () => {
    const token = seal();
    expect(token.paymentData.version).toBe(version);
    expect(openApplePayToken(token, optionsFor(privateKey))).toEqual({
      id: 'ab12'.repeat(16),
      number: '4111111111111111',
      expiryMonth: '01',
      expiryYear: '2038',
      holder: 'Ada Example',
      panType: 'dpan',
      cryptogram: '/x2gvNsADhptD1JXWRhcMAACAAA=',
      eci: '05',
    });
    expect(applePayTokenId(token)).toBe('ab12'.repeat(16));
  });

  it('is opened with the second of two keys', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { keys, ...rest } = optionsFor(privateKey);
    const options = { ...rest, keys: [{ privateKey: other.privateKey, merchantIdHash }, ...keys] };
    expect(openApplePayToken(seal(), options).number).toBe('4111111111111111');
  });

  it.each([
    ['no number', { applicationPrimaryAccountNumber: 'x' }, 'content-malformed'],
    ['an amount with decimals', { transactionAmount: 25.5 }, 'content-malformed'],
    ['data of EMV', { paymentDataType: 'EMV', paymentData: { emvData: 'x' } }, 'content-malformed'],
    ['no cryptogram', { paymentData: {} }, 'content-malformed'],
    ['the amount in another unit', { transactionAmount: 25 }, 'other-amount'],
    ['another currency', { currencyCode: '978' }, 'other-currency'],
  ])('is refused with %s', (_name, spoilt, reason) => {
    expect(reasonOf(() => openApplePayToken(seal(spoilt), optionsFor(privateKey)))).toBe(reason);
  });

  it('is refused in another form', () => {
    const { paymentData } = seal();
    const { signature, ...unsigned } = paymentData;
    const { transactionId, ...anonymous } = paymentData.header;
    const forms = [
      unsigned,
      { ...paymentData, header: anonymous },
      { ...paymentData, extra: 1 },
      { ...paymentData, version: 'EC_v2' },
      { ...paymentData, version: version === 'EC_v1' ? 'RSA_v1' : 'EC_v1' },
      { ...paymentData, signature: `${signature} ` },
      { ...paymentData, signature: 'AAAA' },
      { ...paymentData, header: { ...paymentData.header, transactionId: `${transactionId}0` } },
      undefined,
      'text',
    ];
    expect(forms.map((form) => reasonOf(() => openApplePayToken(form, optionsFor(privateKey))))).toEqual([
      'malformed',
      'malformed',
      'malformed',
      'unknown-version',
      'malformed',
      'malformed',
      'signature-malformed',
      'malformed',
      'malformed',
      'malformed',
    ]);
  });
});

describe('a token of EC_v1', () => {
  const { publicKey, privateKey } = pairs.EC_v1;

  it('is not decrypted for another merchant identifier', () => {
    const token = sealer.seal(content, { publicKey, merchantId: 'merchant.example.other' }, { at: NOW });
    expect(reasonOf(() => openApplePayToken(token, optionsFor(privateKey)))).toBe('not-decrypted');
  });

  it('is taken only with the application data of its request', () => {
    const applicationData = sha256(Buffer.from('order 1'));
    const token = sealer.seal(content, { publicKey, merchantId }, { at: NOW, applicationData });
    const open = (more: object) => () => openApplePayToken(token, { ...optionsFor(privateKey), ...more });
    expect([
      reasonOf(open({ applicationDataHash: applicationData })),
      reasonOf(open({ applicationDataHash: sha256(Buffer.from('order 2')) })),
      reasonOf(open({})),
    ]).toEqual(['taken', 'other-application-data', 'other-application-data']);
  });

  it('has no other id when the parts that were signed are divided in another way', () => {
    const token = sealer.seal(content, { publicKey, merchantId }, { at: NOW });
    const { transactionId = '' } = token.paymentData.header;
    const [id, applicationData] = [transactionId.slice(0, 32), transactionId.slice(32)];
    const header = { ...token.paymentData.header, transactionId: id, applicationData };
    const again = { paymentData: { ...token.paymentData, header } };
    expect(reasonOf(() => applePayTokenId(again))).toBe('malformed');
  });

  it.each<readonly [string, Spoilt, string]>([
    ['the signer is not marked', { leafMark: '1.2.3' }, 'signer-certificate'],
    ['the intermediate is not marked', { intermediateMark: '1.2.3' }, 'intermediate-certificate'],
    ['the intermediate may not issue', { intermediateIsNoCa: true }, 'certificate-chain'],
    ['the signer’s certificate has ended', { leafUntil: NOW - 1000 }, 'certificate-expired'],
    ['another key has signed', { foreignSigner: true }, 'signature-wrong'],
  ])('is refused where %s', (_name, spoilt, reason) => {
    const bad = appleSealer(NOW, spoilt);
    const token = bad.seal(content, { publicKey, merchantId }, { at: NOW });
    expect(reasonOf(() => openApplePayToken(token, optionsFor(privateKey, bad.root)))).toBe(reason);
  });

  it('is refused under a root that is not trusted, Apple’s own when none is named', () => {
    const token = sealer.seal(content, { publicKey, merchantId }, { at: NOW });
    const { roots: _roots, ...options } = optionsFor(privateKey);
    expect(reasonOf(() => openApplePayToken(token, options))).toBe('certificate-chain');
    expect(reasonOf(() => openApplePayToken(token, optionsFor(privateKey, appleSealer(NOW).root)))).toBe(
      'certificate-chain',
    );
  });
});
