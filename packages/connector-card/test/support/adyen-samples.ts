import type { ConformanceOptions, SampleCard, SampleSession } from '@railyard/conformance';
import { adyenSimulation } from '../../src/simulation.ts';
import { adyenGoldens } from '../adyen-goldens.ts';
import { authentication } from './authentication.ts';

/** Numbers of the description's examples: paid at once, and by way of a redirect. */
const visa = (number = '4111111111111111'): SampleCard => ({
  number,
  cvv: '737',
  expiryMonth: '03',
  expiryYear: '2030',
  holder: 'John Smith',
});
const known = {
  billing_address: {
    address: 'Redwood Block',
    house_number: '37C',
    city: 'New York',
    state: 'NY',
    zip: '10039',
    country: 'US',
    phone: '+15550100',
  },
};
const paid: SampleSession = { card: visa(), session: known, parameters: { descriptor: 'SHOP BOOKS' } };
const { cvv: _cvv, ...walletCard } = visa();
const device: SampleSession = {
  ...paid,
  card: walletCard,
  mid: { card_flow: 'decrypted' },
  wallet: { kind: 'applepay', panType: 'dpan' },
  authentication: { cryptogram: 'Cryptogram-of-one-payment', eci: '05' },
};
const agreement = { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'the-mandate' };
const chain = { session: { ...known, recurring_init: true }, agreement };

/** The samples with which the kit runs the adapter of Adyen. */
export const adyenOptions: ConformanceOptions = {
  simulation: adyenSimulation,
  goldens: adyenGoldens,
  settings: {
    base_url: 'https://adyen.example/v71',
    api_key: 'the-api-key-of-adyen',
    merchant_account: 'ExampleShopECOM',
    hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  },
  sessions: {
    card: {
      purchase: [
        paid,
        { ...paid, name: 'hold', session: { ...known, auth: true } },
        { ...paid, name: 'redirect', card: visa('4212345678901237') },
        { ...paid, name: 'authenticated', card: visa('4212345678901237'), authentication },
        {
          ...paid,
          name: 'co-branded',
          card: { ...visa('4035501000000008'), brand: 'cartes_bancaires', coBranded: true },
        },
        { ...paid, ...chain, name: 'chain' },
        { ...paid, name: 'saved', session: { ...known, card_on_file: true, req_token: true } },
        { ...paid, name: 'stored', card: { ...visa(), stored: true }, session: { ...known, card_on_file: true } },
        { ...paid, name: 'by-server', client: false },
        { ...paid, name: 'cart', parameters: { cart: { items: [{ name: 'Hat' }] } }, declines: 'not_supported' },
        {
          ...paid,
          name: 'cents',
          session: { ...known, order: { amount: '10.50', currency: 'IDR' } },
          declines: 'amount_not_accepted',
        },
        {
          ...paid,
          name: 'verification',
          mid: { zero_amount: 'verified' },
          session: { ...known, recurring_init: true, order: { amount: '0.00' } },
        },
      ],
    },
    'apple-pay': {
      purchase: [
        device,
        { ...device, name: 'hold', session: { ...known, auth: true } },
        { ...device, ...chain, name: 'chain' },
        { session: known, name: 'sealed', wallet: { kind: 'applepay', token: 'sealed' }, declines: 'not_supported' },
      ],
    },
    'google-pay': {
      purchase: [
        { ...paid, card: walletCard, mid: { card_flow: 'decrypted' }, wallet: { kind: 'googlepay', panType: 'fpan' } },
      ],
    },
  },
};
