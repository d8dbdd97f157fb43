export type Parameters = Readonly<Record<string, unknown>>;

/** Makes session requests with this order, and with these fields unless they are overridden. The signature is none. */
export const sessionWith =
  (order: { readonly amount: string; readonly currency: string; readonly description: string }, fields: object = {}) =>
  (key: string, parameters: Parameters, more: object = {}) => ({
    merchant_key: '11111111-2222-4333-8444-555555555555',
    operation: 'purchase',
    methods: [key],
    order: { number: 'order-1', ...order },
    success_url: 'https://shop.example/done',
    cancel_url: 'https://shop.example/cancel',
    parameters: { [key]: parameters },
    hash: 'a'.repeat(40),
    ...fields,
    ...more,
  });
