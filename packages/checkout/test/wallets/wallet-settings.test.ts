import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { acquirerConnector } from '@railyard/connector-card';
import { applePayWallet, GOOGLE_TEST_ROOT_KEYS, googlePayWallet } from '@railyard/connector-card/wallet-tokens';
import { expect, test } from 'vitest';
import { merchantIdentity } from '../../../connector-card/test/support/apple-sealer.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { secretsOf } from '../../src/deployment/secrets.ts';
import { splitSecrets } from '../../src/deployment/secrets.ts';
import { walletWarnings } from '../../src/merchants/directory.ts';
import { ConfigError } from '../../src/deployment/catalogue.ts';
import type { CheckoutConfig } from '../../src/index.ts';
import { appleSettings, googleSettings, processingKey } from '../support/wallet-service.ts';

function configWith(
  wallets: Record<string, Record<string, unknown>>,
  methods = ['apple-pay', 'google-pay'],
): CheckoutConfig {
  return {
    publicUrl: 'https://pay.example',
    connectors: [acquirerConnector],
    wallets: [applePayWallet, googlePayWallet],
    mids: [
      {
        id: 'cards',
        connector: 'card-acquirer',
        settings: {
          base_url: 'https://acquirer.example',
          api_key: 'k',
          webhook_secret: 'secret-of-sixteen-letters',
        },
      },
    ],
    merchants: [
      {
        key: '11111111-2222-4333-8444-555555555555',
        name: 'Shop',
        password: 'password-of-the-shop',
        methods: methods.map((key) => ({ key, mid: 'cards' })),
        wallets,
      },
    ],
  };
}

const both = { 'apple-pay': appleSettings, 'google-pay': googleSettings };

const pem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'pkcs8' }));
const rsaKey = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const otherCurve = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);

/** What is wrong with the settings of one wallet beside those of the other. */
function problems(method: keyof typeof both, change: Record<string, unknown>): readonly string[] {
  try {
    createDirectory(parseConfig(configWith({ ...both, [method]: { ...both[method], ...change } })));
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('the settings of the protocol’s table are taken, keys as PEM, as one line, or several', () => {
  expect(problems('apple-pay', {})).toEqual([]);
  expect(problems('apple-pay', { processing_private_key: [processingKey, appleSettings.private_key] })).toEqual([]);
  expect(problems('google-pay', { private_key: undefined })).toEqual([]);
  expect(problems('google-pay', { gateway: undefined, gateway_merchant_id: undefined })).toEqual([]);
});

test.each([
  [
    'apple-pay',
    { private_key: merchantIdentity(Date.now()).privateKey },
    'private_key: It does not belong to the certificate.',
  ],
  [
    'apple-pay',
    { private_key: 'secret-nonsense' },
    'private_key: This is no private key: give PEM, or the one line between its markers.',
  ],
  ['apple-pay', { certificate: 'nonsense' }, 'certificate: This is no certificate: give PEM.'],
  ['apple-pay', { country: 'USA' }, 'country: Use two capital letters.'],
  [
    'google-pay',
    { environment: 'PRODUCTION', root_keys: undefined },
    'root_keys: Tokens of PRODUCTION are verified with them: give Google’s keys.json.',
  ],
  [
    'apple-pay',
    { certificate: `${appleSettings.certificate}${appleSettings.private_key}` },
    'certificate: There is a private key in it: give the certificate alone.',
  ],
  ['apple-pay', { private_key: rsaKey }, 'private_key: It does not belong to the certificate.'],
  ['apple-pay', { root_certificates: ['nonsense'] }, 'root_certificates.0: This is no certificate: give PEM.'],
  [
    'apple-pay',
    { merchant_capabilities: ['supports3DS', 'supportsEMV'] },
    'merchant_capabilities: Tokens of EMV are not opened here: leave out supportsEMV, or processing_private_key.',
  ],
  [
    'apple-pay',
    { processing_private_key: otherCurve },
    'processing_private_key: Tokens are sealed for keys of P-256 or RSA: this key is of another kind.',
  ],
  [
    'google-pay',
    { private_key: [googleSettings.private_key, rsaKey] },
    'private_key.1: Tokens are sealed for keys of P-256: this key is of another kind.',
  ],
  [
    'google-pay',
    { root_keys: { keys: [{ protocolVersion: 'ECv2', keyValue: 'nonsense' }] } },
    'root_keys.keys.0.keyValue: This is no public key: give the text as Google has it.',
  ],
  [
    'google-pay',
    { environment: 'PRODUCTION', root_keys: { keys: GOOGLE_TEST_ROOT_KEYS } },
    'root_keys: A key of TEST is among them: it must not open tokens of PRODUCTION.',
  ],
  ['google-pay', { gateway_merchant_id: undefined }, 'gateway_merchant_id: Give it beside gateway.'],
  [
    'google-pay',
    { private_key: 'secret-nonsense' },
    'private_key: This is no private key: give PEM, or the one line between its markers.',
  ],
] as const)('%s with %o is refused at the start: %s', (method, change, message) => {
  const found = problems(method, change);
  expect(found).toContain(`merchants.0.wallets.${method}.${message}`);
  expect(found.join()).not.toContain('secret-nonsense');
});

test('a wallet’s method without its settings, and settings of a wallet that is not installed, are refused at the start', () => {
  const { wallets: _wallets, ...without } = configWith({});
  expect(() => createDirectory(parseConfig(configWith({})))).toThrow('wallets.apple-pay: the method is offered');
  expect(() => createDirectory(parseConfig({ ...without, merchants: configWith(both).merchants ?? [] }))).toThrow(
    'wallets.apple-pay: no such wallet is installed.',
  );
});

test('keys are secrets: left out of the log and of the readable part of what is stored', () => {
  const config = parseConfig(configWith(both));
  const secrets = secretsOf(config);
  expect(secrets).toEqual(
    expect.arrayContaining([appleSettings.private_key, processingKey, googleSettings.private_key]),
  );
  expect(secrets).not.toContain('US');
  const { given } = config;
  const { open, secret } = splitSecrets(
    { mids: [], merchants: [], ...given, retired: { mids: [], merchants: [] } },
    config.connectors,
  );
  for (const key of [processingKey, googleSettings.private_key]) {
    expect(open).not.toContain(key);
    expect(secret).toContain(key);
  }
});

test('a certificate that ends soon is warned of', () => {
  const directory = createDirectory(parseConfig(configWith(both)));
  const year = 365 * 86_400_000;
  expect(walletWarnings(directory, Date.now())).toEqual([]);
  expect(walletWarnings(directory, Date.now() + year)).toEqual([
    { merchant: 'Shop', method: 'apple-pay', why: expect.stringContaining('The certificate is valid until 20') },
  ]);
});
