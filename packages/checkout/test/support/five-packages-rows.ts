/** A payment by one of these methods, from the session to the last callback. */
export interface Row {
  readonly key: string;
  readonly operation?: 'credit';
  readonly currency: string;
  readonly amount: string;
  /** More fields of the session. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Parameters of the request. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** What the payer fills in before they press the button, by the name of its input. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What the payer answers after it. */
  readonly answered?: Readonly<Record<string, string>>;
  /** What the payer reads while the payment is pending; nothing where the reply is the result, or the method pays out. */
  readonly shown?: RegExp;
  /** Parameters that are refused, because they are of another country than the method or the currency. */
  readonly abroad?: Readonly<Record<string, unknown>>;
}

/** A link to the simulated provider’s own page. */
const PAGE = /href="[^"]*\?payment=/;
const ADDRESS = /bc1q|T[1-9A-HJ-NP-Za-km-z]{33}/;
const PIX = /br\.gov\.bcb\.pix/;
const PROMPT = /<h1><bdi>Check your phone|We sent a request to the phone/;
const payee = { name: 'Ada Lovelace', email: 'ada@example.com' };
const BITCOIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

const atWallet = (key: string): Row => ({
  key,
  currency: 'USD',
  amount: '15.00',
  session: {
    error_url: 'https://shop.example/error',
    customer: { name: 'Ada Example', email: 'ada@example.com' },
    billing_address: { country: 'US', city: 'Boston', address: '1 Main Street', zip: '02101' },
  },
  shown: PAGE,
});

const cards: readonly Row[] = [
  {
    key: 'card',
    currency: 'USD',
    amount: '15.00',
    typed: {
      'card.number': '4111 1111 1111 1111',
      'card.expiry': '01 / 38',
      'card.cvv': '123',
      'card.name': 'Ada Example',
    },
  },
  atWallet('card-redirect'),
  atWallet('card-redirect-alt'),
];

const coins: readonly Row[] = [
  {
    key: 'crypto-wallet',
    currency: 'USD',
    amount: '15.00',
    sent: { crypto_type: 'USDT', network_type: 'tron' },
    shown: ADDRESS,
  },
  {
    key: 'crypto-receive',
    currency: 'EUR',
    amount: '15.00',
    sent: { crypto_type: 'BTC', bech32: true },
    shown: ADDRESS,
  },
  {
    key: 'crypto-receive-fiat',
    currency: 'EUR',
    amount: '15.00',
    sent: { bech32: true },
    shown: ADDRESS,
  },
  {
    key: 'trading-deposit',
    currency: 'USD',
    amount: '15.00',
    sent: { paymentGatewayName: 'main', paymentCurrency: 'BTC', tradingAccountLogin: '10021' },
    shown: PAGE,
  },
  {
    key: 'trading-withdrawal',
    operation: 'credit',
    currency: 'USD',
    amount: '15.00',
    session: { payee },
    sent: { withdrawCurrency: 'BTC', address: BITCOIN_ADDRESS },
  },
  {
    key: 'crypto-conversion',
    currency: 'USD',
    amount: '15.00',
    sent: { cryptoCurrency: 'BTC' },
    shown: ADDRESS,
  },
  {
    key: 'conversion-to-coin',
    currency: 'USD',
    amount: '15.00',
    sent: { toCurrency: 'USDT' },
    shown: PAGE,
  },
];

const NUMBER = 'mobile_number';
const byPhone = (key: string, currency: string, amount: string, number: string): Row => ({
  key,
  currency,
  amount,
  session: { customer: { name: 'Ada Example', email: 'ada@example.com' } },
  typed: { [`parameters.${key}.${NUMBER}`]: number },
  shown: PROMPT,
});
/** A number of Brazil, where none of these is paid. */
const abroad = { [NUMBER]: '5511987654321' };
const inCountry = (...of: Parameters<typeof byPhone>): Row => ({ ...byPhone(...of), abroad });

const phones: readonly Row[] = [
  inCountry('mobile-money', 'KES', '150.00', '+254 712 345 678'),
  {
    ...inCountry('mobile-money', 'GHS', '15.00', '+233 24 000 0000'),
    answered: { step: 'code', code: '123456' },
  },
  { ...inCountry('mobile-money', 'XOF', '1500.00', '+225 01 23 45 67 89'), shown: PAGE },
  {
    key: 'mobile-money',
    operation: 'credit',
    currency: 'KES',
    amount: '150.00',
    session: { payee },
    sent: { mobile_money_operator: 'safaricom-ke', [NUMBER]: '254712345678', customer_email: 'ada@example.com' },
    abroad,
  },
  inCountry('mobile-money-ug', 'UGX', '1500.00', '+256 712 345 678'),
  {
    ...byPhone('mobile-money-otp', 'KES', '150.00', '+254 712 345 678'),
    answered: { step: 'code', code: '123456' },
  },
  inCountry('mobile-money-bj-a', 'XOF', '1500.00', '+229 01 95 12 34 56'),
  inCountry('mobile-money-bj-b', 'XOF', '1500.00', '+229 01 95 12 34 56'),
  inCountry('mobile-money-tg-a', 'XOF', '1500.00', '+228 90 11 23 45'),
  inCountry('mobile-money-tg-b', 'XOF', '1500.00', '+228 90 11 23 45'),
];

const banks: readonly Row[] = [
  {
    key: 'open-banking',
    currency: 'GBP',
    amount: '15.00',
    sent: {
      payee_name: 'Ada Lovelace',
      payee_country: 'GB',
      payee_identifications: [{ type: 'IBAN', identification: 'GB29NWBK60161331926819' }],
    },
    shown: PAGE,
  },
  {
    key: 'online-bank-transfer',
    currency: 'EUR',
    amount: '15.00',
    typed: { 'customer.name': 'Ada Lovelace' },
    shown: PAGE,
  },
];

const DOCUMENT = '529.982.247-25';
const inReais = { currency: 'BRL', amount: '15.00' };

const pix: readonly Row[] = [
  { key: 'pix', ...inReais, sent: { debtor_document: '52998224725' }, shown: PIX },
  {
    key: 'pix',
    operation: 'credit',
    ...inReais,
    session: { payee },
    sent: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' },
  },
  { key: 'pix-collection', ...inReais, shown: PIX },
  { key: 'pix-document', ...inReais, typed: { 'parameters.pix-document.document_number': DOCUMENT }, shown: PIX },
  { key: 'pix-personal', ...inReais, typed: { 'parameters.pix-personal.personal_id': DOCUMENT }, shown: PAGE },
];

/** Each method once at least, with its parameters sent, typed and answered. */
export const rows: readonly Row[] = [...cards, ...coins, ...phones, ...banks, ...pix];
