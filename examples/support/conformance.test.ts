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

const ALL = EXAMPLES.map(([{ id }]) => id);
const INVENTED = 'Its provider is invented: there is no documentation';

/** The checks above `required` that complain of examples: which examples, and the reason why they are left so. */
const LEFT_OUT: readonly (readonly [check: string, connectors: readonly string[], why: string])[] = [
  ['settings-have-labels', ALL, 'Its settings are for a test, which shows no form.'],
  ['empty-settings-are-refused', ALL, 'Its settings are for a test, which leaves none empty.'],
  ['goldens-for-every-endpoint', ALL, `${INVENTED} to take exchanges from.`],
  [
    'status-words-are-proven',
    ['bank-beneficiary', 'card-3ds', 'country-fields', 'one-minute-qr', 'voucher-three-steps', 'xml-decline'],
    `${INVENTED} to quote.`,
  ],
  [
    'notification-examples-are-read',
    ['card-3ds', 'one-minute-qr', 'voucher-three-steps'],
    `${INVENTED} with an example.`,
  ],
  [
    'declines-are-shown',
    ['card-3ds', 'country-fields', 'crypto-address', 'one-minute-qr', 'voucher-three-steps', 'xml-decline'],
    `${INVENTED} with an example of a decline.`,
  ],
  ['refunds-are-shown', ['xml-decline'], `${INVENTED} with an example of a refused refund.`],
  ['examples-for-every-reply', ['card-3ds', 'xml-decline'], `${INVENTED} with an example of a refusal.`],
  [
    'endpoints-are-met',
    ['bank-beneficiary'],
    'The payer of the kit asks for no second code; the test of the example does.',
  ],
  ['status-is-looked-up', ['voucher-three-steps'], 'A voucher is reported by a notification alone.'],
  [
    'secrets-travel-in-headers-or-bodies',
    ['voucher-three-steps'],
    'The provider of the voucher takes the key in the address.',
  ],
];

/** The checks that an example is left out of. */
const leftOutOf = (connector: string) =>
  LEFT_OUT.filter(([, connectors]) => connectors.includes(connector)).map(([check]) => check);

test.each(EXAMPLES.map(([connector, options]) => [connector.id, connector, options] as const))(
  '%s passes every check that its declarations and its provider allow, but for exactly those left out of it with a reason',
  async (connectorId, connector, options) => {
    const { results } = await checkConformance(connector, options);
    const failed = results.filter(({ status }) => status === 'failed');
    const leftOut = leftOutOf(connectorId);
    const isLeftOut = ({ id, level }: (typeof failed)[number]) => level !== 'required' && leftOut.includes(id);
    expect(failed.filter((each) => !isLeftOut(each)).map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(leftOut.filter((check) => failed.every(({ id }) => id !== check))).toEqual([]);
    expect(results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(40);
  },
);

test('every reason for leaving a check out is about an example that is here', () => {
  expect(LEFT_OUT.flatMap(([, connectors]) => connectors).filter((each) => !ALL.includes(each))).toEqual([]);
});
