import { createRegistry, type Profile } from '@railyard/core/registry';
import { answersOf } from '../../../core/test/support/answers.ts';
import { sessionWith } from '../../../core/test/support/session-of.ts';
import { hostedPaymentId, payLater, payLaterBasket } from '../../src/methods.ts';

export const registry = createRegistry([hostedPaymentId, payLater, payLaterBasket]);
export const today = '2026-11-21';

/** A session request in rupiah; `more` overrides its fields. */
export const sessionOf = sessionWith(
  { amount: '10.00', currency: 'IDR', description: 'Two books' },
  { customer: { name: 'Siti Rahma', email: 'siti@example.com' }, billing_address: { country: 'ID' } },
);

/** Every problem as `path: text`; the warnings where there is none. */
export const answer = answersOf(registry, today);

/** Parameters that each method takes. */
export const BUYER = { category: 'Books', buyer_registered_since: '2020-01-31T12:00:00Z' };
export const BASKET = {
  product_amount: '8.50',
  shipping_amount: '1.00',
  tax_amount: '0.50',
  product_reference_id: 'ref-1',
  product_type: 'physical',
  product_sku: 'BK-2',
};

/** The account of a merchant at a sub-provider, as the merchant's own validation knows it. */
export const accountOf = (sub_provider: string): Profile => ({
  methods: {
    'hosted-payment-id': { method: 'hosted-payment-id', supplied: ['sub_provider'], values: { sub_provider } },
  },
});
