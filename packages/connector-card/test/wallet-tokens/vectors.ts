import { readFileSync } from 'node:fs';
import * as z from 'zod';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const appleCases = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      token: z.object({
        paymentData: z.object({
          version: z.string(),
          data: z.string(),
          signature: z.string(),
          header: z.record(z.string(), z.string()),
        }),
      }),
      certificatePem: z.string(),
      privateKeyPem: z.string(),
      expected: z.object({
        applicationPrimaryAccountNumber: z.string(),
        applicationExpirationDate: z.string(),
        currencyCode: z.string(),
        transactionAmount: z.int(),
        paymentData: z.object({ onlinePaymentCryptogram: z.string(), eciIndicator: z.string().optional() }),
      }),
    }),
  ),
});

export type AppleVector = z.output<typeof appleCases>['cases'][number];
export type AppleToken = AppleVector['token']['paymentData'];

/** Published tokens of Apple Pay with their keys; where each is from stands in the file. */
export const appleVectors = appleCases.parse(fixture('apple-pay')).cases;

const rootKeys = z.array(
  z.object({ protocolVersion: z.string(), keyValue: z.string(), keyExpiration: z.string().optional() }),
);
const googleCases = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      token: z.looseObject({ protocolVersion: z.string(), signature: z.string(), signedMessage: z.string() }),
      recipientId: z.string(),
      privateKeyPem: z.string().optional(),
      privateKeyPkcs8Base64: z.string().optional(),
      wrongPrivateKeyPkcs8Base64: z.string().optional(),
      wrongSigningKeySpkiBase64: z.string().optional(),
      expected: z.unknown().optional(),
      senderVerifyingKeys: rootKeys,
    }),
  ),
  senderTestKeys: z.looseObject({
    recipientId: z.string(),
    rootKeys,
    GOOGLE_SIGNING_EC_V1_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_INTERMEDIATE_PUBLIC_KEY_X509_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_INTERMEDIATE_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_SIGNING_ONLY_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_SIGNING_ONLY_INTERMEDIATE_PUBLIC_KEY_X509_BASE64: z.string(),
    GOOGLE_SIGNING_EC_V2_SIGNING_ONLY_INTERMEDIATE_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    MERCHANT_PRIVATE_KEY_PKCS8_BASE64: z.string(),
    MERCHANT_PUBLIC_KEY_BASE64: z.string(),
  }),
});

const google = googleCases.parse(fixture('google-pay'));

export const googleVectors = google.cases;
/** The published keys of a sender, with which tests seal tokens of their own. */
export const senderKeys = google.senderTestKeys;
