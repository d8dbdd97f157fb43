import { hmacValidator } from '@adyen/api-library';
import { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/models.js';
import { notificationsFor, readPath } from '@railyard/core';
import { hexKey, openBankingJws, standardWebhooks, timedSignatures } from '@railyard/core/proofs';
import { FlattenedSign, importPKCS8 } from 'jose';
import { createHash, createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { z } from 'zod';
import {
  BODY,
  connectorOf,
  paid,
  provenBy,
  type Scheme,
  settings,
  type Settings,
  shared,
  URL_OF_MID,
} from './support.ts';

const hmac = (algorithm: string, key: string | Buffer, text: string) => createHmac(algorithm, key).update(text);

function rsaKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    signs: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    setting: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

const stripe = new Stripe('sk_test_not_used');

const adyenItem = {
  pspReference: '7914073381342284',
  originalReference: '',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  amount: { value: 1130, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  success: 'true',
};

const adyenFields = z.object({
  pspReference: z.string(),
  originalReference: z.string().default(''),
  merchantAccountCode: z.string(),
  merchantReference: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  eventCode: z.string(),
  success: z.string(),
});

const adyen = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    each: 'notificationItems.*.NotificationRequestItem',
    field: 'additionalData.hmacSignature',
    key: ({ key }) => hexKey(key),
    over(_raw, { item }) {
      const { success, data } = adyenFields.safeParse(item);
      if (!success) return undefined;
      const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode } = data;
      return [pspReference, originalReference, merchantAccountCode, merchantReference]
        .concat(String(amount.value), amount.currency, eventCode, data.success)
        .join(':');
    },
  },
  codec: 'json',
  body: z.object({ notificationItems: z.array(z.object({ NotificationRequestItem: adyenFields })).min(1) }),
  events: ({ notificationItems }) =>
    notificationItems.map(({ NotificationRequestItem: { pspReference, eventCode } }) =>
      paid(`${eventCode}/${pspReference}`, pspReference, '11.30'),
    ),
});

const mercadoPago = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    separator: ',',
    prefix: 'v1=',
    encoding: 'hex',
    key: ({ key }) => key,
    // A value that is absent is left out with its name; the id is signed in lower case.
    over: ({ query, headers }, { time }) =>
      [
        ['id', query['data.id']?.toLowerCase()],
        ['request-id', headers['x-request-id']],
        ['ts', time],
      ]
        .map(([name, value]) => (value === undefined ? '' : `${name}:${value};`))
        .join(''),
    timestamp: { item: 'ts=', toleranceSeconds: 300 },
    // The body is not signed.
    confirm: 'status',
  },
  codec: 'json',
  body: z.object({ action: z.string() }),
  events: (_body, { raw: { query, headers } }) => [paid(headers['x-request-id'] ?? '', query['data.id'] ?? '', '5.00')],
});

const midtrans = notificationsFor(settings)({
  verify: {
    scheme: 'digest',
    algorithm: 'sha512',
    encoding: 'hex',
    field: 'signature_key',
    key: ({ key }) => key,
    over: (_raw, { item, settings: { key } }) =>
      ['order_id', 'status_code', 'gross_amount'].map((name) => String(readPath(item, name))).concat(key),
  },
  codec: 'json',
  body: z.object({ order_id: z.string(), status_code: z.string(), gross_amount: z.string() }),
  events: ({ order_id, status_code, gross_amount }) => [paid(`${order_id}/${status_code}`, order_id, gross_amount)],
});

const JWS = 'http://openbanking.org.uk';

async function openBanking(pem: string, at: number, text: string, unencoded: boolean): Promise<string> {
  const names = ['iat', 'iss', 'tan'].map((name) => `${JWS}/${name}`);
  const { protected: head = '', signature } = await new FlattenedSign(Buffer.from(text))
    .setProtectedHeader({
      alg: 'PS256',
      kid: 'bank-1',
      [`${JWS}/iat`]: Math.floor(at / 1000),
      [`${JWS}/iss`]: '0015800001041RHAAY',
      [`${JWS}/tan`]: 'openbanking.org.uk',
      crit: unencoded ? ['b64', ...names] : names,
      ...(unencoded && { b64: false }),
    })
    .sign(await importPKCS8(pem, 'PS256'), { crit: Object.fromEntries(names.map((name) => [name, true])) });
  return `${head}..${signature}`;
}

const openBankingScheme = (unencoded: boolean): Scheme => ({
  source: 'https://openbankinguk.github.io/knowledge-base-pub/standards/general/message-sign.html, made by jose',
  connector: connectorOf(
    provenBy(
      openBankingJws<Settings>({
        keys: ({ key }) => ({ 'bank-1': key }),
        issuer: () => '0015800001041RHAAY',
        unencoded,
      }),
    ),
  ),
  ours: rsaKeys(),
  others: rsaKeys(),
  send: async (pem, at) => ({
    body: BODY,
    headers: { 'x-jws-signature': await openBanking(pem, at, BODY, unencoded) },
  }),
  proof: { header: 'x-jws-signature' },
  timed: true,
});

/** An HMAC of the body in a header, the scheme of most providers. */
const ofBody = (source: string, header: string, algorithm: 'sha256' | 'sha512', prefix = ''): Scheme => ({
  source,
  connector: connectorOf(
    provenBy({ scheme: 'hmac', algorithm, header, prefix, encoding: 'hex', key: ({ key }) => key }),
  ),
  ours: shared('a key of ours'),
  others: shared('a key of others'),
  send: (key) => ({ body: BODY, headers: { [header]: prefix + hmac(algorithm, key, BODY).digest('hex') } }),
  proof: { header },
  timed: false,
});

/** PayPal's is asked: see paypal.test.ts. */
export const schemes: Readonly<Record<string, Scheme>> = {
  Stripe: {
    source: 'https://docs.stripe.com/webhooks/signature, made by stripe',
    connector: connectorOf(provenBy(timedSignatures({ header: 'stripe-signature', key: ({ key }: Settings) => key }))),
    ours: shared('whsec_ours'),
    others: shared('whsec_others'),
    send: (secret, at) => ({
      body: BODY,
      headers: {
        'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload: BODY, secret, timestamp: at / 1000 }),
      },
    }),
    proof: { header: 'stripe-signature' },
    timed: true,
  },
  'Standard Webhooks': {
    source: 'https://github.com/standard-webhooks/standard-webhooks, made by standardwebhooks',
    connector: connectorOf(provenBy(standardWebhooks(({ key }: Settings) => key))),
    ours: shared(`whsec_${Buffer.from('24 bytes of our own key.').toString('base64')}`),
    others: shared(`whsec_${Buffer.from('24 bytes of their own k.').toString('base64')}`),
    send: (secret, at) => ({
      body: BODY,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(at / 1000),
        'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at), BODY),
      },
    }),
    proof: { header: 'webhook-signature' },
    timed: true,
    lists: true,
  },
  Adyen: {
    source: 'https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures, made by @adyen/api-library',
    connector: connectorOf(adyen),
    ours: shared('44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'),
    others: shared('DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00'),
    send(key) {
      const signed = Object.assign(new NotificationRequestItem(), adyenItem);
      const hmacSignature = new hmacValidator().calculateHmac(signed, key);
      const item = { ...adyenItem, additionalData: { hmacSignature } };
      return {
        body: JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }),
        headers: {},
      };
    },
    proof: { field: 'notificationItems.0.NotificationRequestItem.additionalData.hmacSignature' },
    timed: false,
    covers: 'fields',
  },
  Square: {
    source: 'https://developer.squareup.com/docs/webhooks/step3validate',
    connector: connectorOf(
      provenBy({
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'x-square-hmacsha256-signature',
        encoding: 'base64',
        key: ({ key }) => key,
        over: ({ url, bytes }) => [url, bytes],
      }),
    ),
    ours: shared('a key of ours'),
    others: shared('a key of others'),
    send: (key) => ({
      url: URL_OF_MID,
      body: BODY,
      headers: { 'x-square-hmacsha256-signature': hmac('sha256', key, URL_OF_MID + BODY).digest('base64') },
    }),
    proof: { header: 'x-square-hmacsha256-signature' },
    timed: false,
  },
  'Mercado Pago': {
    // No source that could be reached says whether `ts` counts seconds or milliseconds; examples have both, and both are read.
    source: 'https://www.mercadopago.com.br/developers/en/docs/checkout-api-v2/notifications',
    connector: connectorOf(mercadoPago),
    ours: shared('a key of ours'),
    others: shared('a key of others'),
    send(key, at) {
      const signed = hmac('sha256', key, `id:123456abc;request-id:r-1;ts:${at};`).digest('hex');
      return {
        url: `${URL_OF_MID}?data.id=123456ABC&type=payment`,
        body: JSON.stringify({ action: 'payment.updated', data: { id: '123456ABC' } }),
        headers: { 'x-request-id': 'r-1', 'x-signature': `ts=${at},v1=${signed}` },
      };
    },
    proof: { header: 'x-signature' },
    timed: true,
    covers: 'nothing of the body',
  },
  'Open Banking UK from 3.1.4 on': openBankingScheme(false),
  'Open Banking UK up to 3.1.3': openBankingScheme(true),
  // Paystack's repository of code for its documentation (PaystackOSS/doc-code-snippets) has, besides, a list of a time and signatures with
  // key ids; no source that could be reached names the header of that form.
  Paystack: ofBody('https://paystack.com/docs/payments/webhooks', 'x-paystack-signature', 'sha512'),
  'Checkout.com': ofBody(
    'https://www.checkout.com/docs/developer-resources/webhooks/manage-webhooks/set-up-your-webhook-receiver',
    'cko-signature',
    'sha256',
  ),
  BTCPay: ofBody(
    'https://docs.btcpayserver.org/API/Greenfield/v1: WebhookData.secret',
    'btcpay-sig',
    'sha256',
    'sha256=',
  ),
  Xendit: {
    source: 'https://docs.xendit.co/webhook, and xendit-client 1.0 (webhook.rb)',
    connector: connectorOf(provenBy({ scheme: 'shared-secret', header: 'X-Callback-Token', value: ({ key }) => key })),
    ours: shared('a token of ours'),
    others: shared('a token of others'),
    send: (key) => ({ body: BODY, headers: { 'x-callback-token': key } }),
    proof: { header: 'x-callback-token' },
    timed: false,
    covers: 'nothing of the body',
  },
  Midtrans: {
    source: 'https://docs.midtrans.com/docs/https-notification-webhooks, Verifying Notification Authenticity',
    connector: connectorOf(midtrans),
    ours: shared('a key of ours'),
    others: shared('a key of others'),
    send(key) {
      const [order_id, status_code, gross_amount] = ['order-1', '200', '5.00'];
      const signature_key = createHash('sha512').update(`${order_id}${status_code}${gross_amount}${key}`).digest('hex');
      return { body: JSON.stringify({ order_id, status_code, gross_amount, signature_key }), headers: {} };
    },
    proof: { field: 'signature_key' },
    timed: false,
    covers: 'fields',
  },
  'Vipps MobilePay': {
    source: 'https://developer.vippsmobilepay.com/docs/APIs/webhooks-api/request-authentication',
    connector: connectorOf(
      provenBy({
        scheme: 'hmac',
        algorithm: 'sha256',
        header: 'Authorization',
        prefix: 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=',
        encoding: 'base64',
        key: ({ key }) => key,
        over: ({ url, headers, bytes }) => {
          const [, host, path] = /^https:\/\/([^/]+)(.*)$/.exec(url) ?? [];
          return [
            `POST\n${path}\n${headers['x-ms-date']};${host};`,
            { digest: 'sha256', of: bytes, encoding: 'base64' },
          ];
        },
      }),
    ),
    ours: shared('a key of ours'),
    others: shared('a key of others'),
    send(key) {
      const date = 'Thu, 30 Mar 2023 08:38:32 GMT';
      const content = createHash('sha256').update(BODY).digest('base64');
      const signature = hmac('sha256', key, `POST\n/notify/m1\n${date};pay.example;${content}`).digest('base64');
      return {
        url: URL_OF_MID,
        body: BODY,
        headers: {
          'x-ms-date': date,
          'x-ms-content-sha256': content,
          authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
        },
      };
    },
    proof: { header: 'authorization' },
    timed: false,
  },
  Wise: {
    source: 'https://docs.wise.com/guides/developer/webhooks/event-handling',
    connector: connectorOf(
      provenBy({
        scheme: 'rsa',
        algorithm: 'sha256',
        header: 'X-Signature-SHA256',
        encoding: 'base64',
        key: ({ key }) => key,
      }),
    ),
    ours: rsaKeys(),
    others: rsaKeys(),
    send: (pem) => ({
      body: BODY,
      headers: { 'x-signature-sha256': createSign('SHA256').update(BODY).sign(pem, 'base64') },
    }),
    proof: { header: 'x-signature-sha256' },
    timed: false,
  },
};
