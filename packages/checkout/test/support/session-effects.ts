/** Where the effect of a session field is seen. */
export type Seen =
  /** The page before the payer pays. */
  | 'page'
  /** The page after the payment. */
  | 'paid page'
  /** Where the page leads once the payer cancels, and what it says. */
  | 'cancelled'
  /** The page two minutes after the session began. */
  | 'later'
  /** The request to the provider. */
  | 'provider'
  | 'callback'
  /** The answer to the session request. */
  | 'answer';

export type Effect = {
  /** What the field does, for the table in the documentation. */
  readonly does: string;
} & (
  | {
      /** What is sent; a dot leads into a block. */
      readonly send: Readonly<Record<string, unknown>>;
      readonly seen: Seen;
      /** Seen with the field and not without. */
      readonly text: string;
      /** Sent with and without the field. */
      readonly beside?: Readonly<Record<string, unknown>>;
    }
  /** The effect needs more than one request; that test shows it. */
  | { readonly shownBy: string; readonly title: string }
);

const payee = { operation: 'credit', payee: { name: 'Ann Lee' } };

const address = (block: string, who: string, beside: Readonly<Record<string, unknown>>) => {
  const passed = (name: string, text: string, does: string): [string, Effect] => [
    `${block}.${name}`,
    { does, send: { [`${block}.${name}`]: text }, seen: 'provider', text: `"${name}":"${text}"`, beside },
  ];
  return Object.fromEntries([
    passed('country', 'NL', `Country of ${who}; methods may depend on it.`),
    [
      `${block}.state`,
      {
        does: `State of ${who}, where the country is US, CA, AU, JP or IN; ignored elsewhere.`,
        send: { [`${block}.state`]: 'TX' },
        seen: 'provider',
        text: '"state":"TX"',
        beside: { ...beside, [`${block}.country`]: 'US' },
      },
    ] satisfies [string, Effect],
    passed('city', 'Mirrortown', `City of ${who}.`),
    passed('address', 'Mirror Street', `Street of ${who}.`),
    passed('house_number', '77b', `House number of ${who}.`),
    passed('zip', '77077', `Postal code of ${who}.`),
    passed('phone', '+31777777', `Phone number of ${who}.`),
    passed('phone_country_code', '+31', `Calling code of the phone number of ${who}.`),
    passed('district', 'Mirror District', `District of ${who}.`),
    passed(
      'language',
      'nl',
      block === 'billing_address'
        ? "Language of the payment page, or the nearest that the page has; the payer can change it. Default: the browser's. Also sent to providers that ask for one."
        : `Language of ${who}, for providers that ask for one.`,
    ),
  ]);
};

/** Every field that a session request may carry, in the order of the protocol's tables, and what it does. */
export const SESSION_EFFECTS: Readonly<Record<string, Effect>> = {
  merchant_key: {
    does: 'Whose session it is; a test key makes a test payment.',
    send: { merchant_key: 'unknown' },
    seen: 'answer',
    text: 'hash: ',
  },
  operation: {
    does: 'Which flow of the method runs.',
    send: { operation: 'debit' },
    seen: 'provider',
    text: '"operation":"debit"',
  },
  success_url: {
    does: 'Where the payer goes after a payment that worked.',
    send: { success_url: 'https://shop.example/mirror-success' },
    seen: 'paid page',
    text: 'mirror-success',
  },
  cancel_url: {
    does: 'Where the payer goes after cancelling, or after the last allowed decline.',
    send: { cancel_url: 'https://shop.example/mirror-cancel' },
    seen: 'cancelled',
    text: 'mirror-cancel',
  },
  expiry_url: {
    does: 'Where the payer goes once the session has expired.',
    send: { expiry_url: 'https://shop.example/mirror-expiry' },
    seen: 'later',
    text: 'mirror-expiry',
    beside: { session_expiry: 1 },
  },
  error_url: {
    does: 'Where the payer goes after a technical error of the checkout.',
    shownBy: 'ways-out/ends.test.ts',
    title: 'error_url',
  },
  url_target: {
    does: 'The browsing context of the way back.',
    send: { url_target: '_top' },
    seen: 'paid page',
    text: 'target="_top"',
  },
  session_expiry: {
    does: 'Minutes until the session expires, 60 unless sent.',
    send: { session_expiry: 1 },
    seen: 'later',
    text: 'shop.example/expiry',
  },
  channel_id: {
    does: 'Leads to the MIDs of that channel.',
    send: { channel_id: 'north' },
    seen: 'provider',
    text: '/north/pay',
  },
  hash: { does: 'The request’s signature.', send: { hash: '0'.repeat(40) }, seen: 'answer', text: 'hash: ' },
  'order.number': {
    does: 'The merchant’s name for the order; unique for 15 seconds.',
    send: { 'order.number': 'mirror-number' },
    seen: 'callback',
    text: 'order_number=mirror-number',
  },
  'order.amount': {
    does: 'The amount to pay.',
    send: { 'order.amount': '77.77' },
    seen: 'provider',
    text: '"amount":"77.77"',
  },
  'order.currency': {
    does: 'The currency to pay in.',
    send: { 'order.currency': 'EUR' },
    seen: 'provider',
    text: '"currency":"EUR"',
  },
  'order.description': {
    does: 'What the payer reads about the order.',
    send: { 'order.description': 'Mirror description' },
    seen: 'page',
    text: 'Mirror description',
  },
  'customer.name': {
    does: 'Name of the payer.',
    send: { 'customer.name': 'Mira Mirror' },
    seen: 'provider',
    text: 'Mira Mirror',
  },
  'customer.email': {
    does: 'E-mail address of the payer.',
    send: { 'customer.email': 'mirror@shop.example' },
    seen: 'provider',
    text: 'mirror@shop.example',
  },
  'customer.birth_date': {
    does: 'Birth date of the payer.',
    send: { 'customer.birth_date': '1977-07-07' },
    seen: 'provider',
    text: '1977-07-07',
  },
  'customer.ip': {
    does: 'Refused: it belongs to the request for a hosted-fields token.',
    send: { 'customer.ip': '203.0.113.7' },
    seen: 'answer',
    text: 'customer.ip: ',
  },
  ...address('billing_address', 'the payer', {}),
  parameters: {
    does: 'What a method needs beyond the session, by method key.',
    send: { parameters: { mirror: { note: 'mirror note' } } },
    seen: 'provider',
    text: 'mirror note',
  },
  custom_data: {
    does: 'The merchant’s own data, echoed in callbacks.',
    send: { custom_data: { mark: 'mirror mark' } },
    seen: 'callback',
    text: 'mirror+mark',
  },
  methods: {
    does: 'The methods that the payer may choose from.',
    send: { methods: ['mirror', 'mirror-again'] },
    seen: 'page',
    text: 'method=mirror-again',
  },
  req_token: {
    does: 'Asks for a `card_token` in the callback.',
    send: { req_token: true },
    seen: 'provider',
    text: '"req_token":true',
  },
  card_token: {
    does: 'Saved cards that the payer may pay with instead of entering one.',
    send: { card_token: ['a'.repeat(64)] },
    seen: 'answer',
    text: 'card_token: ',
  },
  auth: {
    does: 'Holds the money, to be captured later.',
    send: { auth: true },
    seen: 'provider',
    text: '"auth":true',
  },
  recurring_init: {
    does: 'Begins a mandate for later charges.',
    send: { recurring_init: true },
    seen: 'provider',
    text: '"recurring_init":true',
  },
  schedule_id: {
    does: 'The schedule that charges later payments, with `recurring_init`.',
    shownBy: 'schedules/charges.test.ts',
    title: 'charges on its due days',
  },
  schedule_start_date: {
    does: 'The day of the first charge of the schedule, from which the later ones count.',
    shownBy: 'schedules/chains.test.ts',
    title: 'begins on the chosen day',
  },
  payment_schedule_amount: {
    does: 'The amount of each charge of the schedule, where it is not the order’s.',
    shownBy: 'schedules/chains.test.ts',
    title: 'with the amount of later payments',
  },
  vat_calc: {
    does: 'Tells the value-added tax that the amount contains, by the merchant’s rate for the payer’s country: on the page, in callbacks and in the status. Refused where the merchant has no such rate. Needs `billing_address.country`.',
    send: { vat_calc: true },
    seen: 'callback',
    text: 'vat_amount=',
    beside: { 'billing_address.country': 'NL' },
  },
  'payee.name': {
    does: 'Name of the payee.',
    send: { 'payee.name': 'Paula Mirror' },
    seen: 'provider',
    text: 'Paula Mirror',
    beside: payee,
  },
  'payee.email': {
    does: 'E-mail address of the payee.',
    send: { 'payee.email': 'paula@shop.example' },
    seen: 'provider',
    text: 'paula@shop.example',
    beside: payee,
  },
  ...address('payee_billing_address', 'the payee', payee),
  'crypto.network': {
    does: 'The network shown to the payer of a crypto method, and echoed in callbacks.',
    send: { 'crypto.network': 'MIRRORNET' },
    seen: 'callback',
    text: 'crypto_network=MIRRORNET',
  },
  accountId: {
    does: 'The account to transact for, for methods that have accounts.',
    send: { accountId: 'mirror-account' },
    seen: 'provider',
    text: 'mirror-account',
  },
  form_id: {
    does: 'Chooses a custom payment form: the look that the merchant’s configuration has under this UUID. Refused where there is none.',
    send: { form_id: '57FDDECF-17b9-4d38-9320-a670f0c29ec0' },
    seen: 'page',
    text: 'background:#123456',
  },
  recurring_consent_required: {
    does: 'Asks the payer to agree to the charges of the schedule; without that it is a one-time purchase.',
    shownBy: 'schedules/consent.test.ts',
    title: 'asks the payer',
  },
};
