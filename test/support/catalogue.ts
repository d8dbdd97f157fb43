interface Paid {
  /** The package whose connectors serve the keys. */
  readonly by: string;
  /** The test file in which each of them is paid through the running service, below `packages/checkout/test`. */
  readonly in: string;
  /** The file that names the keys, where the test has them from a helper. */
  readonly helper?: string;
  readonly keys: readonly string[];
  /** Keys of the package that are none of the catalogue’s, each with its reason. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The 79 keys of the catalogue of methods (methods-catalogue.md, 1 to 48), each under the package that serves it, and those that are served beside it. The catalogue proposes
 * other packages for two: `service-payment-pe` has the provider of the bank collections, `spei` that of the cash vouchers.
 */
export const catalogue: readonly Paid[] = [
  {
    by: 'bank-transfer',
    in: 'families/bank-transfer.test.ts',
    keys: [
      'bank-account',
      'bank-ar',
      'bank-mx',
      'iban-tr',
      'bank-code-tr',
      'wallet-tr',
      'qr-th',
      'wallet-th',
      'bank-redirect',
      'bank-beneficiary',
      'bank-deposit',
      'ips-qr',
      'debin',
      'mobile-pull-pe',
      'bank-offline-ar',
      'bank-offline-py',
      'bank-offline-pe',
      'bank-offline-cl',
      'service-payment-pe',
    ],
  },
  { by: 'bank-transfer', in: 'families/bank-payouts.test.ts', keys: ['disbursement', 'bank-withdrawal'] },
  {
    by: 'wallet',
    in: 'families/wallet.test.ts',
    keys: [
      'widget',
      'app',
      'qr',
      'payment-details',
      'link-email',
      'link-sms',
      'phone-wallet',
      'phone-prompt',
      'document-redirect',
      'document-redirect-alt',
      'document-redirect-typed',
      'member-redirect',
      'country-fields',
      'upi',
      'upi-address',
      'upi-personal',
      'upi-personal-alt',
      'wallet-co',
      'wallet-vn-a',
      'wallet-vn-b',
      'wallet-vn-c',
    ],
  },
  { by: 'wallet', in: 'families/wallet-payers.test.ts', keys: ['cash-wallet-deposit', 'wallet-payin'] },
  { by: 'wallet', in: 'families/wallet-payouts.test.ts', keys: ['link-payout'] },
  { by: 'wallet', in: 'service/real-providers.test.ts', keys: ['redirect'] },
  {
    by: 'voucher',
    in: 'families/voucher.test.ts',
    keys: ['pin-voucher', 'voucher-redirect', 'cash-ticket'],
    extra: { 'cash-reference': 'The reference flow of cash-voucher at an invented provider; Conekta serves that key.' },
  },
  { by: 'voucher', in: 'service/conekta.test.ts', keys: ['cash-voucher', 'spei'] },
  {
    by: 'pay-later',
    in: 'families/pay-later.test.ts',
    keys: ['hosted-payment-id', 'pay-later', 'pay-later-basket'],
  },
  { by: 'card', in: 'wallets/wallet-keys.test.ts', keys: ['apple-pay', 'google-pay'] },
  { by: 'card', in: 'families/five-packages.test.ts', keys: ['card', 'card-redirect', 'card-redirect-alt'] },
  {
    by: 'crypto',
    in: 'families/five-packages.test.ts',
    keys: [
      'crypto-wallet',
      'crypto-receive',
      'crypto-receive-fiat',
      'trading-deposit',
      'trading-withdrawal',
      'crypto-conversion',
      'conversion-to-coin',
    ],
  },
  {
    by: 'mobile-money',
    in: 'families/five-packages.test.ts',
    keys: [
      'mobile-money',
      'mobile-money-ug',
      'mobile-money-otp',
      'mobile-money-bj-a',
      'mobile-money-bj-b',
      'mobile-money-tg-a',
      'mobile-money-tg-b',
    ],
  },
  { by: 'open-banking', in: 'families/five-packages.test.ts', keys: ['open-banking', 'online-bank-transfer'] },
  { by: 'pix', in: 'families/five-packages.test.ts', keys: ['pix', 'pix-collection', 'pix-document', 'pix-personal'] },
  {
    by: 'crypto',
    in: 'service/real-providers.test.ts',
    helper: 'support/real-providers.ts',
    keys: [],
    extra: { 'bitcoin-btcpay': 'Bitcoin by BTCPay Server, whose invoice has no parameters.' },
  },
  {
    by: 'card',
    in: 'service/real-providers.test.ts',
    keys: [],
    extra: { 'card-hosted': 'GOV.UK Pay, on whose page the payer enters the card.' },
  },
  {
    by: 'wallet',
    in: 'service/real-providers.test.ts',
    keys: [],
    extra: { 'wallet-vipps': 'Vipps MobilePay, which holds the money until the merchant captures it.' },
  },
  {
    by: 'mobile-money',
    in: 'service/real-providers.test.ts',
    helper: 'support/real-providers.ts',
    keys: [],
    extra: { 'mobile-money-gsma': 'The GSMA Mobile Money API, in any country.' },
  },
  {
    by: 'mobile-money',
    in: 'service/real-providers.test.ts',
    helper: 'support/real-providers.ts',
    keys: [],
    extra: { 'mobile-money-paystack': 'Paystack, which asks for the network.' },
  },
  {
    by: 'pix',
    in: 'service/real-providers.test.ts',
    helper: 'support/real-providers.ts',
    keys: [],
    extra: { 'pix-charge': 'A charge of the API Pix of the Banco Central.' },
  },
];

/** @returns the keys that have to have a row in a test file, in the order of the alphabet */
export function keysPaidIn(file: string): string[] {
  const paid = catalogue.filter((each) => each.in === file);
  return paid.flatMap(({ keys, extra = {} }) => [...keys, ...Object.keys(extra)]).toSorted();
}
