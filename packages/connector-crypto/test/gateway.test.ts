import { describe, expect, it } from 'vitest';
import { gatewayConnector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf } from './support/exchange.ts';
import { openOrder, sessionOf, withdrawalOf } from './support/sessions.ts';

const settings = { merchant_id: 'm-1', api_key: 'key', webhook_secret: 'a-notification-secret' };
const transaction = (more: object = {}) => ({
  transaction: { id: 'txn_1', reference: OURS, status: 'NEW', amount: '100.50', currency: 'USD', ...more },
});
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const payTo = (more: object = {}) => ({ pay_to: { address: BTC, asset: 'BTC', network: 'bitcoin', ...more } });

type Script = Parameters<typeof exchange>[1];

function run(key: string, session: unknown, script: Script, test = true) {
  const flow = key === 'trading-withdrawal' ? 'credit' : 'purchase';
  const payment = { ...paymentOf(session, key), test };
  return exchange({ connector: gatewayConnector, settings, flow, payment, key }, script);
}

const conversion = sessionOf('crypto-conversion', { cryptoCurrency: 'BTC' });
const convert = async (reply: object, test = true) =>
  outcomeOf(await run('crypto-conversion', conversion, [[201, transaction(reply)]], test).drive());

describe('a payment at the gateway', () => {
  it('sends the payer to a page', async () => {
    expect(await convert({ pay_url: 'https://pay.example/txn_1' })).toMatchObject({
      status: 'pending',
      providerReference: 'txn_1',
      show: { kind: 'redirect', url: 'https://pay.example/txn_1' },
    });
  });

  it('shows where to send how much of the coin', async () => {
    expect(await convert(payTo({ amount: '0.00160800' }))).toMatchObject({
      show: { kind: 'address', address: BTC, asset: 'BTC', network: 'Bitcoin', amount: '0.00160800' },
    });
  });

  it.each([
    ['mistyped', { address: `${BTC.slice(0, -1)}5` }],
    ['of another coin', { asset: 'BCH', network: 'bitcoin-cash' }],
    ['on a network that is none of the coin', { network: 'tron' }],
    ['on an unknown network', { network: 'mars' }],
    ['of a test network', { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }],
  ])('never shows an address that is %s', async (_what, to) => {
    const outcome = await convert(payTo(to), false);
    expect(outcome).toMatchObject({ status: 'declined', kind: 'soft' });
    expect(outcome).not.toHaveProperty('show');
  });

  it('shows an address of a test network for a test', async () => {
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
    expect(await convert(payTo({ address }), true)).toMatchObject({ show: { address } });
  });

  it('does not decline money that has arrived for the sake of an address', async () => {
    expect(await convert({ ...payTo({ network: 'mars' }), status: 'COMPLETED' })).toMatchObject({ status: 'settled' });
  });

  it('leaves the amount to the payer where the order has none', async () => {
    const session = sessionOf(
      'trading-deposit',
      { paymentGatewayName: 'main', paymentCurrency: 'BTC' },
      openOrder('USD'),
    );
    const made = run('trading-deposit', session, [[201, transaction({ amount: '40.00' })]]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'pending' });
    expect(made.body(0)).not.toHaveProperty('amount');
  });

  it('whose reply was lost is looked up by our reference before it is sent again', async () => {
    const made = run('crypto-conversion', conversion, ['lost', [200, transaction(payTo())]]);
    expect(await made.drive()).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(outcomeOf(await made.drive())).toMatchObject({ show: { kind: 'address', address: BTC } });
    expect(made.lines()).toEqual(['POST /api/payments', `GET /api/transactions/${OURS}`]);
  });

  it('that is refused is declined', async () => {
    const made = run('crypto-conversion', conversion, [[422, { code: 'COIN_OFF' }]]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'declined', provider: { code: 'COIN_OFF' } });
  });

  it('whose reference the provider has already is unknown', async () => {
    const made = run('crypto-conversion', conversion, [[422, { code: 'DUPLICATE_REFERENCE' }]]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'unknown' });
  });
});

describe('a withdrawal', () => {
  it.each([
    ['USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tron'],
    ['USDT', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'eth'],
    ['BCH', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoin-cash'],
    ['XMR', '4'.repeat(95), undefined],
  ])('of %s names the network that the address %s is of: %s', async (coin, address, network) => {
    const made = run('trading-withdrawal', withdrawalOf({ withdrawCurrency: coin, address }), [[201, transaction()]]);
    await made.drive();
    expect(made.body(0)).toMatchObject({ coin, address, beneficiary: 'Ada Lovelace', ...(network && { network }) });
  });
});

describe('a lookup', () => {
  const lookUp = (reply: unknown, id?: string) => {
    const payment = lookedUp(conversion, 'crypto-conversion', id);
    const made = { connector: gatewayConnector, settings, flow: 'status', payment, key: 'crypto-conversion' } as const;
    return exchange(made, [[200, reply]]);
  };

  it.each([
    ['COMPLETED', 'settled'],
    ['EXPIRED', 'declined'],
    ['CONFIRMING', 'pending'],
    ['LOST_AND_FOUND', 'unknown'],
  ])('says of %s: %s', async (status, expected) => {
    expect(outcomeOf(await lookUp(transaction({ status }), 'txn_1').drive())).toMatchObject({ status: expected });
  });

  it('of another transaction decides nothing', async () => {
    const outcome = outcomeOf(await lookUp(transaction({ id: 'txn_2', status: 'COMPLETED' }), 'txn_1').drive());
    expect(outcome).toMatchObject({ status: 'unknown' });
  });

  it('after a lost reply shows what the payer has not seen yet', async () => {
    expect(outcomeOf(await lookUp(transaction(payTo())).drive())).toMatchObject({ show: { kind: 'address' } });
    expect(outcomeOf(await lookUp(transaction(payTo()), 'txn_1').drive())).not.toHaveProperty('show');
  });
});
