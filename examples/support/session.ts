/** A session request as a merchant sends it, with what an example needs on top. */
export function sessionRequest(method: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { order, ...rest } = more;
  return {
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    methods: [method],
    success_url: 'https://shop.example/thanks',
    hash: 'checked elsewhere',
    order: { number: 'order-1001', amount: '25.00', currency: 'USD', description: 'Two tickets', ...Object(order) },
    ...rest,
  };
}
