import { signSession } from '@railyard/core/protocol';

/** The merchant and the day of all benchmarks. */
export const merchant = { key: '11111111-2222-4333-8444-555555555555', password: 'bench-password-only' };
/** With its test key: the clock of what is begun with it can be moved. */
export const testMerchant = { key: '99999999-2222-4333-8444-555555555555', password: 'bench-password-of-tests' };
export const today = '2026-11-21';

/** Values that the MID supplies for Pix. */
export const midDefaults = { source_account_number: '123456', branch_identifier: '0001' };

/** A Pix session as shops send it: 800 to 900 bytes. */
export function typicalSession(number: string, change: Readonly<Record<string, unknown>> = {}, amount = '10.00') {
  const order = { number, amount, currency: 'BRL', description: 'Important gift' };
  return {
    merchant_key: merchant.key,
    operation: 'purchase',
    methods: ['pix'],
    session_expiry: 60,
    success_url: 'https://shop.example/success?a=1',
    cancel_url: 'https://shop.example/cancel',
    expiry_url: 'https://shop.example/expiry',
    order,
    customer: { name: 'Maria Silva', email: 'maria@example.com', birth_date: '1990-02-03' },
    billing_address: {
      country: 'BR',
      city: 'Sao Paulo',
      address: 'Avenida Paulista 1000',
      zip: '01310-100',
      phone: '+5511987654321',
    },
    parameters: { pix: { debtor_document: '52998224725', debtor_name: 'Maria Silva', type_fine: 'NONE' } },
    custom_data: { cart: 'a-123' },
    hash: signSession(order, merchant.password),
    ...change,
  };
}
