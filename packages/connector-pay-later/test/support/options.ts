import type { ConformanceOptions } from '@railyard/conformance';
import { hostedSimulation } from '../../src/simulation.ts';
import { BASKET, BUYER } from './sessions.ts';

const session = {
  order: { currency: 'IDR' },
  customer: { name: 'Siti Rahma', email: 'siti@example.com' },
  billing_address: { country: 'ID' },
};
const product = { product_name: 'Two books', product_quantity: '2' };

/** What the kit is given to play the adapter. */
export const hostedOptions = {
  simulation: hostedSimulation,
  settings: {
    base_url: 'https://api.example',
    shop_id: 'shop-1',
    api_key: 'the-api-key',
    notification_secret: 'a-notification-secret',
  },
  sessions: {
    'hosted-payment-id': {
      purchase: [
        { name: 'any', session, parameters: product },
        { name: 'sub-provider', session, mid: { sub_provider: 'S4' }, parameters: product },
      ],
    },
    'pay-later': { purchase: { session, parameters: { ...BUYER, buyer_loyalty_level: 12 } } },
    'pay-later-basket': { purchase: { session, parameters: { ...BASKET, product_amount: 8.5, tax_amount: '0.5' } } },
  },
} satisfies ConformanceOptions;
