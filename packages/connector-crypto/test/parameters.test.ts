import { describe, expect, it } from 'vitest';
import { accountOf, answer, openOrder, sessionOf, withdrawalOf } from './support/sessions.ts';

const BLANK = 'This value should not be blank.';
const WRONG = 'This value is not valid.';
const CHOICE = 'The value you selected is not a valid choice.';
const UNEXPECTED = 'This field was not expected.';
const TEXT = 'This value should be of type string.';
const YES_NO = 'This value should be of type boolean.';
const long = (limit: number) => `This value is too long. It should have ${limit} characters or less.`;
const noEffect = (asset: string) => `This value has no effect with ${asset}.`;
const at = (key: string, name: string, expected: string | undefined) =>
  expected === undefined ? [] : [`parameters.${key}.${name}: ${expected}`];

type Row = readonly [name: string, value: unknown, expected: string | undefined];

/** Crypto wallet (2-methods.md), each parameter at its edges; the order is in dollars and the coin USDT. */
const WALLET_ROWS: readonly Row[] = [
  ['crypto_type', 'USDT', undefined],
  ['crypto_type', 'usdt', CHOICE],
  ['crypto_type', 'stable', CHOICE],
  ['crypto_type', 'USD', CHOICE],
  ['crypto_type', 'constructor', CHOICE],
  ['crypto_type', '', BLANK],
  ['crypto_type', undefined, BLANK],
  ['crypto_type', 7, TEXT],
  ['crypto_type', 'x'.repeat(51), long(50)],
  ['network_type', 'eth', undefined],
  ['network_type', 'tron', undefined],
  ['network_type', undefined, undefined],
  ['network_type', 'TRON', CHOICE],
  ['network_type', 'bsc', CHOICE],
  ['network_type', '', CHOICE],
  ['bech32', false, undefined],
  ['bech32', undefined, undefined],
  ['bech32', 'yes', YES_NO],
  ['bech32', 1, YES_NO],
  ['accountId', 'CA1001390C', undefined],
  ['accountId', 'a'.repeat(255), undefined],
  ['accountId', 'a'.repeat(256), long(255)],
  ['accountId', '', BLANK],
  ['accountId', 7, TEXT],
  ['address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', UNEXPECTED],
  // The account's own word is refused in a request.
  ['allowed_currencies', ['USDT'], UNEXPECTED],
];

describe('a crypto wallet', () => {
  it.each(WALLET_ROWS)('takes %s %j: %s', (name, value, expected) => {
    const session = sessionOf('crypto-wallet', { crypto_type: 'USDT', [name]: value });
    expect(answer(session)).toEqual(at('crypto-wallet', name, expected));
  });

  it.each(['BTC', 'BCH', 'ETH', 'TRX'])('takes network_type with USDT alone, not with %s', (crypto_type) => {
    const session = sessionOf('crypto-wallet', { crypto_type, network_type: 'tron' });
    expect(answer(session)).toEqual(at('crypto-wallet', 'network_type', UNEXPECTED));
  });

  it.each([
    ['BTC', []],
    ['BCH', []],
    ['ETH', [`warning parameters.crypto-wallet.bech32: ${noEffect('ETH')}`]],
    ['USDT', [`warning parameters.crypto-wallet.bech32: ${noEffect('USDT')}`]],
  ])('warns of bech32 where it has no effect: %s', (crypto_type, expected) => {
    expect(answer(sessionOf('crypto-wallet', { crypto_type, bech32: true }))).toEqual(expected);
  });

  it('reads accountId at the top level of the session too', () => {
    const session = (accountId: unknown) => sessionOf('crypto-wallet', { crypto_type: 'BTC' }, { accountId });
    expect(answer(session('CA1001390C'))).toEqual([]);
    expect(answer(session('a'.repeat(256)))).toEqual([`accountId: ${long(255)}`]);
  });

  it('takes a category where the order is in the coin, and no other coin', () => {
    const inCoin = (crypto_type: string) => sessionOf('crypto-wallet', { crypto_type }, openOrder('USDT'));
    expect(answer(inCoin('stable'))).toEqual([]);
    expect(answer(inCoin('USDT'))).toEqual([]);
    expect(answer(inCoin('BTC'))).toEqual(at('crypto-wallet', 'crypto_type', CHOICE));
  });
});

/** Crypto receive and its fiat variant (2-methods.md, Completion behaviour). */
describe('crypto receive', () => {
  it.each([
    ['crypto-receive', 'BTC', {}, []],
    ['crypto-receive', 'USDT', { network_type: 'tron' }, []],
    ['crypto-receive', 'USDT', { network_type: 'bitcoin' }, at('crypto-receive', 'network_type', CHOICE)],
    ['crypto-receive', 'BTC', { network_type: 'tron' }, at('crypto-receive', 'network_type', UNEXPECTED)],
    ['crypto-receive', 'BTC', { bech32: true }, []],
    ['crypto-receive', 'ETH', { bech32: true }, [`warning parameters.crypto-receive.bech32: ${noEffect('ETH')}`]],
    // An address of it could not be checked.
    ['crypto-receive', 'XMR', {}, [`order.currency: ${CHOICE}`]],
    ['crypto-receive', 'BTC', { crypto_type: 'ETH' }, at('crypto-receive', 'crypto_type', CHOICE)],
    ['crypto-receive', 'USD', { crypto_type: 'BTC' }, []],
    [
      'crypto-receive',
      'USD',
      {},
      at('crypto-receive', 'crypto_type', `${BLANK} It is required when order.currency is fiat.`),
    ],
    ['crypto-receive-fiat', 'USD', { crypto_type: 'BTC' }, []],
    ['crypto-receive-fiat', 'USD', {}, at('crypto-receive-fiat', 'crypto_type', BLANK)],
    ['crypto-receive-fiat', 'BTC', { crypto_type: 'BTC' }, [`order.currency: ${CHOICE}`]],
    [
      'crypto-receive-fiat',
      'USD',
      { crypto_type: 'BTC', conversion: true },
      at('crypto-receive-fiat', 'conversion', UNEXPECTED),
    ],
  ])('%s in %s with %j: %j', (key, currency, parameters, expected) => {
    expect(answer(sessionOf(key, parameters, openOrder(currency)))).toEqual(expected);
  });

  it('takes fiat where the account has switched the conversion on', () => {
    const session = sessionOf('crypto-receive-fiat', {}, openOrder('EUR'));
    const account = (conversion: boolean) => accountOf('crypto-receive-fiat', { crypto_type: 'BTC', conversion });
    expect(answer(session, account(true))).toEqual([]);
    expect(answer(session, account(false))).toEqual([`methods: ${CHOICE}`]);
  });

  it.each(['credit', 'debit', 'transfer'])('is for purchases, not for %s', (operation) => {
    const session = sessionOf('crypto-receive-fiat', {}, { operation, payee: { name: 'Ada' } });
    expect(answer(session)).toContain(`methods: ${CHOICE}`);
  });
});

/** Trading deposit and withdrawal, and the two conversions (2-methods.md). */
const GATEWAY_ROWS: readonly (readonly [key: string, ...Row])[] = [
  ['trading-deposit', 'paymentGatewayName', 'main', undefined],
  ['trading-deposit', 'paymentGatewayName', undefined, BLANK],
  ['trading-deposit', 'paymentGatewayName', '', BLANK],
  ['trading-deposit', 'paymentGatewayName', 'a'.repeat(256), long(255)],
  ['trading-deposit', 'paymentCurrency', 'DOGE', undefined],
  ['trading-deposit', 'paymentCurrency', undefined, BLANK],
  ['trading-deposit', 'paymentCurrency', 'btc', WRONG],
  ['trading-deposit', 'paymentCurrency', 'B', WRONG],
  ['trading-deposit', 'paymentCurrency', 'A'.repeat(11), long(10)],
  ['trading-deposit', 'tradingAccountLogin', '10021', undefined],
  ['trading-deposit', 'tradingAccountLogin', undefined, undefined],
  ['trading-deposit', 'tradingAccountLogin', 10021, TEXT],
  ['crypto-conversion', 'cryptoCurrency', 'BTC', undefined],
  ['crypto-conversion', 'cryptoCurrency', undefined, BLANK],
  ['crypto-conversion', 'cryptoCurrency', '', BLANK],
  ['crypto-conversion', 'cryptoCurrency', 'b-t', WRONG],
  ['crypto-conversion', 'toCurrency', 'BTC', UNEXPECTED],
  ['conversion-to-coin', 'toCurrency', 'USDT', undefined],
  ['conversion-to-coin', 'toCurrency', undefined, BLANK],
  ['conversion-to-coin', 'toCurrency', ['USDT'], TEXT],
];

const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'trading-deposit': { paymentGatewayName: 'main', paymentCurrency: 'BTC' },
  'crypto-conversion': { cryptoCurrency: 'BTC' },
  'conversion-to-coin': { toCurrency: 'BTC' },
};

describe('trading and conversion', () => {
  it.each(GATEWAY_ROWS)('%s takes %s %j: %s', (key, name, value, expected) => {
    expect(answer(sessionOf(key, { ...GOOD[key], [name]: value }))).toEqual(at(key, name, expected));
  });

  it.each([
    ['trading-deposit', 'paymentCurrency'],
    ['crypto-conversion', 'cryptoCurrency'],
    ['conversion-to-coin', 'toCurrency'],
  ])('%s keeps to the coins of the account', (key, name) => {
    const asked = (coin: string) =>
      answer(sessionOf(key, { ...GOOD[key], [name]: coin }), accountOf(key, { allowed_currencies: ['BTC'] }));
    expect(asked('BTC')).toEqual([]);
    expect(asked('ETH')).toEqual(at(key, name, CHOICE));
  });

  it('a wallet and a receive address keep to the coins of the account, whether the parameter or the order names the coin', () => {
    const allowed = { allowed_currencies: ['BTC'] };
    const wallet = sessionOf('crypto-wallet', { crypto_type: 'ETH' });
    expect(answer(wallet, accountOf('crypto-wallet', allowed))).toEqual(at('crypto-wallet', 'crypto_type', CHOICE));
    const receive = sessionOf('crypto-receive', {}, openOrder('ETH'));
    expect(answer(receive, accountOf('crypto-receive', allowed))).toEqual([`order.currency: ${CHOICE}`]);
  });

  it.each([
    ['crypto-wallet', []],
    ['crypto-receive', []],
    ['trading-deposit', []],
    ['crypto-conversion', [`order.amount: ${BLANK}`]],
    ['conversion-to-coin', [`order.amount: ${BLANK}`]],
  ])('%s without an amount: %j', (key, expected) => {
    const parameters = GOOD[key] ?? { crypto_type: 'BTC' };
    expect(answer(sessionOf(key, parameters, openOrder('USD')))).toEqual(expected);
  });
});

const TEST_NET = 'mkzePZfMeoYsoGcavSJFT7UKSjsU2BEgzt';
const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('a trading withdrawal', () => {
  const CHARACTERS = 'This value contains characters that are not allowed.';

  it.each([
    ['BTC', BTC, undefined],
    ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', undefined],
    ['BTC', CASH, WRONG],
    ['BTC', EVM, WRONG],
    ['BTC', TRON, WRONG],
    ['BTC', `${BTC.slice(0, -1)}5`, WRONG],
    ['BCH', CASH, undefined],
    ['BCH', CASH.slice('bitcoincash:'.length), undefined],
    ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', undefined],
    ['BCH', BTC, WRONG],
    ['ETH', EVM, undefined],
    ['ETH', EVM.toLowerCase(), undefined],
    ['ETH', '0x52908400098527886E0F7030069857D2E4169EE8', WRONG],
    ['ETH', TRON, WRONG],
    ['TRX', TRON, undefined],
    ['TRX', EVM, WRONG],
    // USDT is on both, and the address says which.
    ['USDT', EVM, undefined],
    ['USDT', TRON, undefined],
    ['USDT', BTC, WRONG],
    // Nothing is known of its addresses: only what no address has is refused.
    ['XMR', '4'.repeat(95), undefined],
    ['XMR', '<img src=x onerror=window.__xss=1>', WRONG],
    ['BTC', '', BLANK],
    ['BTC', undefined, BLANK],
    ['BTC', 'a'.repeat(129), long(128)],
    ['BTC', `${BTC}\n`, CHARACTERS],
  ])('of %s to %j: %s', (withdrawCurrency, address, expected) => {
    expect(answer(withdrawalOf({ withdrawCurrency, address }))).toEqual(at('trading-withdrawal', 'address', expected));
  });

  it.each([
    [true, []],
    [false, at('trading-withdrawal', 'address', WRONG)],
    [undefined, at('trading-withdrawal', 'address', WRONG)],
  ])('goes to a test network where the account is for tests: %s', (test, expected) => {
    const account = accountOf('trading-withdrawal', {}, test);
    const session = (address: string) => withdrawalOf({ withdrawCurrency: 'BTC', address });
    expect(answer(session(TEST_NET), account)).toEqual(expected);
    expect(answer(session(BTC), account)).toEqual([]);
  });

  it('says once what is missing', () => {
    expect(answer(withdrawalOf({}))).toEqual([
      ...at('trading-withdrawal', 'withdrawCurrency', BLANK),
      ...at('trading-withdrawal', 'address', BLANK),
    ]);
  });
});
