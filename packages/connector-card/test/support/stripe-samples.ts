import type { ConformanceOptions, SampleCard, SampleSession } from '@railyard/conformance';
import { stripeSimulation } from '../../src/simulation.ts';
import { stripeGoldens } from '../stripe-goldens.ts';
import { authentication } from './authentication.ts';

/** Numbers of docs.stripe.com/testing: paid at once, and by way of the payer's bank. */
const visa = (number = '4242424242424242'): SampleCard => ({
  number,
  cvv: '123',
  expiryMonth: '12',
  expiryYear: '2034',
  holder: 'Jenny Rosen',
});
const known = {
  customer: { email: 'jenny@example.com' },
  billing_address: {
    address: '510 Townsend St',
    city: 'San Francisco',
    state: 'CA',
    zip: '94103',
    country: 'US',
    phone: '+15550100',
  },
};
const paid: SampleSession = { card: visa(), session: known, parameters: { descriptor: 'BOOKS' } };
const agreement = { customer: 'cus_NffrFeUfNV2Hib', payment_method: 'pm_card_visa' };

/** The samples with which the kit runs the adapter of Stripe. */
export const stripeOptions: ConformanceOptions = {
  simulation: stripeSimulation,
  goldens: stripeGoldens,
  settings: {
    base_url: 'https://stripe.example',
    secret_key: 'the-secret-key-of-stripe',
    webhook_secret: 'the-signing-secret-of-stripe',
  },
  sessions: {
    card: {
      purchase: [
        paid,
        { ...paid, name: 'hold', session: { ...known, auth: true } },
        { ...paid, name: 'redirect', card: visa('4000002760003184') },
        { ...paid, name: 'authenticated', card: visa('4000002760003184'), authentication },
        // docs.stripe.com/testing, Co-branded cards: Cartes Bancaires and Visa.
        {
          ...paid,
          name: 'co-branded',
          card: { ...visa('4000002500001001'), brand: 'cartes_bancaires', coBranded: true },
        },
        {
          ...paid,
          name: 'co-branded-authenticated',
          card: { ...visa('4000002500001001'), brand: 'cartes_bancaires', coBranded: true },
          authentication,
          declines: 'not_supported',
        },
        { ...paid, name: 'chain', session: { ...known, recurring_init: true }, agreement },
        { ...paid, name: 'cart', parameters: { cart: { items: [{ name: 'Hat' }] } }, declines: 'not_supported' },
        {
          ...paid,
          name: 'cents',
          session: { ...known, order: { amount: '10.50', currency: 'MGA' } },
          agreement,
          declines: 'amount_not_accepted',
        },
      ],
    },
  },
};
