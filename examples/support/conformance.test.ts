import { checkConformance, type ConformanceOptions, type ProviderDouble } from '@railyard/conformance';
import type { Connector } from '@railyard/core';
import { expect, test } from 'vitest';
import { bankConnector } from '../bank-beneficiary/connector.ts';
import { BankProvider } from '../bank-beneficiary/provider.ts';
import { cardConnector } from '../card-3ds/connector.ts';
import { CardProvider } from '../card-3ds/provider.ts';
import { regionalConnector } from '../country-fields/connector.ts';
import { RegionalProvider } from '../country-fields/provider.ts';
import { cryptoConnector } from '../crypto-address/connector.ts';
import { CryptoProvider } from '../crypto-address/provider.ts';
import { quickConnector } from '../one-minute-qr/connector.ts';
import { QuickProvider } from '../one-minute-qr/provider.ts';
import { voucherConnector } from '../voucher-three-steps/connector.ts';
import { VoucherProvider } from '../voucher-three-steps/provider.ts';
import { xmlConnector } from '../xml-decline/connector.ts';
import { XmlProvider } from '../xml-decline/provider.ts';

/** A provider with what its payer does: called again after a crash, it does nothing more. */
function played<P extends ProviderDouble>(provider: P, more: Pick<ProviderDouble, 'settle' | 'visit'>): P {
  return Object.assign(provider, more);
}

const card = { number: '4111111111111111', cvv: '737', expiryMonth: '12', expiryYear: '2030', holder: 'Ada Example' };

const EXAMPLES: readonly (readonly [Connector, ConformanceOptions])[] = [
  [
    voucherConnector,
    {
      settings: { base_url: 'https://voucher.example', private_key: 'private', webhook_secret: 'notify-secret' },
      provider() {
        const provider = new VoucherProvider();
        return played(provider, {
          settle: () => {
            if (!provider.ledger.some(({ effect }) => effect === 'charge')) provider.payAtCounter();
          },
        });
      },
    },
  ],
  [
    cardConnector,
    {
      settings: { base_url: 'https://card.example', api_key: 'key' },
      sessions: { card: { purchase: { card } } },
      provider() {
        const provider = new CardProvider();
        return played(provider, {
          visit({ fields }) {
            if (provider.cres === undefined) provider.authenticate(fields);
            return { cres: provider.cres ?? '' };
          },
        });
      },
    },
  ],
  [
    bankConnector,
    {
      settings: { base_url: 'https://bank.example', api_key: 'key' },
      sessions: {
        'bank-beneficiary': {
          purchase: {
            mid: { beneficiary: 'ES9121000418' },
            signals: {
              user: { values: { user: 'ada' } },
              account: { values: { account: 'acc-1' } },
              code: { values: { code: '100000' } },
              'code#2': { values: { code: '100000' } },
              'code#3': { values: { code: '100000' } },
            },
          },
        },
      },
      provider: () => new BankProvider(['pay']),
    },
  ],
  [
    cryptoConnector,
    {
      settings: { base_url: 'https://crypto.example', api_key: 'key', webhook_secret: 'a-long-enough-secret' },
      sessions: { 'crypto-deposit': { purchase: { session: { order: { currency: 'BTC', amount: undefined } } } } },
      provider() {
        const provider = new CryptoProvider();
        return played(provider, {
          settle() {
            if (provider.ledger.length === 0 || provider.deposits.length > 0) return;
            provider.deposit('tx-1', '0.00400000');
            for (let block = 0; block < 3; block += 1) provider.confirm('tx-1');
          },
        });
      },
    },
  ],
  [
    quickConnector,
    {
      settings: { base_url: 'https://quick.example', api_key: 'key' },
      provider() {
        const provider = new QuickProvider();
        return played(provider, {
          settle() {
            const isMade = provider.ledger.some(({ effect }) => effect === 'code');
            if (isMade && !provider.ledger.some(({ effect }) => effect === 'charge')) provider.pay('q-1');
          },
        });
      },
    },
  ],
  [
    regionalConnector,
    {
      settings: { base_url: 'https://bank.example', api_key: 'key' },
      sessions: {
        'regional-bank': {
          purchase: [
            { session: { billing_address: { country: 'MX' } } },
            {
              name: 'brazil',
              session: { billing_address: { country: 'BR' } },
              parameters: {},
              payer: { 'parameters.regional-bank.cpf': '52998224725' },
            },
          ],
        },
      },
      provider() {
        const provider = new RegionalProvider();
        return played(provider, {
          settle() {
            if (!provider.ledger.some(({ effect }) => effect === 'charge')) provider.pay();
          },
        });
      },
    },
  ],
  [
    xmlConnector,
    {
      settings: { base_url: 'https://xml.example', shop: 'A&B "Books"', sign_key: 'sign' },
      sessions: { 'store-account': { purchase: { parameters: { account: '12345678' } } } },
      provider: () => new XmlProvider(),
    },
  ],
];

/** The checks above `required` that complain of an example, each with the reason why the example is left so. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'settings-have-labels': 'Its settings are for a test, which shows no form.',
  'empty-settings-are-refused': 'Its settings are for a test, which leaves none empty.',
  'goldens-for-every-endpoint': 'Its provider is invented: there is no documentation to take exchanges from.',
  'status-words-are-proven': 'Its provider is invented: there is no documentation to quote.',
  'notification-examples-are-read': 'Its provider is invented: no documentation has an example.',
  'declines-are-shown': 'Its provider is invented: no documentation has an example of a decline.',
  'refunds-are-shown': 'Its provider is invented: no documentation has an example of a refused refund.',
  'examples-for-every-reply': 'Its provider is invented: no documentation has an example of a refusal.',
  'endpoints-are-met': 'The payer of the kit asks for no second code; the test of the example does.',
  'status-is-looked-up': 'A voucher is reported by a notification alone.',
  'secrets-travel-in-headers-or-bodies': 'The provider of the voucher takes the key in the address.',
};

const complaints = new Set<string>();

test.each(EXAMPLES.map(([connector, options]) => [connector.id, connector, options] as const))(
  '%s passes every check that its declarations and its provider allow, but for those left out with a reason',
  async (_id, connector, options) => {
    const { results } = await checkConformance(connector, options);
    const failed = results.filter(({ status }) => status === 'failed');
    for (const { id } of failed) complaints.add(id);
    const isLeftOut = ({ id, level }: (typeof failed)[number]) => level !== 'required' && id in LEFT_OUT;
    expect(failed.filter((each) => !isLeftOut(each)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(40);
  },
);

test('every check that is left out complains of an example', () => {
  expect([...complaints].toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
});
