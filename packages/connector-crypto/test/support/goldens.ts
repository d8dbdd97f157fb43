import type { Golden } from '@railyard/conformance';

const README = 'packages/connector-crypto/README.md';

const addresses = `${README}, Address provider`;
const bearer = { authorization: 'Bearer {settings.api_key}' };
const made = {
  id: 'adr_7d0f3a52',
  reference: '{reference}',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  asset: 'BTC',
  network: 'bitcoin',
};
const usual = { reference: '{reference}', confirmations: 2, notify_url: '{notify_url}' };

/** Exchanges of the address provider as its documentation shows them. */
export const addressesGoldens: readonly Golden[] = [
  {
    endpoint: 'create-address',
    source: addresses,
    when: 'an order in dollars is paid in bitcoin, to a segwit address',
    by: { method: 'crypto-wallet', flow: 'purchase', sample: 'bitcoin' },
    request: {
      method: 'POST',
      path: '/v1/addresses',
      headers: { ...bearer, 'idempotency-key': '{key}' },
      body: {
        ...usual,
        asset: 'BTC',
        network: 'bitcoin',
        format: 'newer',
        account: 'CA1001',
        price: { amount: '25.00', currency: 'USD' },
      },
    },
    reply: { status: 201, body: { address: made } },
    outcome: {
      status: 'pending',
      providerReference: 'adr_7d0f3a52',
      show: { kind: 'address', address: made.address, asset: 'BTC', network: 'Bitcoin' },
    },
  },
  {
    endpoint: 'create-address',
    source: addresses,
    when: 'the payer chooses the amount',
    by: { method: 'crypto-receive', flow: 'purchase', sample: 'open' },
    request: {
      method: 'POST',
      path: '/v1/addresses',
      headers: { ...bearer, 'idempotency-key': '{key}' },
      body: { ...usual, asset: 'ETH', network: 'eth', format: 'older', price: { currency: 'ETH' } },
    },
    reply: {
      status: 201,
      body: {
        address: { ...made, address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', asset: 'ETH', network: 'eth' },
      },
    },
    outcome: {
      status: 'pending',
      show: {
        kind: 'address',
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        asset: 'ETH',
        network: 'Ethereum (ERC20)',
      },
    },
  },
  {
    endpoint: 'create-address',
    source: addresses,
    when: 'the address is one of another network',
    by: { method: 'crypto-wallet', flow: 'purchase', sample: 'tether-on-tron' },
    request: {
      method: 'POST',
      path: '/v1/addresses',
      headers: { ...bearer, 'idempotency-key': '{key}' },
      body: {
        ...usual,
        asset: 'USDT',
        network: 'tron',
        format: 'older',
        price: { amount: '25.00', currency: 'USD' },
      },
    },
    reply: {
      status: 201,
      body: {
        address: { ...made, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', asset: 'USDT', network: 'tron' },
      },
    },
    outcome: { status: 'declined', kind: 'soft', reason: 'The provider gave an address that cannot be used.' },
  },
  {
    endpoint: 'find-address',
    source: addresses,
    when: 'the reply to a request was lost',
    by: { method: 'crypto-wallet', flow: 'status', sample: 'bitcoin' },
    request: { method: 'GET', path: '/v1/addresses/reference/{reference}', headers: bearer },
    reply: { status: 200, body: { address: made } },
    outcome: { status: 'pending', providerReference: 'adr_7d0f3a52' },
  },
  {
    endpoint: 'list-deposits',
    source: addresses,
    when: 'an address is looked up',
    by: { method: 'crypto-wallet', flow: 'status', sample: 'bitcoin' },
    request: { method: 'GET', path: '/v1/addresses/{provider_reference}/deposits', headers: bearer },
    reply: { status: 200, body: { address: { ...made, id: '{provider_reference}' }, deposits: [] } },
  },
];

const gateway = `${README}, Gateway provider`;
const signedIn = { 'x-merchant-id': 'm-1', 'x-secret-key': '{settings.api_key}' };
const transaction = {
  id: 'txn_51c07c2a',
  reference: '{reference}',
  status: 'NEW',
  amount: '25.00',
  currency: 'USD',
};
const payment = {
  reference: '{reference}',
  amount: '25.00',
  currency: 'USD',
  description: 'Two books',
  notify_url: '{notify_url}',
};

/** Exchanges of the gateway as its documentation shows them. */
export const gatewayGoldens: readonly Golden[] = [
  {
    endpoint: 'create-payment',
    source: gateway,
    when: 'a trading account is filled on the provider’s page',
    by: { method: 'trading-deposit', flow: 'purchase' },
    request: {
      method: 'POST',
      path: '/api/payments',
      headers: signedIn,
      body: {
        ...payment,
        kind: 'deposit',
        coin: 'BTC',
        gateway: 'main',
        account_login: '10021',
        return_url: '{return_url}',
      },
    },
    reply: {
      status: 201,
      body: { transaction: { ...transaction, pay_url: 'https://pay.example/txn_51c07c2a' } },
    },
    outcome: {
      status: 'pending',
      providerReference: 'txn_51c07c2a',
      show: { kind: 'redirect', url: 'https://pay.example/txn_51c07c2a', surface: 'page' },
    },
  },
  {
    endpoint: 'create-payment',
    source: gateway,
    when: 'a payer pays in bitcoin to an address',
    by: { method: 'crypto-conversion', flow: 'purchase' },
    request: {
      method: 'POST',
      path: '/api/payments',
      headers: signedIn,
      body: { ...payment, kind: 'pay-in-coin', coin: 'BTC', return_url: '{return_url}' },
    },
    reply: {
      status: 201,
      body: {
        transaction: {
          ...transaction,
          pay_to: {
            address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
            asset: 'BTC',
            network: 'bitcoin',
            amount: '0.00031250',
          },
          expires_at: '2026-11-21T12:30:00Z',
        },
      },
    },
    outcome: {
      status: 'pending',
      show: {
        kind: 'address',
        address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        asset: 'BTC',
        network: 'Bitcoin',
        amount: '0.00031250',
        validUntil: '2026-11-21T12:30:00.000Z',
      },
    },
  },
  {
    endpoint: 'create-payment',
    source: gateway,
    when: 'what is paid becomes a coin',
    by: { method: 'conversion-to-coin', flow: 'purchase' },
    request: {
      method: 'POST',
      path: '/api/payments',
      headers: signedIn,
      body: { ...payment, kind: 'convert-to-coin', coin: 'USDT', return_url: '{return_url}' },
    },
    reply: { status: 422, body: { code: 'COIN_OFF', message: 'Not today.' } },
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'create-withdrawal',
    source: gateway,
    when: 'a trading account is paid out to a wallet',
    by: { method: 'trading-withdrawal', flow: 'credit' },
    request: {
      method: 'POST',
      path: '/api/withdrawals',
      headers: signedIn,
      body: {
        ...payment,
        coin: 'BTC',
        address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        network: 'bitcoin',
        account_login: '10021',
        beneficiary: 'Ada Lovelace',
      },
    },
    reply: { status: 201, body: { transaction } },
    outcome: { status: 'pending', providerReference: 'txn_51c07c2a' },
  },
  {
    endpoint: 'get-transaction',
    source: gateway,
    when: 'a withdrawal is looked up',
    by: { method: 'trading-withdrawal', flow: 'status' },
    request: { method: 'GET', path: '/api/transactions/{reference}', headers: signedIn },
    reply: { status: 200, body: { transaction: { ...transaction, id: '{provider_reference}', status: 'COMPLETED' } } },
    outcome: { status: 'settled', providerReference: '{provider_reference}' },
  },
];
