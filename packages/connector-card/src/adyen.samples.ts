/** Replies and webhooks with the fields that the description lists, as far as the connector reads them. */
export const authorised = {
  pspReference: '993617895204576J',
  resultCode: 'Authorised',
  merchantReference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  amount: { currency: 'USD', value: 1000 },
  additionalData: { authCode: '044925' },
};

/** Of a first payment whose card may be charged again. */
export const tokenized = {
  ...authorised,
  additionalData: {
    ...authorised.additionalData,
    'tokenization.storedPaymentMethodId': 'M5N7TQ4TG5PFWR50',
    'tokenization.shopperReference': authorised.merchantReference,
  },
};

export const refused = {
  pspReference: '993617895204577K',
  resultCode: 'Refused',
  merchantReference: authorised.merchantReference,
  refusalReason: 'Not enough balance',
  refusalReasonCode: '12',
};

export const received = {
  pspReference: '993617895204578L',
  resultCode: 'Received',
  merchantReference: authorised.merchantReference,
};

export const redirectShopper = {
  pspReference: 'JLCMPCQ8HXSKGK82',
  resultCode: 'RedirectShopper',
  action: {
    type: 'redirect',
    method: 'GET',
    paymentMethodType: 'scheme',
    url: 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect',
  },
};

/** Before the payer has been away there may be no reference. */
export const postShopper = {
  resultCode: 'RedirectShopper',
  action: { ...redirectShopper.action, method: 'POST', data: { MD: 'OEVudmZVMUlkWjd0MDNwUWs2bmhSdz09' } },
};

/** The payer confirms in an app; until then there may be no reference. */
export const awaited = { resultCode: 'Pending', action: { type: 'await' } };

export const problem = {
  status: 422,
  errorCode: '14_030',
  message: 'Return URL is missing.',
  errorType: 'validation',
  pspReference: '8816118280275544',
};
export const wrongAccount = {
  status: 403,
  errorCode: '901',
  message: 'Invalid Merchant Account',
  errorType: 'security',
  pspReference: '881611827877203B',
};
/** Neither of its texts is required. */
export const speechless = { status: 403, errorType: 'security' };

const change = {
  merchantAccount: 'ExampleShopECOM',
  paymentPspReference: authorised.pspReference,
  pspReference: '993617894906488A',
  reference: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  status: 'received',
};
/** A cancel or a reversal. */
export const accepted = change;
/** A capture or a refund. */
export const acceptedAmount = { ...change, amount: { currency: 'USD', value: 1000 } };

export const paymentMethods = { paymentMethods: [{ type: 'scheme', name: 'Cards' }] };

/** A webhook with one item. */
export const notification = (item: object) => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        amount: { currency: 'USD', value: 1000 },
        eventDate: '2026-11-21T12:00:05+01:00',
        merchantAccountCode: 'ExampleShopECOM',
        merchantReference: authorised.merchantReference,
        paymentMethod: 'visa',
        reason: '',
        success: 'true',
        ...item,
      },
    },
  ],
});

/** The notification by which Adyen's libraries test their HmacValidator. */
export const signedNotification = notification({
  amount: { currency: 'EUR', value: 1130 },
  eventCode: 'AUTHORISATION',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  pspReference: '7914073381342284',
  additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
});

const changed = { originalReference: authorised.pspReference, pspReference: change.pspReference };

/** By the event that each reports. */
export const notifications = [
  notification({
    eventCode: 'AUTHORISATION',
    pspReference: authorised.pspReference,
    additionalData: tokenized.additionalData,
  }),
  notification({ eventCode: 'CAPTURE', ...changed }),
  notification({ eventCode: 'CAPTURE_FAILED', ...changed, reason: 'Capture Failed' }),
  notification({ eventCode: 'CANCELLATION', ...changed }),
  notification({ eventCode: 'CANCEL_OR_REFUND', ...changed }),
  notification({ eventCode: 'REFUND', ...changed }),
  notification({ eventCode: 'REFUND_FAILED', ...changed, reason: 'Refund Failed' }),
  notification({ eventCode: 'REFUNDED_REVERSED', ...changed }),
  notification({ eventCode: 'CHARGEBACK', ...changed }),
  notification({ eventCode: 'CHARGEBACK_REVERSED', ...changed }),
  notification({ eventCode: 'EXPIRE', pspReference: authorised.pspReference }),
];
