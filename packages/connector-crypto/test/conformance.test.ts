import { conformance } from '@railyard/conformance';
import { test } from 'vitest';
import { addressesConnector, btcpayConnector, gatewayConnector } from '../src/index.ts';
import { addressesSimulation, btcpaySimulation, gatewaySimulation } from '../src/simulation.ts';
import { btcpayGoldens } from './btcpay-goldens.ts';
import { addressesGoldens, gatewayGoldens } from './support/goldens.ts';

const base_url = 'https://api.example';
const webhook_secret = 'a-notification-secret';

const open = (currency: string) => ({ order: { currency, amount: undefined } });

conformance(addressesConnector, {
  test,
  level: 'excellent',
  coverage: {
    except: {
      'return "it is one of a test network"': 'The payments of the kit are tests.',
      'return undefined;': 'The registry refuses networks that do not go together.',
    },
  },
  simulation: addressesSimulation,
  settings: { base_url, api_key: 'the-api-key', webhook_secret },
  sessions: {
    'crypto-wallet': {
      purchase: [
        { name: 'bitcoin', parameters: { crypto_type: 'BTC', bech32: true, accountId: 'CA1001' } },
        { name: 'tether-on-tron', parameters: { crypto_type: 'USDT', network_type: 'tron' } },
        {
          name: 'open',
          session: { ...open('BCH'), accountId: 'CA1002', crypto: { network: 'BCH' } },
          parameters: { crypto_type: 'BCH' },
        },
      ],
    },
    'crypto-receive': {
      purchase: [
        { name: 'open', session: open('ETH'), parameters: {} },
        { name: 'tether', session: open('USDT'), parameters: { network_type: 'eth' } },
        { name: 'priced-in-fiat', parameters: { crypto_type: 'TRX' } },
      ],
    },
    'crypto-receive-fiat': {
      purchase: { name: 'open', session: open('EUR'), parameters: {}, mid: { crypto_type: 'BTC', conversion: true } },
    },
  },
  goldens: addressesGoldens,
});

const payee = { name: 'Ada Lovelace' };

conformance(gatewayConnector, {
  test,
  level: 'excellent',
  coverage: { except: { 'return "it is one of a test network"': 'The payments of the kit are tests.' } },
  simulation: gatewaySimulation,
  settings: { base_url, merchant_id: 'm-1', api_key: 'the-secret-key', webhook_secret },
  sessions: {
    'trading-deposit': {
      purchase: {
        name: 'page',
        parameters: { paymentGatewayName: 'main', paymentCurrency: 'BTC', tradingAccountLogin: '10021' },
      },
    },
    'trading-withdrawal': {
      credit: {
        name: 'bitcoin',
        session: { payee },
        parameters: {
          withdrawCurrency: 'BTC',
          address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
          tradingAccountLogin: '10021',
        },
      },
    },
    'crypto-conversion': { purchase: { name: 'address', parameters: { cryptoCurrency: 'BTC' } } },
    'conversion-to-coin': { purchase: { name: 'page', parameters: { toCurrency: 'USDT' } } },
  },
  goldens: gatewayGoldens,
});

conformance(btcpayConnector, {
  test,
  level: 'excellent',
  coverage: true,
  simulation: btcpaySimulation,
  settings: { base_url, api_key: 'the-api-key', store_id: 'store-1', webhook_secret },
  sessions: {
    'bitcoin-btcpay': {
      purchase: [
        { name: 'priced-in-fiat', session: { order: { currency: 'EUR' } }, parameters: {} },
        { name: 'priced-in-bitcoin', session: { order: { currency: 'BTC', amount: '0.25' } }, parameters: {} },
      ],
      credit: {
        name: 'bitcoin',
        session: { payee, order: { currency: 'BTC', amount: '0.25' } },
        parameters: { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      },
    },
  },
  goldens: btcpayGoldens,
});
