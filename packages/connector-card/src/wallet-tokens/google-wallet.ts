import { createPublicKey } from 'node:crypto';
import { type DigitalWallet, field } from '@railyard/core';
import * as z from 'zod';
import { GOOGLE_TEST_ROOT_KEYS, googleRootKeys } from './google-keys.ts';
import { googlePayTokenId, openGooglePayToken } from './google-pay.ts';
import { isP256, readPrivateKey } from './private-key.ts';
import { parsedToken, reading } from './read-token.ts';
import { privateKeys } from './setting-fields.ts';

/** Wallet B of the protocol's table of settings (Digital wallet methods). */
const settings = z.strictObject({
  environment: field(z.enum(['TEST', 'PRODUCTION']), { label: 'Environment' }),
  allowed_auth_methods: field(z.array(z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS'])).min(1), { label: 'Allowed Auth Method' }),
  supported_networks: field(z.array(z.enum(['MASTERCARD', 'VISA', 'AMEX', 'DISCOVER', 'JCB'])).min(1), {
    label: 'Supported Networks',
  }),
  merchant_identifier: field(z.string().min(1), { label: 'Merchant Identifier' }),
  gateway: field(z.string().min(1), { label: 'Gateway' }).optional(),
  gateway_merchant_id: field(z.string().min(1), { label: 'Gateway Merchant ID' }).optional(),
  private_key: privateKeys('Private Key: decrypts tokens; of several, the newest first', {
    with: isP256,
    hint: 'Tokens are sealed for keys of P-256: this key is of another kind.',
  }).optional(),
  additional_parameters: field(z.record(z.string(), z.string()), {
    label: 'Include Additional Parameters to token',
  }).optional(),
  root_keys: field(googleRootKeys, { label: 'Google’s list of keys, keys.json' }).optional(),
});

type Settings = z.output<typeof settings>;
const read = (given: unknown): Settings => settings.parse(given);

/** Google Pay, for the `wallets` of a checkout service. @example startCheckout({ wallets: [googlePayWallet], ... }) */
export const googlePayWallet: DigitalWallet = {
  method: 'google-pay',
  kind: 'googlepay',
  settings,
  check: (given) => ({ problems: problemsOf(read(given)) }),
  decrypts: (given) => read(given).private_key !== undefined,
  idOf: (token) => reading(() => googlePayTokenId(inner(token))),
  open: (token, given, { now }) =>
    reading(() => {
      const own = read(given);
      return openGooglePayToken(inner(token), {
        keys: [own.private_key ?? []].flat().map(readPrivateKey),
        rootKeys: own.root_keys?.keys ?? GOOGLE_TEST_ROOT_KEYS,
        recipientId: own.gateway === undefined ? `merchant:${own.merchant_identifier}` : `gateway:${own.gateway}`,
        now,
        authMethods: own.allowed_auth_methods,
        ...(own.gateway !== undefined &&
          own.gateway_merchant_id !== undefined && { gatewayMerchantId: own.gateway_merchant_id }),
      });
    }),
  button(given, { amount, currency, merchantName }) {
    const own = read(given);
    const card = {
      type: 'CARD',
      parameters: { allowedAuthMethods: own.allowed_auth_methods, allowedCardNetworks: own.supported_networks },
    };
    return {
      script: 'https://pay.google.com/gp/p/js/pay.js',
      connect: ['https://pay.google.com', 'https://google.com', 'https://www.google.com'],
      frame: ['https://pay.google.com'],
      request: {
        environment: own.environment,
        apiVersion: 2,
        apiVersionMinor: 0,
        allowedPaymentMethods: [{ ...card, tokenizationSpecification: tokenization(own) }],
        transactionInfo: { totalPriceStatus: 'FINAL', totalPrice: amount, currencyCode: currency },
        merchantInfo: { merchantId: own.merchant_identifier, merchantName },
      },
    };
  },
};

const TEST_KEYS: ReadonlySet<string> = new Set(GOOGLE_TEST_ROOT_KEYS.map(({ keyValue }) => keyValue));

function problemsOf({ environment, private_key, root_keys, gateway, gateway_merchant_id }: Settings) {
  const problems = [];
  if (environment === 'PRODUCTION' && private_key !== undefined && root_keys === undefined)
    problems.push({
      path: 'root_keys',
      message: 'Tokens of PRODUCTION are verified with them: give Google’s keys.json.',
    });
  if (environment === 'PRODUCTION' && root_keys?.keys.some(({ keyValue }) => TEST_KEYS.has(keyValue)) === true)
    problems.push({
      path: 'root_keys',
      message: 'A key of TEST is among them: it must not open tokens of PRODUCTION.',
    });
  if (gateway !== undefined && gateway_merchant_id === undefined)
    problems.push({ path: 'gateway_merchant_id', message: 'Give it beside gateway.' });
  if (gateway === undefined && private_key === undefined)
    problems.push({
      path: 'gateway',
      message: 'Give the gateway that opens tokens, or private_key to open them here.',
    });
  return problems;
}

/** Whose key tokens are sealed for: a gateway's, or the merchant's own. */
function tokenization({ gateway, gateway_merchant_id, private_key, additional_parameters }: Settings) {
  const [newest] = [private_key ?? []].flat();
  if (gateway !== undefined)
    return {
      type: 'PAYMENT_GATEWAY',
      parameters: { ...additional_parameters, gateway, gatewayMerchantId: gateway_merchant_id },
    };
  const publicKey =
    newest === undefined
      ? undefined
      : createPublicKey(readPrivateKey(newest))
          .export({ format: 'der', type: 'spki' })
          .subarray(-65)
          .toString('base64');
  return { type: 'DIRECT', parameters: { ...additional_parameters, protocolVersion: 'ECv2', publicKey } };
}

const paymentData = z.object({
  paymentMethodData: z.object({ tokenizationData: z.object({ token: z.unknown() }) }),
});

/** A page sends the payment data that the wallet gave, with the token in it as text; a merchant's server may send the token alone. */
function inner(token: unknown): unknown {
  const parsed = parsedToken(token);
  const whole = paymentData.safeParse(parsed);
  return whole.success ? whole.data.paymentMethodData.tokenizationData.token : parsed;
}
