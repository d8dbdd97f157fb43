import type { PageModel, PageState } from '../../../src/page/index.ts';

/** A Pix code as a bank makes it: 160 characters, ending in its checksum. */
export const PIX_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.005802BR5913Loja da Maria6008BRASILIA62070503***63041D3D';

const NOW = '2026-03-04T12:00:00.000Z';
const LATER = '2026-03-04T12:14:32.000Z';
const BACK = 'https://shop.example/thanks?order=1';

export const pix = { key: 'pix', title: 'Pix' };
const refused = { code: 'card_declined', reason: 'Declined by processing.' } as const;
const methods = [
  { ...pix, atOnce: true },
  { key: 'card', title: 'Card' },
  { key: 'voucher', title: 'Cash at a shop', subtitle: 'OXXO' },
] as const;

const fields = [
  { name: 'customer.name', label: 'Name', input: 'text', required: true },
  {
    name: 'customer.email',
    label: 'E-mail',
    input: 'email',
    required: true,
    value: 'maria@shop',
    problem: 'This value is not a valid email address.',
  },
  {
    name: 'parameters.pix.document',
    label: 'Document number',
    input: 'digits',
    required: true,
    help: 'CPF or CNPJ, only digits.',
    problem: 'This value should not be blank.',
  },
  { name: 'customer.birth_date', label: 'Date of birth', input: 'date', required: false },
  {
    name: 'billing_address.country',
    label: 'Country',
    input: 'select',
    required: true,
    options: [
      { value: 'BR', label: 'Brazil' },
      { value: 'CL', label: 'Chile' },
    ],
  },
  { name: 'parameters.pix.terms', label: 'I accept the terms', input: 'checkbox', required: true },
];

const card = { key: 'card', title: 'Card' };
const number = {
  name: 'card.number',
  label: 'Card number',
  input: 'digits',
  required: true,
  autocomplete: 'cc-number',
};
const expiry = {
  name: 'card.expiry',
  label: 'Expiry Date',
  help: 'MM / YY',
  input: 'digits',
  required: true,
  autocomplete: 'cc-exp',
};
const code = { name: 'card.cvv', label: 'Security code', input: 'digits', required: true, autocomplete: 'cc-csc' };
const holder = { name: 'card.name', label: 'Name on card', input: 'text', required: true, autocomplete: 'cc-name' };
const saved = (key: string, title: string, lastFour: string) => ({
  key,
  card: { title, lastFour, expires: '12/2030' },
});
const taken = ['visa', 'mastercard', 'amex'];

/** One state of every kind that the page has, under a plain name. */
export const states = {
  choose: { kind: 'choose', methods },
  ask: { kind: 'ask', method: pix, fields, methods },
  'ask-nothing': { kind: 'ask', method: pix, fields: [], methods: [] },
  card: {
    kind: 'ask',
    method: card,
    fields: [number, expiry, code, holder],
    card: { taken, others: [] },
    methods: [pix, card],
  },
  wallet: {
    kind: 'ask',
    method: { key: 'google-pay', title: 'Google Pay' },
    fields: [],
    wallet: {
      kind: 'googlepay',
      problem: '',
      button: {
        script: 'https://wallet.invalid/pay.js',
        connect: ['https://wallet.invalid'],
        frame: ['https://sheet.wallet.invalid'],
        request: { environment: 'TEST' },
      },
    },
    methods: [{ key: 'google-pay', title: 'Google Pay' }, card],
  },
  'card-refused': {
    kind: 'ask',
    method: card,
    fields: [
      { ...number, problem: 'Bad Request. Brand of card does not support.' },
      { ...expiry, value: '10 / 20', problem: 'The expiration date of card is expired and not valid.' },
      { ...code, problem: 'Invalid security code' },
      {
        ...holder,
        value: 'Cher',
        problem: 'The name on card field Must contain at least 2 words: first name and last name.',
      },
    ],
    card: { taken, others: [] },
    methods: [],
  },
  'card-address': {
    kind: 'ask',
    method: card,
    fields: [
      number,
      expiry,
      code,
      holder,
      { name: 'billing_address.country', label: 'Country', input: 'country', required: true, autocomplete: 'country' },
      {
        name: 'billing_address.state',
        label: 'State/Region',
        input: 'state',
        required: false,
        autocomplete: 'address-level1',
        states: { of: ['US', 'CA', 'AU', 'JP', 'IN'] },
      },
    ],
    card: { taken, others: [] },
    methods: [],
  },
  secret: {
    kind: 'ask',
    method: { key: 'pin-voucher', title: 'Voucher with PIN' },
    fields: [{ name: 'parameters.pin-voucher.pin', label: 'Voucher PIN', input: 'code', required: true, secret: true }],
    methods: [],
  },
  consent: {
    kind: 'ask',
    method: card,
    fields: [number, expiry, code, holder],
    card: { taken, others: [] },
    consent: {
      amount: { text: '9.90', currency: 'BRL' },
      interval: { length: 1, unit: 'month' },
      count: 12,
      given: false,
    },
    methods: [],
  },
  amount: {
    kind: 'amount',
    method: card,
    methods,
    field: { name: 'order.amount', label: 'Amount', help: 'USD', input: 'amount', required: true },
    again: false,
  },
  'card-transfer': {
    kind: 'ask',
    method: card,
    amount: { text: '250.50', currency: 'BRL' },
    fields: [
      number,
      expiry,
      code,
      holder,
      { name: 'card.payee', label: 'Card number of the receiver', input: 'digits', required: true },
    ],
    card: { taken, others: [] },
    methods: [],
  },
  'card-saved': {
    kind: 'ask',
    method: card,
    fields: [code],
    card: {
      taken,
      saved: saved('0', 'Visa', '1111'),
      brand: 'visa',
      others: [saved('1', 'American Express', '0005'), { key: 'new' }],
    },
    methods: [],
  },
  'next-action': {
    kind: 'next-action',
    nextAction: {
      kind: 'collect',
      step: 'otp',
      fields: [],
      error: 'The code is wrong.',
      resend: true,
      mayTurnBack: true,
    },
    fields: [{ name: 'code', label: 'Code', input: 'code', required: true, help: 'We sent it to your phone.' }],
  },
  'visit-get': {
    kind: 'visit',
    nextAction: {
      kind: 'visit',
      step: 'bank',
      purpose: 'pay',
      url: 'https://bank.example/start?a=1',
      method: 'GET',
      fields: { b: '2' },
      reference: 'r',
      mayTurnBack: false,
    },
  },
  'visit-post': {
    kind: 'visit',
    nextAction: {
      kind: 'visit',
      step: 'acs',
      purpose: 'authenticate',
      url: 'https://acs.example/3ds',
      method: 'POST',
      fields: { PaReq: 'a&"<b' },
      reference: 'r',
      mayTurnBack: false,
    },
  },
  'ask-again': {
    kind: 'ask',
    method: pix,
    fields: fields.slice(0, 1),
    failed: { decline: refused, attemptsLeft: 2 },
    methods,
  },
  'choose-again': {
    kind: 'choose',
    methods,
    failed: { decline: { code: 'stopped_by_payer', reason: 'The payer stopped this attempt.' }, attemptsLeft: 1 },
  },
  'qr-outlives': {
    kind: 'show',
    renewable: true,
    outlives: true,
    show: { kind: 'qr', content: PIX_CODE, copy: true, validUntil: LATER },
  },
  leaving: { kind: 'leaving', validUntil: LATER, continueUrl: BACK },
  'leaving-outlives': { kind: 'leaving', validUntil: '2026-03-07T03:00:00.000Z', outlives: true, continueUrl: BACK },
  qr: { kind: 'show', renewable: true, show: { kind: 'qr', content: PIX_CODE, copy: true, validUntil: LATER } },
  'qr-upi': {
    kind: 'show',
    renewable: false,
    show: { kind: 'qr', content: 'upi://pay?pa=shop@bank&am=10.00&cu=INR', copy: true },
  },
  'qr-over': { kind: 'show', renewable: true, show: { kind: 'qr', content: PIX_CODE, validUntil: NOW } },
  redirect: {
    kind: 'show',
    renewable: false,
    show: { kind: 'redirect', url: 'https://bank.example/pay', surface: 'page' },
  },
  app: { kind: 'show', renewable: false, show: { kind: 'redirect', url: 'upi://pay?pa=shop@bank', surface: 'app' } },
  details: {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'payment-details',
      beneficiary: 'Example Company SA de CV',
      details: [
        { label: 'Bank', value: 'Banco Exemplo', copy: true },
        { label: 'IBAN', value: 'RS35105008123123123173', copy: true },
        { label: 'Reference', value: 'RF18539007547034', copy: true },
      ],
    },
  },
  voucher: {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'voucher',
      reference: '9300 1234 5678 9012',
      document: 'https://slips.example/1.pdf',
      details: [{ label: 'Shop', value: 'Any corner shop' }],
      validUntil: '2026-03-07T03:00:00.000Z',
    },
  },
  device: {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'confirm-on-device',
      channel: 'stk',
      message: 'Enter your PIN.',
      number: '+••••678',
      validUntil: LATER,
    },
  },
  link: { kind: 'show', renewable: false, show: { kind: 'link-sent', channel: 'email' } },
  address: {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'address',
      address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
      asset: 'USDT',
      network: 'TRC-20',
      validUntil: LATER,
    },
  },
  'address-part': {
    kind: 'show',
    renewable: false,
    received: { text: '4.00', currency: 'BRL' },
    show: {
      kind: 'address',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      asset: 'ETH',
      network: 'Ethereum (ERC20)',
      amount: '0.003125000000000001',
    },
  },
  'address-ethereum': {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'address',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      asset: 'ETH',
      network: 'Ethereum (ERC20)',
      amount: '0.003125000000000001',
    },
  },
  'address-bitcoin': {
    kind: 'show',
    renewable: false,
    show: {
      kind: 'address',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      asset: 'BTC',
      network: 'Bitcoin',
      amount: '0.00025',
    },
  },
  checking: { kind: 'checking', continueUrl: BACK },
  success: { kind: 'success', continueUrl: BACK },
  receipt: {
    kind: 'success',
    continueUrl: BACK,
    receipt: { paidAt: NOW, method: 'Card', brand: 'Visa', reference: '6ff9e7bb-1f4c-4a5e-9a3c-0d7f5b1c2e11' },
    stays: true,
  },
  'success-more': { kind: 'success', continueUrl: BACK, received: { text: '12.00', currency: 'BRL' } },
  declined: {
    kind: 'declined',
    decline: { code: 'declined_by_bank', reason: 'The bank said no.' },
    mayRetry: true,
    continueUrl: BACK,
  },
  'declined-again': {
    kind: 'declined',
    decline: refused,
    mayRetry: true,
    method: 'card',
    others: methods.slice(2),
    attemptsLeft: 1,
    continueUrl: BACK,
  },
  'declined-for-good': {
    kind: 'declined',
    decline: refused,
    mayRetry: false,
    usedUp: true,
    continueUrl: BACK,
  },
  expired: { kind: 'expired', continueUrl: BACK },
  'expired-part': {
    kind: 'expired',
    continueUrl: BACK,
    received: { text: '4.00', currency: 'BRL' },
    mayArrive: 'deposit',
  },
  'expired-late': { kind: 'expired', continueUrl: BACK, mayArrive: 'payment' },
  'expired-after-decline': { kind: 'expired', continueUrl: BACK, decline: refused },
  cancelled: { kind: 'cancelled', continueUrl: BACK },
  error: { kind: 'error', continueUrl: BACK, nothingCharged: true },
  'error-here': { kind: 'error', nothingCharged: true, others: methods },
  'given-back': { kind: 'given-back', continueUrl: BACK },
} as const satisfies Record<string, PageState>;

export type StateName = keyof typeof states;
export const stateNames = Object.keys(states).filter((name): name is StateName => name in states);

export function pageModel(state: PageState, changes: Partial<PageModel> = {}): PageModel {
  return {
    merchantName: 'Loja da Maria',
    orderNumber: 'A-1042',
    description: 'Two tickets, Saturday 20:00',
    amount: { text: '10.00', currency: 'BRL' },
    operation: 'purchase',
    test: false,
    expiresAt: '2026-03-04T12:30:00.000Z',
    now: NOW,
    base: '/auth/token-1',
    printsTickets: true,
    canCancel: ['choose', 'amount', 'ask', 'next-action', 'show', 'visit'].includes(state.kind),
    canChange: ['next-action', 'show', 'visit', 'leaving'].includes(state.kind),
    version: 3,
    urlTarget: '_self',
    state,
    ...changes,
  };
}
