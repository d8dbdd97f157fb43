import type { Origin } from '@railyard/conformance/official';

/** A description, the operations that an adapter uses, and the file that holds the facts of both. */
export interface Used extends Origin {
  /** File name of the description. */
  readonly file: string;
  readonly operations: readonly string[];
  readonly facts: string;
}

/** A schema of BTCPay Server that is a part of others and forbids what they add. */
const openPart = (schema: string) => ({
  at: `${schema}/additionalProperties`,
  is: false,
  should: undefined,
  why: 'The schema is one of several in allOf and forbids the fields of the others, so that nothing fits them all.',
});

const PAYSTACK_CURRENCY = {
  at: '#/components/schemas/ChargeCreate/properties/currency',
  is: undefined,
  should: { $ref: '#/components/schemas/Currency' },
  why: 'The page on payment channels sends the currency of a charge, which the description leaves out.',
};

const PAYSTACK_REFUNDS = {
  at: '#/paths/~1refund/parameters',
  is: undefined,
  should: [{ name: 'transaction', in: 'query', schema: { type: 'string' } }],
  why: 'The reference of the API (paystack.com/docs/api/refund) lists the refunds of one transaction by its id, which the description leaves out.',
};

const VIPPS = [
  {
    at: '#/components/schemas/PaymentEvent/required',
    is: ['reference', 'pspReference', 'paymentAction', 'amount', 'timestamp', 'success'],
    should: ['reference', 'pspReference', 'name', 'amount', 'timestamp', 'success'],
    why: 'The schema requires paymentAction, which it does not have: its field is called name, as in the examples of the guide (operations/get-event-log).',
  },
  {
    at: '#/components/schemas/CreatePaymentRequest/properties/receipt',
    is: {
      $ref: 'https://raw.githubusercontent.com/vippsas/vipps-order-management-api/2.3.24/docs/swagger.yaml#/components/schemas/Receipt',
    },
    should: undefined,
    why: 'The schema of a receipt stands in the description of another API, and no request has one.',
  },
];

const GOVUK_PAY = [
  {
    at: '#/paths/~1v1~1payments~1{paymentId}~1refunds/post/responses/202/content',
    is: undefined,
    should: { 'application/json': { schema: { $ref: '#/components/schemas/Refund' } } },
    why: 'The reference of the API (api_reference/refund_payment_reference) shows the refund in the reply, and 202 is the status of one that is accepted.',
  },
  {
    at: '#/paths/~1v1~1payments~1{paymentId}~1refunds/post/responses/412/content',
    is: undefined,
    should: { 'application/json': { schema: { $ref: '#/components/schemas/RequestError' } } },
    why: 'A refusal with 412 has the code P0604 (api_reference/#gov-uk-pay-api-error-codes).',
  },
];

/** Both descriptions of the API have them. */
const GSMA = [
  'POST /transactions/type/{transactionType}',
  'GET /transactions/{transactionReference}',
  'POST /transactions/{transactionReference}/reversals',
  'GET /requeststates/{serverCorrelationId}',
  'GET /responses/{clientCorrelationId}',
  'GET /accounts/{identifierType}/{identifier}/transactions',
  'PUT transactionsSuccessEvent',
  'PUT transactionsFailureEvent',
  'PUT reversalsSuccessEvent',
  'PUT reversalsFailureEvent',
];

/** Every official description that an adapter is checked against. `write-facts.ts` writes the facts files from it. */
export const DESCRIPTIONS: readonly Used[] = [
  {
    file: 'bcb-pix-2.9.json',
    source: 'Banco Central do Brasil, API Pix (github.com/bacen/pix-api)',
    licence: 'Apache-2.0',
    corrections: [
      {
        at: '#/components/schemas/PessoaFisica/properties/cpf/pattern',
        is: '/^\\d{11}$/',
        should: '^\\d{11}$',
        why: 'The pattern carries the slashes of a JavaScript literal, so that no document fits it.',
      },
    ],
    operations: [
      'PUT /cob/{txid}',
      'PATCH /cob/{txid}',
      'GET /cob/{txid}',
      'GET /pix/{e2eid}',
      'PUT /pix/{e2eid}/devolucao/{id}',
      'GET /pix/{e2eid}/devolucao/{id}',
      'PUT /webhook/{chave}',
      'POST listaPix',
    ],
    facts: 'packages/connector-pix/test/official/bcb-pix.json',
  },
  {
    file: 'conekta-2.3.json',
    source: 'Conekta (github.com/conekta/openapi)',
    licence: 'MIT',
    corrections: [],
    operations: [
      'POST /orders',
      'GET /orders/{id}',
      'POST /orders/{id}/cancel',
      'POST /orders/{id}/refunds',
      'GET /charges',
    ],
    facts: 'packages/connector-voucher/test/official/conekta.json',
  },
  {
    file: 'adyen-checkout-v71.json',
    source: 'Adyen Checkout API (github.com/Adyen/adyen-openapi), v71, 2026-07',
    licence: 'MIT',
    operations: [
      'POST /payments',
      'POST /payments/details',
      'POST /payments/{paymentPspReference}/captures',
      'POST /payments/{paymentPspReference}/cancels',
      'POST /payments/{paymentPspReference}/refunds',
      'POST /payments/{paymentPspReference}/reversals',
      'POST /paymentMethods',
    ],
    facts: 'packages/connector-card/test/official/adyen-checkout.json',
  },
  {
    file: 'adyen-webhooks-v1.json',
    source: 'Adyen webhooks (github.com/Adyen/adyen-openapi), v1, 2026-07',
    licence: 'MIT',
    operations: [
      'POST /AUTHORISATION',
      'POST /CAPTURE',
      'POST /CAPTURE_FAILED',
      'POST /CANCELLATION',
      'POST /CANCEL_OR_REFUND',
      'POST /REFUND',
      'POST /REFUND_FAILED',
      'POST /REFUNDED_REVERSED',
      'POST /CHARGEBACK',
      'POST /CHARGEBACK_REVERSED',
      'POST /EXPIRE',
    ],
    facts: 'packages/connector-card/test/official/adyen-webhooks.json',
  },
  {
    file: 'govuk-pay-1.0.3.json',
    source: 'GOV.UK Pay (github.com/alphagov/pay-publicapi), 1.0.3',
    licence: 'MIT',
    corrections: GOVUK_PAY,
    operations: [
      'POST /v1/payments',
      'GET /v1/payments',
      'GET /v1/payments/{paymentId}',
      'POST /v1/payments/{paymentId}/cancel',
      'POST /v1/payments/{paymentId}/capture',
      'POST /v1/payments/{paymentId}/refunds',
      'GET /v1/payments/{paymentId}/refunds',
      'GET /v1/payments/{paymentId}/refunds/{refundId}',
      'GET /v1/disputes',
    ],
    facts: 'packages/connector-card/test/official/govuk-pay.json',
  },
  {
    file: 'gsma-mobile-money-1.2-merchant-payments.json',
    source: 'GSMA Mobile Money API (github.com/gsmainclusivetechlab)',
    licence: 'MIT',
    corrections: [],
    operations: GSMA,
    facts: 'packages/connector-mobile-money/test/official/gsma-merchant-payments.json',
  },
  {
    file: 'gsma-mobile-money-1.2-disbursements.json',
    source: 'GSMA Mobile Money API (github.com/gsmainclusivetechlab)',
    licence: 'MIT',
    corrections: [],
    operations: GSMA,
    facts: 'packages/connector-mobile-money/test/official/gsma-disbursements.json',
  },
  {
    file: 'paypal-orders-v2.json',
    source: 'PayPal Orders (github.com/paypal/paypal-rest-api-specifications), 2024-02',
    licence: 'Apache-2.0',
    corrections: [],
    operations: [
      'POST /v2/checkout/orders',
      'GET /v2/checkout/orders/{id}',
      'POST /v2/checkout/orders/{id}/authorize',
      'POST /v2/checkout/orders/{id}/capture',
    ],
    facts: 'packages/connector-wallet/test/official/paypal-orders.json',
  },
  {
    file: 'paypal-payments-v2.json',
    source: 'PayPal Payments (github.com/paypal/paypal-rest-api-specifications), 2024-02',
    licence: 'Apache-2.0',
    corrections: [],
    operations: [
      'POST /v2/payments/authorizations/{authorization_id}/capture',
      'POST /v2/payments/authorizations/{authorization_id}/void',
      'POST /v2/payments/captures/{capture_id}/refund',
    ],
    facts: 'packages/connector-wallet/test/official/paypal-payments.json',
  },
  {
    file: 'vipps-epayment-1.4.json',
    source: 'Vipps MobilePay ePayment API (github.com/vippsas/vipps-epayment-api), 1.4.1, 2024-02',
    licence: 'MIT',
    corrections: VIPPS,
    operations: [
      'POST /epayment/v1/payments',
      'GET /epayment/v1/payments/{reference}',
      'GET /epayment/v1/payments/{reference}/events',
      'POST /epayment/v1/payments/{reference}/capture',
      'POST /epayment/v1/payments/{reference}/cancel',
      'POST /epayment/v1/payments/{reference}/refund',
    ],
    facts: 'packages/connector-wallet/test/official/vipps.json',
  },
  {
    file: 'paystack.json',
    source: 'Paystack (github.com/PaystackOSS/openapi), 2025-10',
    licence: 'MIT',
    corrections: [PAYSTACK_CURRENCY],
    operations: ['POST /charge', 'POST /charge/submit_otp', 'GET /transaction/verify/{reference}'],
    facts: 'test/docs/official/paystack.json',
  },
  {
    file: 'paystack.json',
    source: 'Paystack (github.com/PaystackOSS/openapi), 2025-10',
    licence: 'MIT',
    corrections: [PAYSTACK_CURRENCY, PAYSTACK_REFUNDS],
    operations: [
      'POST /charge',
      'POST /charge/submit_otp',
      'POST /charge/submit_phone',
      'GET /charge/{reference}',
      'GET /transaction/verify/{reference}',
      'POST /transferrecipient',
      'POST /transfer',
      'GET /transfer/verify/{reference}',
      'POST /refund',
      'GET /refund',
      'GET /refund/{id}',
    ],
    facts: 'packages/connector-mobile-money/test/official/paystack.json',
  },
  {
    file: 'ob-uk-payment-initiation-4.json',
    source: 'Open Banking UK, payment initiation (github.com/OpenBankingUK/read-write-api-specs), 4.0, 2025-04',
    licence: 'open licence (openbanking.org.uk/open-licence)',
    corrections: [],
    operations: [
      'POST /domestic-payment-consents',
      'GET /domestic-payment-consents/{ConsentId}',
      'POST /domestic-payments',
      'GET /domestic-payments/{DomesticPaymentId}',
    ],
    facts: 'packages/connector-open-banking/test/official/ob-uk.json',
  },
  {
    file: 'btcpay-greenfield-v1.json',
    source: 'BTCPay Server Greenfield API (docs.btcpayserver.org/API/Greenfield/v1), 2026-07',
    licence: 'MIT',
    corrections: [
      openPart('#/components/schemas/CreateInvoiceRequest/allOf/1'),
      openPart('#/components/schemas/InvoiceData/allOf/1'),
    ],
    operations: [
      'GET /api/v1/stores/{storeId}/invoices',
      'POST /api/v1/stores/{storeId}/invoices',
      'GET /api/v1/invoices/{invoiceId}',
      'GET /api/v1/invoices/{invoiceId}/payment-methods',
      'POST /api/v1/invoices/{invoiceId}/refund',
      'POST /api/v1/invoices/{invoiceId}/status',
      'GET /api/v1/stores/{storeId}/pull-payments',
      'GET /api/v1/pull-payments/{pullPaymentId}',
      'GET /api/v1/pull-payments/{pullPaymentId}/payouts',
      'GET /api/v1/stores/{storeId}/payouts',
      'POST /api/v1/stores/{storeId}/payouts',
      'GET /api/v1/payouts/{payoutId}',
    ],
    facts: 'packages/connector-crypto/test/official/btcpay.json',
  },
  {
    file: 'btcpay-webhooks-v1.json',
    source: 'BTCPay Server webhooks (docs.btcpayserver.org/API/Greenfield/v1), 2026-07',
    licence: 'MIT',
    corrections: [openPart('#/components/schemas/WebhookEvent')],
    operations: ['POST InvoiceSettled', 'POST PayoutUpdated'],
    facts: 'packages/connector-crypto/test/official/btcpay-webhooks.json',
  },
];
