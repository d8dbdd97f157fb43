/** A session as a merchant sends it. */
export const session = ({ parameters = {}, amount = '10.00' }: { parameters?: object; amount?: string } = {}) => ({
  merchant_key: '11111111-2222-4333-8444-555555555555',
  operation: 'purchase',
  methods: ['example-method'],
  order: { number: 'order-1', amount, currency: 'EUR', description: 'Two books' },
  success_url: 'https://shop.example/done',
  cancel_url: 'https://shop.example/cancel',
  parameters,
  hash: 'f'.repeat(40),
});
