import type { Golden } from '@railyard/conformance';

/** Written from the official description and Paystack's own examples, apart from the connector. */
const source = 'https://github.com/PaystackOSS/openapi, 2025-10: ';
const SNIPPETS = 'https://github.com/PaystackOSS/doc-code-snippets, doc/';
const headers = { authorization: 'Bearer {settings.secret_key}' };
const ok = (data: object, message = 'Charge attempted') => ({ status: 200, body: { status: true, message, data } });
const charged = { reference: '{reference}', amount: 2500 };
const created = (currency: string, phone: string, provider: string) => ({
  method: 'POST' as const,
  path: '/charge',
  headers,
  body: { ...charged, currency, email: 'ada@example.com', mobile_money: { phone, provider } },
});
const refund = {
  id: 3_018_284,
  status: 'pending',
  amount: 2500,
  currency: 'GHS',
  merchant_note: '{modification}',
  customer_note: 'Refund for transaction {reference}',
};
const transfer = {
  reference: '{reference}',
  amount: 2500,
  currency: 'GHS',
  source: 'balance',
  reason: 'Two books',
  transfer_code: 'TRF_fiyxvgkh71e717b',
};

export const paystackGoldens: readonly Golden[] = [
  {
    endpoint: 'create-charge',
    source: `${SNIPPETS}payments/payment-methods/mobile-charge.js, mobile-airtel-mtn.js`,
    when: 'a payer of MTN confirms on the phone',
    by: { sample: 'mtn' },
    request: created('GHS', '0551234987', 'mtn'),
    reply: ok({
      reference: '{reference}',
      status: 'pay_offline',
      display_text: 'Please complete authorization process',
    }),
    outcome: {
      status: 'pending',
      providerReference: '{reference}',
      show: { kind: 'confirm-on-device', message: 'Please complete authorization process' },
    },
  },
  {
    endpoint: 'create-charge',
    source: `${SNIPPETS}payments/payment-methods/mobile-response-late.js; paystack.com/docs/api/charge: mpesa`,
    when: 'a payer of M-PESA confirms on the phone',
    by: { sample: 'mpesa' },
    request: created('KES', '254712345678', 'mpesa'),
    reply: ok({ reference: '{reference}', status: 'pending' }),
    outcome: { status: 'pending', providerReference: '{reference}' },
  },
  {
    endpoint: 'create-charge',
    source: `${SNIPPETS}payments/payment-methods/mobile-vodafone.js`,
    when: 'a payer of Vodafone makes a voucher code',
    by: { sample: 'vodafone' },
    request: created('GHS', '0201234567', 'vod'),
    reply: ok({
      reference: '{reference}',
      status: 'send_otp',
      display_text: 'Please dial *110# to generate a voucher code. Then input the voucher',
    }),
  },
  {
    endpoint: 'submit-otp',
    source: `${source}POST /charge/submit_otp, ChargeSubmitOTP`,
    when: 'a payer enters the voucher',
    by: { sample: 'vodafone' },
    request: { method: 'POST', path: '/charge/submit_otp', headers, body: { otp: '123456', reference: '{reference}' } },
    reply: ok({ ...charged, currency: 'GHS', status: 'pay_offline', display_text: 'Confirm on your phone' }),
    outcome: { status: 'pending' },
  },
  {
    endpoint: 'verify-charge',
    source: `${source}GET /transaction/verify/{reference}, VerifyResponse`,
    when: 'a charge is paid',
    by: { flow: 'status' },
    request: { method: 'GET', path: '/transaction/verify/{reference}', headers },
    reply: ok(
      { ...charged, id: 59_333, currency: 'GHS', status: 'success', gateway_response: 'Approved' },
      'Verification successful',
    ),
    outcome: { events: [{ kind: 'payment', outcome: { status: 'settled', amount: '25.00 GHS' } }] },
  },
  {
    endpoint: 'create-recipient',
    source: `${SNIPPETS}transfers/single/transfer-receipient-momo.js`,
    when: 'a wallet is named',
    by: { flow: 'credit' },
    request: {
      method: 'POST',
      path: '/transferrecipient',
      headers,
      body: {
        type: 'mobile_money',
        name: 'Ada Lovelace',
        account_number: '0551234987',
        bank_code: 'MTN',
        currency: 'GHS',
      },
    },
    reply: { status: 201, body: { status: true, message: 'Created', data: { recipient_code: 'RCP_u2tnoyjjvh95pzm' } } },
  },
  {
    endpoint: 'create-transfer',
    source: `${source}POST /transfer, TransferInitiate; ${SNIPPETS}transfers/single/initiate-transfer.js`,
    when: 'money is sent',
    by: { flow: 'credit' },
    request: {
      method: 'POST',
      path: '/transfer',
      headers,
      body: {
        source: 'balance',
        reference: '{reference}',
        amount: 2500,
        currency: 'GHS',
        recipient: 'RCP_u2tnoyjjvh95pzm',
        reason: 'Two books',
      },
    },
    reply: ok({ ...transfer, status: 'success' }, 'Transfer has been queued'),
    outcome: { status: 'settled', amount: '25.00 GHS' },
  },
  {
    endpoint: 'create-refund',
    source: `${source}POST /refund, RefundCreate`,
    when: 'a charge is given back',
    by: { flow: 'refund' },
    request: {
      method: 'POST',
      path: '/refund',
      headers,
      body: { transaction: '{reference}', amount: 2500, currency: 'GHS', merchant_note: '{modification}' },
    },
    reply: ok({ ...refund, transaction: { reference: '{reference}' } }, 'Refund has been queued for processing'),
    outcome: { status: 'pending', providerReference: '3018284' },
  },
  {
    endpoint: 'create-charge',
    source: `${SNIPPETS}payments/payment-methods/mobile-vodafone.js`,
    when: 'a payer is to enter a code',
    by: { sample: 'wrong-code' },
    request: created('GHS', '0201234567', 'vod'),
    reply: ok({ reference: '{reference}', status: 'send_otp' }),
  },
  {
    endpoint: 'submit-otp',
    source: `${source}POST /charge/submit_otp, default`,
    when: 'a payer enters a wrong code',
    by: { sample: 'wrong-code' },
    request: { method: 'POST', path: '/charge/submit_otp', headers, body: { otp: '123456', reference: '{reference}' } },
    reply: { status: 400, body: { status: false, message: 'Invalid OTP' } },
  },
  {
    endpoint: 'check-charge',
    source: `${source}GET /charge/{reference}, ChargeCheckPendingResponse`,
    when: 'a code was refused',
    by: { sample: 'wrong-code' },
    request: { method: 'GET', path: '/charge/{reference}', headers },
    reply: ok({ ...charged, currency: 'GHS', status: 'failed', gateway_response: 'Declined' }),
    outcome: { status: 'declined', kind: 'soft' },
  },
  {
    endpoint: 'create-charge',
    source: `${source}POST /charge, ChargeCreateResponse; docs-v1.paystack.com/docs/charging-from-your-backend`,
    when: 'the phone number is asked for',
    by: { sample: 'asked-for-the-phone' },
    request: created('GHS', '0271234567', 'atl'),
    reply: ok({ reference: '{reference}', status: 'send_phone' }),
  },
  {
    endpoint: 'submit-phone',
    source: `${source}POST /charge/submit_phone, ChargeSubmitPhone`,
    when: 'the phone number is asked for',
    by: { sample: 'asked-for-the-phone' },
    request: {
      method: 'POST',
      path: '/charge/submit_phone',
      headers,
      body: { phone: '0271234567', reference: '{reference}' },
    },
    reply: ok({ ...charged, currency: 'GHS', status: 'pending' }),
    outcome: { status: 'pending' },
  },
  {
    endpoint: 'verify-transfer',
    source: `${source}GET /transfer/verify/{reference}, TransferVerifyResponse; paystack.com/docs/transfers/how-transfers-work`,
    when: 'a transfer came back',
    request: { method: 'GET', path: '/transfer/verify/{reference}', headers },
    reply: ok({ ...transfer, status: 'reversed' }),
    outcome: { status: 'declined', kind: 'soft' },
  },
  {
    endpoint: 'get-refund',
    source: `${source}GET /refund/{id}, RefundFetchResponse`,
    when: 'a refund is through',
    request: { method: 'GET', path: '/refund/modification-1', headers },
    reply: ok({ ...refund, status: 'processed', transaction_reference: '{reference}' }),
    outcome: { status: 'settled', amount: '25.00 GHS' },
  },
  {
    endpoint: 'list-refunds',
    source: `${source}GET /refund, RefundListResponse`,
    when: 'the reply of a refund was lost',
    by: { flow: 'modificationStatus' },
    request: { method: 'GET', path: '/refund?perPage=100', headers },
    reply: ok([{ ...refund, transaction_reference: '{reference}' }]),
    outcome: { status: 'pending', providerReference: '3018284' },
  },
  {
    endpoint: 'list-refunds',
    source: 'https://paystack.com/docs/api/refund, List Refunds: transaction',
    when: 'a part of a charge was given back in the dashboard',
    by: { flow: 'status' },
    request: { method: 'GET', path: '/refund?perPage=100&transaction=59333', headers },
    reply: ok([
      { ...refund, status: 'processed', amount: 500, merchant_note: 'Damaged', transaction_reference: '{reference}' },
      { ...refund, id: 1, transaction_reference: 'of-another-charge' },
    ]),
    outcome: {
      events: [
        { kind: 'payment', outcome: { status: 'settled' } },
        { kind: 'refund', outcome: { status: 'settled', providerReference: '3018284', amount: '5.00 GHS' } },
      ],
    },
  },
];
