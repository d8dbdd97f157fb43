import { generateKeyPairSync } from 'node:crypto';

/** A pair of keys in PEM, made for the tests. */
function pair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

export const partner = pair();
export const provider = pair();

/** The settings of an account at the provider of signed deposits. */
export const depositSettings = {
  partner_ids: Object.fromEntries(
    ['EUR', 'AUD', 'USD', 'JPY', 'KWD', 'CLF'].map((currency) => [currency, `partner-${currency.toLowerCase()}`]),
  ),
  private_key: partner.privateKey,
  provider_certificate: provider.publicKey,
  locale: 'hr-HR',
};
