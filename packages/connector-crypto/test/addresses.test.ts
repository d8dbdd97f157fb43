import { describe, expect, it } from 'vitest';
import { addressesConnector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf } from './support/exchange.ts';
import { openOrder, sessionOf } from './support/sessions.ts';

const settings = { api_key: 'key', webhook_secret: 'a-notification-secret' };
const made = (more: object = {}) => ({
  address: {
    id: 'adr_1',
    reference: OURS,
    address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    asset: 'BTC',
    network: 'bitcoin',
    ...more,
  },
});

type Given = { readonly parameters?: object; readonly more?: object; readonly test?: boolean };

function purchase({ parameters = { crypto_type: 'BTC' }, more = {}, test = true }: Given, reply: unknown) {
  const payment = { ...paymentOf(sessionOf('crypto-wallet', { ...parameters }, more), 'crypto-wallet'), test };
  const script = [[201, reply]] as const;
  return exchange({ connector: addressesConnector, settings, flow: 'purchase', payment, key: 'crypto-wallet' }, script);
}

const drive = async (given: Given, reply: unknown) => outcomeOf(await purchase(given, reply).drive());
const UNUSABLE = { status: 'declined', kind: 'soft', reason: 'The provider gave an address that cannot be used.' };
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

describe('an address', () => {
  it('is shown with the name of its network', async () => {
    expect(await drive({}, made())).toMatchObject({
      status: 'pending',
      providerReference: 'adr_1',
      show: { kind: 'address', address: made().address.address, asset: 'BTC', network: 'Bitcoin' },
    });
  });

  it.each([
    ['mistyped', {}, { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }],
    ['of another family', {}, { address: EVM }],
    ['of another asset', {}, { asset: 'BCH', network: 'bitcoin-cash' }],
    ['markup', {}, { address: '<script>alert(1)</script>' }],
    ['of a test network', { test: false }, { address: 'mkzePZfMeoYsoGcavSJFT7UKSjsU2BEgzt' }],
    ['not in the newer form that was asked for', { parameters: { crypto_type: 'BTC', bech32: true } }, {}],
    [
      'an Ethereum address for USDT on TRON',
      { parameters: { crypto_type: 'USDT', network_type: 'tron' } },
      { address: EVM, asset: 'USDT', network: 'tron' },
    ],
    [
      'on another network than the one asked for',
      { parameters: { crypto_type: 'USDT', network_type: 'tron' } },
      { address: EVM, asset: 'USDT', network: 'eth' },
    ],
    [
      'a TRON address for USDT, which is on Ethereum unless something else is said',
      { parameters: { crypto_type: 'USDT' } },
      { address: TRON, asset: 'USDT', network: 'eth' },
    ],
  ])('that is %s is never shown', async (_what, given, reply) => {
    const outcome = await drive(given, made(reply));
    expect(outcome).toMatchObject(UNUSABLE);
    expect(outcome).not.toHaveProperty('show');
  });

  it.each([
    ['ETH', {}, { address: EVM, asset: 'ETH', network: 'eth' }],
    ['USDT', { network_type: 'tron' }, { address: TRON, asset: 'USDT', network: 'tron' }],
  ])('of %s has no newer form, so that asking for one changes nothing', async (crypto_type, parameters, reply) => {
    const run = purchase({ parameters: { crypto_type, bech32: true, ...parameters } }, made(reply));
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'pending', show: { address: reply.address } });
    expect(run.body(0)).toMatchObject({ format: 'older' });
  });

  it('of a test network is shown for a test', async () => {
    const address = 'mkzePZfMeoYsoGcavSJFT7UKSjsU2BEgzt';
    expect(await drive({ test: true }, made({ address }))).toMatchObject({ show: { address } });
  });

  it('of another payment shows nothing', async () => {
    const outcome = await drive({}, made({ reference: 'another' }));
    expect(outcome).toMatchObject({ status: 'unknown' });
    expect(outcome).not.toHaveProperty('show');
  });

  it('is asked for with the account that goes first', async () => {
    const asked = async (parameters: object, more: object) => {
      const run = purchase({ parameters: { crypto_type: 'BTC', ...parameters }, more }, made());
      await run.drive();
      return run.body(0);
    };
    expect(await asked({}, { accountId: 'session' })).toMatchObject({ account: 'session' });
    expect(await asked({ accountId: 'own' }, { accountId: 'session' })).toMatchObject({ account: 'own' });
    expect(await asked({}, {})).not.toHaveProperty('account');
  });
});

describe('the network that a request names', () => {
  const usdt = (network: string) => made({ asset: 'USDT', network, address: network === 'eth' ? EVM : TRON });
  const named = (network: string, parameters = {}) => ({
    parameters: { crypto_type: 'USDT', ...parameters },
    more: { crypto: { network } },
  });

  it.each(['TRC20', 'trc-20', 'TRON'])('%s leads to TRON', async (network) => {
    expect(await drive(named(network), usdt('tron'))).toMatchObject({ show: { network: 'TRON (TRC20)' } });
  });

  it.each([
    ['ERC20', { network_type: 'tron' }],
    ['BEP20', {}],
    ['OMNI', {}],
    ['Solana', {}],
    ['BEP-2', {}],
  ])('%s with %j is no network of the coin, and the provider is not asked', async (network, parameters) => {
    const run = purchase(named(network, parameters), usdt('tron'));
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'declined', kind: 'hard' });
    expect(run.asked).toEqual([]);
  });

  it('is shown beside ours where it is none that we know', async () => {
    expect(await drive(named('Shop chain'), usdt('eth'))).toMatchObject({
      show: { network: 'Ethereum (ERC20), Shop chain' },
    });
  });
});

const session = sessionOf('crypto-receive', {}, openOrder('BTC'));
const lookUp = (reply: unknown, id?: string, status = 200) =>
  exchange(
    {
      connector: addressesConnector,
      settings,
      flow: 'status',
      payment: lookedUp(session, 'crypto-receive', id),
      key: 'crypto-receive',
    },
    [[status, reply]],
  );

const deposit = (more: object = {}) => ({
  txid: 'f4184fc5',
  output: 1,
  status: 'confirmed',
  confirmations: 2,
  asset: 'BTC',
  amount: '0.10000001',
  value: { amount: '0.10000001', currency: 'BTC' },
  ...more,
});

const eventsOf = async (...deposits: object[]) => {
  const result = await lookUp({ ...made(), deposits }, 'adr_1').drive();
  return result.kind === 'reported' && 'events' in result.report ? result.report.events : undefined;
};

describe('deposits', () => {
  it('are one event for each output of a transaction', async () => {
    const events = await eventsOf(deposit(), deposit({ output: 2 }), deposit({ txid: 'a1075db5' }));
    expect(events).toMatchObject([{ id: 'f4184fc5:1' }, { id: 'f4184fc5:2' }, { id: 'a1075db5:1' }]);
    expect(events?.[0]).toMatchObject({
      kind: 'deposit',
      providerReference: 'adr_1',
      merchantReference: OURS,
      amount: { text: '0.10000001', minor: 10000001n, currency: 'BTC' },
      confirmed: true,
    });
  });

  it.each([
    [{ status: 'seen', confirmations: 0 }, false],
    [{ status: 'confirmed', confirmations: 1 }, false],
    [{ status: 'frozen' }, false],
    [{}, true],
  ])('%j count: %s', async (more, confirmed) => {
    expect(await eventsOf(deposit(more))).toMatchObject([{ confirmed }]);
  });

  it('that the provider rejected are reported as such, which never count', async () => {
    const events = await eventsOf(deposit({ status: 'rejected' }));
    expect(events).toMatchObject([{ id: 'f4184fc5:1', confirmed: false, rejected: true }]);
  });

  it('in another asset are reported as what they are, never at their value', async () => {
    const other = deposit({ asset: 'DAI', amount: '12.000000000000000001', value: { amount: '1', currency: 'BTC' } });
    expect(await eventsOf(other)).toMatchObject([{ amount: { minor: 12000000000000000001n, currency: 'DAI' } }]);
  });

  it.each([
    ['in an unknown asset', { asset: 'WHAT', amount: '5.000' }, '5.000 WHAT'],
    ['with more digits than the asset has', { asset: 'USDC', amount: '5.0000001' }, '5.0000001 USDC'],
    ['of no amount at all', { asset: 'USDC', amount: 'five' }, 'five USDC'],
  ])('%s hide no other one, and are set aside as worth nothing', async (_what, more, message) => {
    expect(await eventsOf(deposit(more), deposit({ output: 2 }))).toMatchObject([
      { id: 'f4184fc5:1', amount: { text: '0.00000000', currency: 'BTC' }, provider: { message } },
      { id: 'f4184fc5:2', amount: { text: '0.10000001' }, confirmed: true },
    ]);
  });

  it.each([[{ value: undefined }], [{ value: null }]])('without a value are what arrived: %j', async (more) => {
    expect(await eventsOf(deposit(more))).toMatchObject([{ amount: { text: '0.10000001', currency: 'BTC' } }]);
  });

  it('of a price in fiat count at the value that the provider gives', async () => {
    const valued = deposit({ value: { amount: '6543.21', currency: 'USD' } });
    expect(await eventsOf(valued)).toMatchObject([{ amount: { text: '6543.21', currency: 'USD' } }]);
  });

  it('of another address are none of this payment', async () => {
    const result = await lookUp({ ...made({ id: 'adr_2' }), deposits: [deposit()] }, 'adr_1').drive();
    expect(result).toMatchObject({ kind: 'reported', report: { events: [] } });
  });
});

describe('a lookup', () => {
  it('after a lost reply brings the address, which is checked', async () => {
    expect(outcomeOf(await lookUp(made()).drive())).toMatchObject({ status: 'pending', show: { kind: 'address' } });
    expect(outcomeOf(await lookUp(made({ address: EVM })).drive())).toMatchObject(UNUSABLE);
    expect(outcomeOf(await lookUp(made({ asset: 'BCH', network: 'bitcoin-cash' })).drive())).toMatchObject({
      status: 'unknown',
    });
  });

  it.each([undefined, 'adr_1'])('of what the provider does not know decides nothing (%s)', async (id) => {
    const run = lookUp({ error: { code: 'not_found' } }, id, 404);
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'unknown' });
  });
});
