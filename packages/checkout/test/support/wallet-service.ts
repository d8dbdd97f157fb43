import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { appleSealer, merchantIdentity } from '../../../connector-card/test/support/apple-sealer.ts';
import { merchantKey, rootKeysUntil, sealGooglePay } from '../../../connector-card/test/support/google-sealer.ts';
import { account, acquirerService, type AcquirerService } from './acquirer-service.ts';
import type { MerchantChange } from './card-config.ts';
import { cardBody } from './card-service.ts';
import { createPage } from './service.ts';

const HOUR = 3_600_000;
const NOW = Date.now();
const MERCHANT_ID = 'merchant.example.shop';
const sealer = appleSealer(NOW);
const processing = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const identity = merchantIdentity(NOW);

/** The processing key as the protocol's table has it: one line between the markers. */
export const processingKey = processing.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

export const appleSettings = {
  merchant_identifier: MERCHANT_ID,
  country: 'US',
  shop_name: 'Card shop',
  certificate: identity.certificate,
  private_key: identity.privateKey,
  supported_networks: ['visa', 'masterCard'],
  processing_private_key: processingKey,
  domain_association: 'whose-this-domain-is',
  root_certificates: [sealer.root],
};

export const googleSettings = {
  environment: 'TEST',
  allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  supported_networks: ['VISA', 'MASTERCARD'],
  merchant_identifier: '12345678901234567890',
  gateway: 'railyard',
  gateway_merchant_id: 'shop-1',
  private_key: merchantKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  root_keys: { keys: rootKeysUntil(NOW + 24 * HOUR) },
};

export const CRYPTOGRAM = 'Proof+of+one+payment/AACAAA=';

/** What Apple's sheet gives the page. */
export function appleToken({ number = '4111111111111111', amount = 1000, currency = '840', id = '' } = {}): string {
  const content = {
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: '380131',
    currencyCode: currency,
    transactionAmount: amount,
    cardholderName: 'Ada Example',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: CRYPTOGRAM, eciIndicator: '5' },
  };
  const sealed = sealer.seal(
    content,
    { publicKey: processing.publicKey, merchantId: MERCHANT_ID },
    { at: Date.now(), ...(id !== '' && { transactionId: id }) },
  );
  return JSON.stringify({ token: { ...sealed, transactionIdentifier: 'x', paymentMethod: { network: 'Visa' } } });
}

/** What Google's sheet gives the page. */
export function googleToken({ panOnly = false, number = '4111111111111111' } = {}): string {
  const details = panOnly
    ? { authMethod: 'PAN_ONLY' }
    : { authMethod: 'CRYPTOGRAM_3DS', cryptogram: CRYPTOGRAM, eciIndicator: '05' };
  const message = JSON.stringify({
    messageExpiration: String(Date.now() + HOUR),
    messageId: crypto.randomUUID(),
    gatewayMerchantId: 'shop-1',
    paymentMethod: 'CARD',
    paymentMethodDetails: { pan: number, expirationMonth: 1, expirationYear: 2038, ...details },
  });
  const token = sealGooglePay(message, {
    version: 'ECv2',
    recipientId: 'gateway:railyard',
    intermediateUntil: Date.now() + HOUR,
    to: createPublicKey(merchantKey),
  });
  const tokenizationData = { type: 'PAYMENT_GATEWAY', token: JSON.stringify(token) };
  return JSON.stringify({ apiVersion: 2, paymentMethodData: { type: 'CARD', tokenizationData } });
}

const flow = (card_flow: string) => ({
  defaults: { 'apple-pay': { card_flow }, 'google-pay': { card_flow } },
});

/** A merchant with both wallets, at accounts of every kind; `google-virtual` and `google-token` are Google Pay at the two others. */
export function walletService(
  ofMerchant: MerchantChange = {},
  options: Parameters<typeof acquirerService>[2] = {},
): Promise<AcquirerService> {
  return acquirerService(
    {
      cascading: true,
      statusData: ['card'],
      methods: [
        { key: 'apple-pay', mid: ['cards', 'more-cards', 'plain'] },
        { key: 'google-pay', mid: ['cards', 'more-cards'] },
        { key: 'apple-virtual', title: 'apple-virtual', method: 'apple-pay', mid: 'plain' },
        { key: 'google-virtual', title: 'google-virtual', method: 'google-pay', mid: ['plain', 'more-cards'] },
        { key: 'google-token', title: 'google-token', method: 'google-pay', mid: ['tokens', 'more-cards'] },
      ],
      wallets: { 'apple-pay': appleSettings, 'google-pay': googleSettings },
      ...ofMerchant,
    },
    (settings) => [
      account('cards', settings, flow('decrypted')),
      account('more-cards', settings, flow('decrypted')),
      account('plain', settings, { defaults: {} }),
      account('tokens', settings, flow('token')),
    ],
    options,
  );
}

/** A payment page for a wallet, of 10.00 USD. */
export async function walletPage(
  service: Pick<AcquirerService, 'url'>,
  method: string,
  change: Readonly<Record<string, unknown>> = {},
) {
  const body = cardBody({ methods: [method], ...change });
  return { page: await createPage(service.url, body), number: body.order.number };
}

/** Sends the form as the page's script does once the wallet gave its token. */
export async function payByWallet(page: string, method: string, wallet_token: string) {
  const reply = await fetch(`${page}/pay`, {
    method: 'POST',
    body: new URLSearchParams({ method, wallet_token }),
    redirect: 'manual',
  });
  return { status: reply.status, text: await reply.text() };
}
