import type { ConformanceOptions, SampleCard, SampleSession } from '@railyard/conformance';
import { acquirerSimulation } from '../../src/simulation.ts';
import { goldens } from '../goldens.ts';
import { authentication } from './authentication.ts';

const visa = (expiryMonth: string): SampleCard => ({
  number: '4111111111111111',
  cvv: '737',
  expiryMonth,
  expiryYear: '2038',
  holder: 'Ada Example',
});
const address = {
  address: 'Main Street 1',
  house_number: '1',
  district: 'Centre',
  city: 'Springfield',
  state: 'CA',
  zip: '90001',
  country: 'US',
  phone: '+15550100',
};
const payee: SampleCard = { number: '4601541833776519', expiryMonth: '01', expiryYear: '2038', holder: 'Ada Example' };
const known = { billing_address: address, customer: { birth_date: '1990-01-31' } };
const paid: SampleSession = { card: visa('01'), session: known, parameters: { descriptor: 'SHOP BOOKS' } };
const { cvv: _cvv, ...walletCard } = visa('01');
const device: SampleSession = {
  ...paid,
  card: walletCard,
  mid: { card_flow: 'decrypted' },
  wallet: { kind: 'applepay', panType: 'dpan' },
  authentication: { cryptogram: 'Cryptogram-of-one-payment', eci: '05' },
};
const forwardedToken = { kind: 'googlepay', token: '{"signature":"of-a-sealed-token"}' } as const;
const wallet = { session: { ...known, error_url: 'https://shop.example/error' }, mid: { subdomain: 'shop' } };

/** The samples with which the kit runs the acquirer's adapter. */
export const acquirerOptions: ConformanceOptions = {
  simulation: acquirerSimulation,
  goldens,
  settings: {
    base_url: 'https://acquirer.example',
    api_key: 'the-api-key',
    webhook_secret: 'secret-of-sixteen-letters',
  },
  sessions: {
    card: {
      purchase: [
        paid,
        { ...paid, name: 'hold', session: { ...known, auth: true } },
        { ...paid, name: 'challenge', card: visa('05') },
        { ...paid, name: 'redirect', card: visa('12') },
        { ...paid, name: 'authenticated', card: visa('05'), authentication },
        { ...paid, name: 'co-branded', card: { ...visa('01'), brand: 'cartes_bancaires', coBranded: true } },
        // No test card: it does what the scenario says, and waits.
        { ...paid, name: 'waits', card: { ...visa('01'), number: '4012888888881881' } },
        { ...paid, name: 'chain', session: { ...known, recurring_init: true }, agreement: { agreement: 'agr_1' } },
        {
          ...paid,
          name: 'verification',
          mid: { zero_amount: 'verified' },
          session: { ...known, recurring_init: true, order: { amount: '0.00' } },
        },
      ],
      debit: paid,
      credit: [{ card: payee }, { name: 'to-address', card: payee, session: { payee_billing_address: address } }],
      transfer: { ...paid, payeeCard: '5555555555554444' },
    },
    'apple-pay': {
      purchase: [
        device,
        { ...device, name: 'hold', session: { ...known, auth: true } },
        { ...device, name: 'chain', session: { ...known, recurring_init: true }, agreement: { agreement: 'agr_1' } },
        { session: known, name: 'without-token', declines: 'details_missing' },
      ],
    },
    'google-pay': {
      purchase: [
        { ...paid, card: walletCard, mid: { card_flow: 'decrypted' }, wallet: { kind: 'googlepay', panType: 'fpan' } },
        { session: known, name: 'virtual', parameters: { descriptor: 'SHOP BOOKS' }, wallet: forwardedToken },
      ],
    },
    'card-redirect': {
      purchase: [wallet, { ...wallet, name: 'card-flow', mid: { flow: 'card' }, card: visa('12') }],
    },
    'card-redirect-alt': { purchase: wallet },
  },
};
