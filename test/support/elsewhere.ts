/** Keys that refuse a payer of another country, or the payee where they pay out: their countries. Those of a country in the catalogue, written by hand. */
export const onlyIn: Readonly<Record<string, string>> = {
  'bank-ar': 'AR',
  'bank-mx': 'MX',
  'bank-code-tr': 'TR',
  'wallet-tr': 'TR',
  'qr-th': 'TH',
  'wallet-th': 'TH',
  'bank-redirect': 'CL CO MX PE',
  debin: 'AR',
  'mobile-pull-pe': 'PE',
  'bank-offline-ar': 'AR',
  'bank-offline-py': 'PY',
  'bank-offline-pe': 'PE',
  'bank-offline-cl': 'CL',
  'service-payment-pe': 'PE',
  disbursement: 'IN ID TH MX BR CO PE',
  'cash-voucher': 'MX',
  spei: 'MX',
  'hosted-payment-id': 'ID',
  'mobile-money': 'GH KE CI CM TZ EG',
  'mobile-money-ug': 'UG',
  'mobile-money-bj-a': 'BJ',
  'mobile-money-bj-b': 'BJ',
  'mobile-money-tg-a': 'TG',
  'mobile-money-tg-b': 'TG',
};

/** Keys that are at home in a country and take a payer of another one, for one of two reasons. */
export const atHomeIn: Readonly<Record<string, { readonly country: string; readonly because: RegExp }>> = {
  // Outside the method’s country its number is neither asked nor required (methods-catalogue.md, A17).
  ...Object.fromEntries(
    [
      ['upi-personal', 'IN'],
      ['upi-personal-alt', 'IN'],
      ['pix-personal', 'BR'],
      ['iban-tr', 'TR'],
      ['wallet-vn-a', 'VN'],
      ['wallet-vn-b', 'VN'],
      ['wallet-vn-c', 'VN'],
      ['wallet-co', 'CO'],
    ].map(([key = '', country = '']) => [key, { country, because: /no identity number .* not asked/ }]),
  ),
  // The protocol gives Pix a currency and no country.
  ...Object.fromEntries(
    ['pix', 'pix-collection', 'pix-document', 'pix-charge'].map((key) => [
      key,
      { country: 'BR', because: /currency decides/ },
    ]),
  ),
};

/** A currency that keys refuse; the others refuse the Swedish krona. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  // Any that a card is paid in.
  BTC: ['card', 'card-redirect', 'card-redirect-alt', 'apple-pay', 'google-pay', 'crypto-receive-fiat'],
  // Its orders are in money, or in bitcoin.
  ETH: ['bitcoin-btcpay'],
  // PayPal takes kronor.
  KES: ['redirect'],
};
/** Keys whose currencies no source names, or that take coins too. */
export const keysInAnyCurrency: readonly string[] = [
  'bank-account',
  'bank-beneficiary',
  'bank-deposit',
  'bank-withdrawal',
  'widget',
  'app',
  'qr',
  'payment-details',
  'link-email',
  'link-sms',
  'link-payout',
  'phone-wallet',
  'phone-prompt',
  'document-redirect',
  'document-redirect-alt',
  'document-redirect-typed',
  'member-redirect',
  'country-fields',
  'cash-wallet-deposit',
  'wallet-payin',
  'pin-voucher',
  'voucher-redirect',
  'cash-ticket',
  'cash-reference',
  'pay-later',
  'pay-later-basket',
  'crypto-wallet',
  'crypto-receive',
  'trading-deposit',
  'trading-withdrawal',
  'crypto-conversion',
  'conversion-to-coin',
  'mobile-money-otp',
  'mobile-money-gsma',
  'open-banking',
  'online-bank-transfer',
];

/** The wrong currency of a key, and whether there is one. */
export function otherCurrencyOf(key: string): { readonly code: string; readonly isRefused: boolean } {
  const [code = 'SEK'] = Object.entries(REFUSED).flatMap(([each, keys]) => (keys.includes(key) ? [each] : []));
  return { code, isRefused: !keysInAnyCurrency.includes(key) };
}

const OPERATIONS = ['purchase', 'debit', 'credit', 'transfer'];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  card: OPERATIONS,
  pix: ['purchase', 'credit'],
  'mobile-money': ['purchase', 'credit'],
  'mobile-money-gsma': ['purchase', 'credit'],
  'mobile-money-paystack': ['purchase', 'credit'],
  'bitcoin-btcpay': ['purchase', 'credit'],
  disbursement: ['credit'],
  'bank-withdrawal': ['credit'],
  'link-payout': ['credit'],
  'trading-withdrawal': ['credit'],
};

/** The operations that a key has not. */
export const otherOperationsOf = (key: string): readonly string[] =>
  OPERATIONS.filter((each) => !(TAKEN[key] ?? ['purchase']).includes(each));
