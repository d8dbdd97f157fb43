export const payment = {
  id: 'pay_6f1d2c',
  status: 'APPROVED',
  amount: 2500,
  currency: 'USD',
  response_code: '00',
};

export const declined = {
  ...payment,
  status: 'DECLINED',
  response_code: '51',
  response_message: 'Not sufficient funds',
};

export const challenge = {
  id: 'pay_6f1d2c',
  status: 'CHALLENGE',
  amount: 2500,
  currency: 'USD',
  action: {
    type: 'three_d_secure',
    url: 'https://acs.example/challenge',
    fields: { creq: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjYifQ' },
  },
};

/** The payer's browser was not described: the acquirer's page describes it and authenticates the payer. */
export const ownPage = { ...challenge, action: { type: 'three_d_secure', url: 'https://acquirer.example/3ds/6f1d2c' } };

export const redirect = {
  ...challenge,
  action: { type: 'redirect', url: 'https://wallet.example/pay/6f1d2c' },
};

export const modification = {
  id: 'act_90ab17',
  payment_id: 'pay_6f1d2c',
  status: 'APPROVED',
  amount: 2500,
  currency: 'USD',
  response_code: '00',
};

export const unknown = { code: 'not_found', message: 'No such payment.' };
export const refused = {
  code: 'brand_not_supported',
  message: 'Bad Request. Brand of card does not support.',
};
export const notAllowed = { code: 'not_allowed', message: 'The payment does not allow this.' };

/** Ours, as notifications repeat it. */
const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const notified = { ...payment, reference };

export const sampleNotifications: readonly unknown[] = [
  { event_id: 'evt_2b7c', payment: notified },
  { event_id: 'evt_2b7d', payment: { ...notified, status: 'CHARGED_BACK' } },
  { event_id: 'evt_2b7e', payment: { ...notified, status: 'CHARGEBACK_WON' } },
  { event_id: 'evt_2b7f', payment: { ...notified, status: 'HOLD_EXPIRED' } },
  { event_id: 'evt_2b81', payment: notified, clearing: { arn: '74537604221222132710572', rrn: '412016904231' } },
  {
    event_id: 'evt_2b80',
    payment: { ...notified, status: 'AUTHORISED' },
    action: { ...modification, type: 'capture', status: 'DECLINED', response_code: '91' },
  },
];
