import type { X509Certificate } from 'node:crypto';
import { type DigitalWallet, field, type MerchantValidation } from '@railyard/core';
import * as z from 'zod';
import { applePayTokenId, openApplePayToken } from './apple-pay.ts';
import { APPLE_ROOT_CA_G3 } from './apple-root.ts';
import { sha256 } from './bytes.ts';
import { isP256, isRsa, readPrivateKey } from './private-key.ts';
import { parsedToken, reading } from './read-token.ts';
import { certificate, certificateText, privateKey, privateKeys, readCertificatePem } from './setting-fields.ts';

const NETWORKS = ['visa', 'masterCard', 'amex', 'discover', 'jcb', 'maestro', 'electron', 'elo', 'mir'] as const;
const CAPABILITIES = ['supports3DS', 'supportsEMV', 'supportsCredit', 'supportsDebit'] as const;

/** Wallet A of the protocol's table of settings (Digital wallet methods). */
const settings = z.strictObject({
  merchant_identifier: field(z.string().min(1), { label: 'Merchant Identifier', example: 'merchant.example.shop' }),
  country: field(z.string().regex(/^[A-Z]{2}$/, 'Use two capital letters.'), { label: 'Country' }),
  shop_name: field(z.string().min(1).max(64), { label: 'Shop Name' }),
  certificate: certificate('Certificate of the merchant identity, PEM'),
  private_key: privateKey('Private Key of that certificate'),
  merchant_capabilities: field(z.array(z.enum(CAPABILITIES)).min(1).default(['supports3DS']), {
    label: 'Merchant Capabilities',
  }),
  supported_networks: field(z.array(z.enum(NETWORKS)).min(1), { label: 'Supported Networks' }),
  processing_private_key: privateKeys('Processing Private Key: decrypts tokens; of several, the newest first', {
    with: (key) => isP256(key) || isRsa(key),
    hint: 'Tokens are sealed for keys of P-256 or RSA: this key is of another kind.',
  }).optional(),
  domain_association: field(z.string().min(1).max(20_000), {
    label: 'Content of the domain verification file',
  }).optional(),
  root_certificates: field(z.array(certificateText()).min(1).default([APPLE_ROOT_CA_G3]), {
    label: 'Roots to trust, PEM; Apple Root CA G3 unless given',
  }),
});

type Settings = z.output<typeof settings>;
const read = (given: unknown): Settings => settings.parse(given);

/** Hosts of merchant validation (Apple: Setting up your server); every other one is refused, whatever a page says. */
const HOST = /^(?:cn-)?apple-pay-gateway(?:-[a-z0-9]+)*\.apple\.com$/;
const PATH = /^\/paymentservices\/(?:startSession|paymentSession)$/;

/** Apple Pay, for the `wallets` of a checkout service. @example startCheckout({ wallets: [applePayWallet], ... }) */
export const applePayWallet: DigitalWallet = {
  method: 'apple-pay',
  kind: 'applepay',
  settings,
  check(given) {
    const own = read(given);
    const x509 = readCertificatePem(own.certificate);
    return {
      problems: problemsOf(own, x509),
      ...(x509 && { expires: new Date(x509.validTo).toISOString() }),
    };
  },
  decrypts: (given) => read(given).processing_private_key !== undefined,
  idOf: (token) => reading(() => applePayTokenId(inner(token))),
  open: (token, given, { amount, now }) =>
    reading(() => {
      const { processing_private_key: keys = [], merchant_identifier, root_certificates: roots } = read(given);
      const merchantIdHash = sha256(Buffer.from(merchant_identifier, 'utf8'));
      const known = [keys].flat().map((key) => ({ privateKey: readPrivateKey(key), merchantIdHash }));
      return openApplePayToken(inner(token), { keys: known, now, amount, roots });
    }),
  button(given, { amount, currency }) {
    const { country, shop_name, merchant_capabilities, supported_networks } = read(given);
    return {
      script: 'https://applepay.cdn-apple.com/jsapi/v1/apple-pay-sdk.js',
      connect: [],
      frame: [],
      request: {
        countryCode: country,
        currencyCode: currency,
        merchantCapabilities: merchant_capabilities,
        supportedNetworks: supported_networks,
        total: { label: shop_name, type: 'final', amount },
      },
    };
  },
  validation(given, address, host) {
    const url = applesUrl(address);
    return url === undefined ? undefined : validationOf(read(given), url, host);
  },
  domainFile: {
    path: '/.well-known/apple-developer-merchantid-domain-association',
    text: (given) => read(given).domain_association,
  },
};

function problemsOf({ private_key, processing_private_key, merchant_capabilities }: Settings, x509?: X509Certificate) {
  const problems = [];
  if (x509?.checkPrivateKey(readPrivateKey(private_key)) !== true)
    problems.push({ path: 'private_key', message: 'It does not belong to the certificate.' });
  if (processing_private_key !== undefined && merchant_capabilities.includes('supportsEMV'))
    problems.push({
      path: 'merchant_capabilities',
      message: 'Tokens of EMV are not opened here: leave out supportsEMV, or processing_private_key.',
    });
  return problems;
}

/** A page sends the payment as its session gave it, with the token in it; a merchant's server sends the token. */
function inner(token: unknown): unknown {
  const parsed = parsedToken(token);
  const payment = z.object({ token: z.unknown() }).safeParse(parsed);
  return payment.success && payment.data.token !== undefined ? payment.data.token : parsed;
}

/** Built from the checked parts, so that no other URL parser can read the address differently. */
function applesUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(address);
  const isPlain = [port, username, password, search, hash].every((part) => part === '');
  const isKnown = protocol === 'https:' && isPlain && HOST.test(hostname) && PATH.test(pathname);
  return isKnown ? `https://${hostname}${pathname}` : undefined;
}

function validationOf(
  { merchant_identifier, shop_name, certificate: cert, private_key: key }: Settings,
  url: string,
  host: string,
): MerchantValidation {
  return {
    url,
    body: {
      merchantIdentifier: merchant_identifier,
      displayName: shop_name,
      initiative: 'web',
      initiativeContext: host,
    },
    clientCertificate: { cert, key },
  };
}
