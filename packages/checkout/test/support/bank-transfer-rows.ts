type Answer = Readonly<Record<string, string>>;

/** A payment by one of these methods, from the session to the last callback. */
export interface Row {
  readonly key: string;
  readonly currency: string;
  readonly amount: string;
  /** Parameters of the request. */
  readonly sent: object;
  /** What the payer types before they press the button, by the name of the parameter. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What the payer answers after it: once, or at each of several steps. */
  readonly answered?: Answer | readonly Answer[];
  /** A text that the payer reads while the payment is pending. */
  readonly shown: string;
  /** Of the order, where it sets the course of the simulated provider. */
  readonly description?: string;
  /** Where the method needs to know the country. */
  readonly country?: string;
}

const ACCOUNT = '2850590940090418135201';
/** The simulated provider’s own page. */
const PAGE = '/?payment=';
const ownAccount = { orgCode: 'ZIRAAT', accountName: 'Ada Yilmaz', accountNumber: '1234567' };
const beneficiary = { step: 'beneficiary', name: 'Example Shop', account: '1234567890' };
const deposited = {
  BankName: 'Example Bank',
  BankCode: '0123',
  BranchName: 'Main street',
  BranchCode: '045',
  AccountNumber: '1234567',
};
/** Each method once at least, with its parameters sent, typed and answered. */
export const rows: readonly Row[] = [
  {
    key: 'bank-offline-ar',
    currency: 'ARS',
    amount: '1500.00',
    sent: { clientTaxId: '20-05536168-2' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-ar',
    currency: 'ARS',
    amount: '1500.00',
    sent: {},
    typed: { clientTaxId: '12.345.678' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-cl',
    currency: 'CLP',
    amount: '1500.00',
    sent: {},
    typed: { clientTaxId: '12.531.909-2' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-pe',
    currency: 'PEN',
    amount: '15.00',
    sent: {},
    typed: { clientname: 'Rosa Quispe' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-py',
    currency: 'PYG',
    amount: '1500.00',
    sent: {},
    typed: { clientname: 'Ana Ayala' },
    shown: ACCOUNT,
  },
  {
    key: 'debin',
    currency: 'ARS',
    amount: '1500.00',
    sent: { bankDetails: { alias: 'mesa.rio.luna' } },
    shown: 'Authorise the debit at your bank.',
  },
  {
    key: 'debin',
    currency: 'ARS',
    amount: '1500.00',
    sent: {},
    answered: { step: 'account', account: ACCOUNT },
    shown: 'Authorise the debit at your bank.',
  },
  {
    key: 'mobile-pull-pe',
    currency: 'PEN',
    amount: '15.00',
    sent: {},
    answered: { step: 'code', phoneNumber: '987 654 321', otp: '123456' },
    shown: 'Corner shop',
  },
  {
    key: 'mobile-pull-pe',
    currency: 'PEN',
    amount: '15.00',
    sent: { bankDetails: { phoneNumber: '+51987654321', otp: '123456' } },
    shown: 'Corner shop',
  },
  { key: 'bank-ar', currency: 'ARS', amount: '1500.00', sent: {}, typed: { bank_cuil: '20-05536168-2' }, shown: PAGE },
  {
    key: 'bank-mx',
    currency: 'MXN',
    amount: '15.00',
    sent: {},
    typed: { bank_curp: 'BOXW310820HNERXN09' },
    shown: PAGE,
  },
  { key: 'bank-code-tr', currency: 'TRY', amount: '15.00', sent: {}, typed: ownAccount, shown: PAGE },
  { key: 'wallet-tr', currency: 'TRY', amount: '15.00', sent: {}, typed: ownAccount, shown: PAGE },
  { key: 'wallet-th', currency: 'THB', amount: '15.00', sent: {}, typed: ownAccount, shown: PAGE },
  { key: 'service-payment-pe', currency: 'PEN', amount: '15.00', sent: {}, shown: '4821057390' },
  {
    key: 'qr-th',
    currency: 'THB',
    amount: '15.00',
    sent: {},
    typed: ownAccount,
    shown: '00020101021230TRANSFERbt_40c1',
  },
  { key: 'iban-tr', currency: 'TRY', amount: '15.00', sent: {}, typed: { personal_id: '17291716060' }, shown: PAGE },
  {
    key: 'bank-account',
    currency: 'MYR',
    amount: '15.00',
    sent: { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' },
    shown: 'Approve the payment in the app of your bank.',
  },
  {
    key: 'bank-redirect',
    currency: 'COP',
    amount: '15.00',
    country: 'CO',
    sent: { bank: 'B-02', person_type: 'company', document_type: 'NIT', document_number: '213.123.432-1' },
    shown: PAGE,
  },
  {
    key: 'bank-redirect',
    currency: 'COP',
    amount: '15.00',
    country: 'CO',
    sent: {},
    typed: { person_type: 'individual', document_type: 'CC', document_number: '1.020.304.050' },
    answered: { step: 'bank', bank: 'B-02' },
    shown: PAGE,
  },
  {
    key: 'bank-redirect',
    currency: 'CLP',
    amount: '1500.00',
    country: 'CL',
    sent: {},
    typed: { document_number: '12.531.909-2' },
    answered: { step: 'bank', bank: 'B-01' },
    shown: PAGE,
  },
  {
    key: 'bank-redirect',
    currency: 'MXN',
    amount: '15.00',
    country: 'MX',
    sent: {},
    typed: { document_type: 'CURP', document_number: 'BOXW310820HNERXN09' },
    shown: '032180000118359719',
  },
  {
    key: 'bank-redirect',
    currency: 'PEN',
    amount: '15.00',
    country: 'PE',
    sent: { document_number: '20512333797' },
    typed: { document_type: 'RUC' },
    answered: { step: 'bank', bank: 'B-02' },
    shown: PAGE,
  },
  {
    key: 'bank-deposit',
    currency: 'BDT',
    amount: '15.00',
    sent: {},
    typed: deposited,
    shown: '0045-778120',
  },
  { key: 'bank-deposit', currency: 'BDT', amount: '15.00', sent: deposited, shown: 'D48210573' },
  { key: 'ips-qr', currency: 'RSD', amount: '15.00', sent: {}, shown: 'QR code for this payment' },
  { key: 'ips-qr', currency: 'EUR', amount: '15.00', sent: {}, shown: 'QR code for this payment' },
  { key: 'ips-qr', currency: 'BAM', amount: '15.00', sent: {}, shown: 'QR code for this payment' },
  { key: 'ips-qr', currency: 'MKD', amount: '15.00', sent: {}, shown: 'QR code for this payment' },
  {
    key: 'bank-beneficiary',
    currency: 'EUR',
    amount: '15.00',
    sent: {},
    answered: [beneficiary, { step: 'account', account: 'acc-2' }, { step: 'code', code: '123456' }],
    shown: 'Corner shop',
  },
  {
    key: 'bank-beneficiary',
    currency: 'EUR',
    amount: '15.00',
    sent: { beneficiary: { name: 'Example Shop', account: '1234567890' } },
    description: 'Two books, code at every stage',
    answered: [
      { step: 'code', resend: '1' },
      { step: 'code#2', code: '123456' },
      { step: 'code#3', code: '123456' },
      { step: 'account', account: 'acc-1' },
      { step: 'code#4', code: '123456' },
    ],
    shown: 'Corner shop',
  },
];
