/** Where the exchanges with the acquirer are written down. */
export const source = 'packages/connector-card/README.md, Acquirer';

export const paymentExample = {
  id: 'pay_6f1d2c',
  status: 'APPROVED',
  amount: 2500,
  currency: 'USD',
  response_code: '00',
};

export const declinedExample = {
  ...paymentExample,
  status: 'DECLINED',
  response_code: '51',
  response_message: 'Not sufficient funds',
};

export const challengeExample = {
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

export const redirectExample = {
  ...challengeExample,
  action: { type: 'redirect', url: 'https://wallet.example/pay/6f1d2c' },
};

export const actionExample = {
  id: 'act_90ab17',
  payment_id: 'pay_6f1d2c',
  status: 'APPROVED',
  amount: 2500,
  currency: 'USD',
  response_code: '00',
};

export const unknownExample = { code: 'not_found', message: 'No such payment.' };
export const refusedExample = {
  code: 'brand_not_supported',
  message: 'Bad Request. Brand of card does not support.',
};
export const notAllowedExample = { code: 'not_allowed', message: 'The payment does not allow this.' };

/** The fields that logs may show. */
export const visible = [
  'id',
  'payment_id',
  'reference',
  'status',
  'amount',
  'currency',
  'response_code',
  'action.type',
  'code',
];
