/** Where the exchanges with the acquirer are written down. */
export const source = 'packages/connector-card/README.md, Acquirer';

export const paymentExample = {
  id: 'pay_6f1d2c',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
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
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
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
  reference: '5d3c1f0e-8a77-4a53-9f0a-1f6c7e2b9d10',
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

/** What logs may show. */
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
