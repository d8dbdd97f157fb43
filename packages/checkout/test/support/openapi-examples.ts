import {
  cardDigits,
  type CommandFormula,
  type Formula,
  signCommand,
  type SignedCommandFields,
  type SignedFields,
  signRequest,
} from '@railyard/core/protocol';
import { merchant, trial } from './pix-config.ts';

/** Values that the service gives and later requests name. */
export interface Ids {
  readonly payment_id: string;
  readonly trans_id: string;
  readonly recurring_init_trans_id: string;
  readonly recurring_token: string;
  readonly schedule_id: string;
  readonly public_id: string;
}

/** They stand in the document; a test sends those that its service gave. */
export const PRINTED: Ids = {
  payment_id: 'dc66cdd8-d702-4ea0-9a2f-0242c0a87002',
  trans_id: '0fb5b0a2-4f0a-4a86-a5e5-8f1d2f6c3b11',
  recurring_init_trans_id: '0fb5b0a2-4f0a-4a86-a5e5-8f1d2f6c3b11',
  recurring_token: 'f5b0e5d4-6a2e-4d3f-9c0b-1d7a8a2b9e10',
  schedule_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0',
  public_id: 'dc66cdd8-d702-4ea0-9a2f-0242c0a87002',
};

type Fields = Readonly<Record<string, unknown>>;

/** A request of the document. */
export interface Example {
  /** The address that it is sent to. */
  readonly path: string;
  readonly summary: string;
  /** The formula of its hash. Payments of hosted fields have a token instead. */
  readonly formula?: Formula | CommandFormula;
  /** The fields of the formula that are empty by the rules of the command, whatever the request holds. */
  readonly empty: readonly string[];
  /** Of a command with its brackets: `parameters[key]`. */
  readonly body: Fields;
  /** The status of the answer. */
  readonly status: 200 | 400;
}

const API = '/api/v1';

interface ApiExample<F extends Formula> {
  readonly path: string;
  readonly formula: F;
  readonly signed: SignedFields<F>;
  readonly body: Fields;
  readonly status?: 400;
  /** Who signs: the merchant, unless it is the test key. */
  readonly by?: { readonly key: string; readonly password: string };
}

const call = <F extends Formula>(
  summary: string,
  { path, formula, signed, body, status, by = merchant }: ApiExample<F>,
): Example => ({
  path: `${API}${path}`,
  summary,
  formula,
  empty: [],
  body: { merchant_key: by.key, ...body, hash: signRequest(formula, signed, by.password) },
  status: status ?? 200,
});

const session = (
  summary: string,
  path: '/session' | '/session/token',
  order: SignedFields<'session'>,
  more: Fields,
  status?: 400,
) =>
  call(summary, {
    path,
    formula: 'session',
    signed: order,
    body: { operation: 'purchase', methods: ['card'], ...more, order },
    ...(status && { status }),
  });

const order = (number: string, amount = '10.00') => ({
  number,
  amount,
  currency: 'USD',
  description: 'Important gift',
});

const PAGE = { success_url: 'https://shop.example/success', cancel_url: 'https://shop.example/cancel' };

/** A call that names a payment. */
const on = (
  summary: string,
  path: string,
  formula: 'void' | 'retry' | 'status_by_payment',
  { payment_id }: Ids,
  status?: 400,
) => call(summary, { path, formula, signed: { payment_id }, body: { payment_id }, ...(status && { status }) });

const part = (summary: string, of: 'capture' | 'refund', { payment_id }: Ids, amount: string, status?: 400) =>
  call(summary, {
    path: `/payment/${of}`,
    formula: of,
    signed: { payment_id, amount },
    body: { payment_id, amount },
    ...(status && { status }),
  });

interface CommandExample<F extends CommandFormula> {
  readonly path?: '/post' | '/v2/post' | '/post-va';
  readonly formula: F;
  readonly signed: SignedCommandFields<F>;
  readonly status?: 400;
}

const command = <F extends CommandFormula>(
  summary: string,
  action: string,
  { path = '/post', formula, signed, status }: CommandExample<F>,
  body: Fields,
): Example => ({
  path,
  summary,
  formula,
  empty: Object.entries<string>(signed).flatMap(([name, value]) => (value === '' ? [name] : [])),
  body: { action, client_key: merchant.key, ...body, hash: signCommand(formula, signed, merchant.password) },
  status: status ?? 200,
});

const PAYER_EMAIL = 'doe@example.com';
const NUMBER = '4111111111111111';
const OTHER_NUMBER = '4601541833776519';

const CARD = { card_number: NUMBER, card_exp_month: '01', card_exp_year: '2038', card_cvv2: '123' };

const PAYER = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_address: 'Big street',
  payer_country: 'US',
  payer_state: 'CA',
  payer_city: 'City',
  payer_zip: '123456',
  payer_email: PAYER_EMAIL,
  payer_phone: '199999999',
  payer_ip: '192.0.2.1',
};

const ordered = (order_id: string, order_currency = 'USD') => ({
  order_id,
  order_amount: '10.00',
  order_currency,
  order_description: 'Important gift',
});

const byCard = { payer_email: PAYER_EMAIL, card: cardDigits(NUMBER) };

const cardPayment = (
  summary: string,
  action: 'SALE' | 'DEBIT',
  order_id: string,
  more: Fields = {},
  path?: '/v2/post',
) =>
  command(
    summary,
    action,
    { formula: 'card', signed: byCard, ...(path && { path }) },
    { ...ordered(order_id), ...CARD, ...PAYER, term_url_3ds: 'https://shop.example/back', ...more },
  );

/** A command on a transaction that was paid by the card of these examples. */
const ofCard = (summary: string, action: string, { trans_id }: Ids, more: Fields = {}) =>
  command(summary, action, { formula: 'card_transaction', signed: { ...byCard, trans_id } }, { trans_id, ...more });

const later = (summary: string, action: string, order_id: string, ids: Ids) =>
  command(
    summary,
    action,
    { formula: 'card', signed: byCard },
    {
      order_id,
      order_amount: '3.00',
      order_description: 'A month',
      recurring_first_trans_id: ids.trans_id,
      recurring_token: ids.recurring_token,
    },
  );

/** A payment of S2S APM, by Pix. */
const byPix = (summary: string, action: string, order_id: string, more: Fields) => {
  const { order_amount, order_currency, ...others } = ordered(order_id, 'BRL');
  const signed = { identifier: 'shop-1', order_id, order_amount, order_currency };
  return command(
    summary,
    action,
    { path: '/post-va', formula: 'collection', signed },
    { brand: 'pix', order_amount, order_currency, ...others, identifier: 'shop-1', payer_ip: '192.0.2.1', ...more },
  );
};

const toAccount = (summary: string, action: string, fields: SignedCommandFields<'payout'>, more: Fields) => {
  const { order_id, order_amount, order_currency } = fields;
  const signed = { order_id, order_amount, order_currency };
  return command(summary, action, { path: '/post-va', formula: 'payout', signed }, { ...fields, ...more });
};

const onPix = (
  summary: string,
  action: string,
  { trans_id }: Ids,
  formula: 'transaction' | 'credit_void',
  status?: 400,
) =>
  command(
    summary,
    action,
    { path: '/post-va', formula, signed: { trans_id }, ...(status && { status }) },
    { trans_id },
  );

const onSchedule = (summary: string, action: string, schedule_id: string, more: Fields = {}) =>
  command(
    summary,
    action,
    { formula: 'schedule', signed: { schedule_id } },
    { ...(schedule_id !== '' && { schedule_id }), ...more },
  );

const processing = (summary: string, operation: 'purchase' | 'debit', body: Fields): Example => ({
  path: `${API}/processing/${operation}/card`,
  summary,
  empty: [],
  body,
  status: 200,
});

const FIELDS = { return_url: 'https://shop.example/return' };

/** A request for each thing that a merchant can ask for. A test signs each, sends it to a running service and compares the answer. */
export const EXAMPLES = {
  session: () =>
    session('A purchase by card', '/session', order('order-1'), {
      ...PAGE,
      customer: { name: 'John Doe', email: PAYER_EMAIL },
      custom_data: { cart: 17 },
    }),
  session_hold: () => session('A hold, to be captured later', '/session', order('order-2'), { ...PAGE, auth: true }),
  session_mandate: () =>
    session('A purchase that begins a mandate', '/session', order('order-3'), { ...PAGE, recurring_init: true }),
  session_invalid: () => session('An amount with too many decimals', '/session', order('order-4', '10.001'), PAGE, 400),
  token: () =>
    session(
      'A purchase in hosted fields',
      '/session/token',
      { ...order('order-5'), description: 'Pão de queijo' },
      FIELDS,
    ),
  token_debit: () =>
    session('A debit in hosted fields', '/session/token', order('order-6'), { ...FIELDS, operation: 'debit' }),
  processing: () =>
    processing('Pays with the card that was entered', 'purchase', {
      with_hosted_fields: true,
      name: 'John Doe',
      email: PAYER_EMAIL,
      browser_info: { user_agent: 'Mozilla/5.0', language: 'en', screen_width: '1920' },
    }),
  processing_again: ({ public_id }: Ids) =>
    processing('Asks how the payment stands', 'purchase', { name: 'John Doe', public_id }),
  processing_debit: () => processing('Debits the card that was entered', 'debit', { name: 'John Doe' }),
  status: (ids: Ids) => on('Of a payment', '/payment/status', 'status_by_payment', ids),
  status_by_order: () =>
    call('Of the payments of an order', {
      path: '/payment/status',
      formula: 'status_by_order',
      signed: { order_id: 'order-1' },
      body: { order_id: 'order-1', size: 10 },
    }),
  status_unknown: () =>
    on(
      'Of a payment that does not exist',
      '/payment/status',
      'status_by_payment',
      { ...PRINTED, payment_id: '00000000-0000-4000-8000-000000000000' },
      400,
    ),
  capture: (ids: Ids) => part('A part of the hold', 'capture', ids, '8.00'),
  refund: (ids: Ids) => part('A part of the payment', 'refund', ids, '2.50'),
  refund_too_much: (ids: Ids) => part('More than was paid', 'refund', ids, '10.01', 400),
  void: (ids: Ids) => on('Takes the payment back', '/payment/void', 'void', ids),
  recurring: ({ recurring_init_trans_id, recurring_token }: Ids) => {
    const charged = { number: 'order-7', amount: '3.00', description: 'A month' };
    const mandate = { recurring_init_trans_id, recurring_token };
    return call('Charges the mandate', {
      path: '/payment/recurring',
      formula: 'recurring',
      signed: { ...mandate, ...charged },
      body: { ...mandate, order: charged },
    });
  },
  retry: (ids: Ids) => on('Tries the charge again', '/payment/retry', 'retry', ids),
  card_credit: () => {
    const { order_id, order_amount, order_currency, order_description } = ordered('payout-1');
    const signed = { order_id, order_amount, order_currency, order_description };
    return call('Pays out to a card', {
      path: '/payment/card/credit',
      formula: 'card_credit',
      signed,
      body: { ...signed, card_number: OTHER_NUMBER, payee_first_name: 'Jane', payee_last_name: 'Roe' },
    });
  },
  test_clock: () =>
    call('Moves the clock of test payments by 40 days', {
      path: '/test/clock',
      formula: 'test_clock',
      signed: { advance: '40d' },
      body: { advance: '40d' },
      by: trial,
    }),
  sale: () => cardPayment('A sale that begins a mandate', 'SALE', 'sale-1', { recurring_init: 'Y', req_token: 'Y' }),
  sale_hold: () => cardPayment('A hold, to be captured later', 'SALE', 'sale-2', { auth: 'Y' }),
  sale_3ds: () => cardPayment('A sale with 3-D Secure', 'SALE', 'sale-3', { card_exp_month: '05' }, '/v2/post'),
  sale_invalid: (): Example => ({
    ...command(
      'An amount with too many decimals',
      'SALE',
      { formula: 'card', signed: byCard, status: 400 },
      {
        ...ordered('sale-4'),
        ...CARD,
        ...PAYER,
        order_amount: '10.001',
        term_url_3ds: 'https://shop.example/back',
      },
    ),
  }),
  debit: () => cardPayment('A debit of a card', 'DEBIT', 'debit-1', { recurring_init: 'Y' }),
  capture_command: (ids: Ids) => ofCard('A part of the hold', 'CAPTURE', ids, { amount: '8.00' }),
  creditvoid: (ids: Ids) => ofCard('Gives a part back', 'CREDITVOID', ids, { amount: '2.50' }),
  void_command: (ids: Ids) => ofCard('Takes the sale back', 'VOID', ids),
  trans_status: (ids: Ids) => ofCard('Of a transaction', 'GET_TRANS_STATUS', ids),
  trans_details: (ids: Ids) => ofCard('All of a transaction', 'GET_TRANS_DETAILS', ids),
  trans_status_by_order: () =>
    command(
      'Of an order',
      'GET_TRANS_STATUS_BY_ORDER',
      { formula: 'card_order', signed: { ...byCard, order_id: 'sale-1' } },
      { order_id: 'sale-1' },
    ),
  recurring_sale: (ids: Ids) => later('Charges the mandate of a sale', 'RECURRING_SALE', 'sale-5', ids),
  recurring_debit: (ids: Ids) => later('Charges the mandate of a debit', 'RECURRING_DEBIT', 'debit-2', ids),
  retry_command: ({ trans_id }: Ids) =>
    command('Tries the charge again', 'RETRY', { formula: 'card', signed: byCard }, { trans_id }),
  credit2card: () =>
    command(
      'Pays out to a card',
      'CREDIT2CARD',
      { formula: 'card', signed: { payer_email: '', card: cardDigits(OTHER_NUMBER) } },
      { ...ordered('payout-2'), card_number: OTHER_NUMBER, payee_first_name: 'Jane', payee_last_name: 'Roe' },
    ),
  card2card: () =>
    command(
      'From one card to another',
      'CARD2CARD',
      { formula: 'card', signed: byCard },
      {
        ...ordered('transfer-1'),
        payer_card_number: NUMBER,
        payer_card_exp_month: '01',
        payer_card_exp_year: '2038',
        payer_card_cvv2: '123',
        payer_email: PAYER_EMAIL,
        payer_ip: '192.0.2.1',
        payee_card_number: OTHER_NUMBER,
        payee_first_name: 'Jane',
        payee_last_name: 'Roe',
        term_url_3ds: 'https://shop.example/back',
      },
    ),
  sale_by_pix: () => byPix('A sale by Pix', 'SALE', 'pix-1', { return_url: 'https://shop.example/back' }),
  sale_listed: (): Example => ({
    ...byPix('A sale by Pix', 'SALE', 'pix-4', { return_url: 'https://shop.example/back' }),
    path: '/v2/post',
  }),
  pix_status: (ids: Ids) => onPix('Of a transaction', 'GET_TRANS_STATUS', ids, 'transaction'),
  pix_capture: (ids: Ids) => onPix('A capture of a sale that holds nothing', 'CAPTURE', ids, 'transaction', 400),
  pix_creditvoid: (ids: Ids) => onPix('A refund of a sale that is not paid', 'CREDITVOID', ids, 'credit_void', 400),
  pix_void: (ids: Ids) => onPix('A void of a sale that is not paid', 'VOID', ids, 'transaction', 400),
  debit2virtual: () =>
    byPix('Debits the amount and its commission', 'DEBIT2VIRTUAL', 'pix-2', {
      payer_address: 'Rua A 1',
      payer_return_url: 'https://shop.example/back',
    }),
  debit2virtual_calc: () =>
    byPix('Says what a debit costs', 'DEBIT2VIRTUAL_CALC', 'pix-3', {
      payer_address: 'Rua A 1',
      payer_return_url: 'https://shop.example/back',
    }),
  debit2virtual_complete: (ids: Ids) =>
    onPix('Confirms what was calculated', 'DEBIT2VIRTUAL_COMPLETE', ids, 'transaction'),
  credit2virtual: () => {
    const { order_description: _none, ...payout } = ordered('payout-3', 'BRL');
    return toAccount('Pays out by Pix', 'CREDIT2VIRTUAL', payout, {
      brand: 'pix',
      'parameters[key]': 'maria@example.com',
    });
  },
  credit2crypto: () =>
    toAccount('Pays out coins', 'CREDIT2CRYPTO', ordered('payout-4'), {
      brand: 'trading-withdrawal',
      'parameters[withdrawCurrency]': 'BTC',
      'parameters[address]': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      payee_first_name: 'Jane',
      payee_last_name: 'Roe',
    }),
  create_schedule: () =>
    onSchedule('A charge a month, a year long', 'CREATE_SCHEDULE', '', {
      name: 'Gold',
      interval_length: '1',
      interval_unit: 'month',
      payments_count: '12',
    }),
  update_schedule: ({ schedule_id }: Ids) =>
    onSchedule('Eleven charges more', 'UPDATE_SCHEDULE', schedule_id, { payments_count: '23' }),
  pause_schedule: ({ schedule_id }: Ids) => onSchedule('Pauses all payers', 'PAUSE_SCHEDULE', schedule_id),
  pause: ({ schedule_id }: Ids) => onSchedule('The short name of `PAUSE_SCHEDULE`', 'PAUSE', schedule_id),
  run_schedule: ({ schedule_id }: Ids) => onSchedule('Ends the pause', 'RUN_SCHEDULE', schedule_id),
  run: ({ schedule_id }: Ids) => onSchedule('The short name of `RUN_SCHEDULE`', 'RUN', schedule_id),
  schedule_info: ({ schedule_id }: Ids) => onSchedule('The terms of a schedule', 'SCHEDULE_INFO', schedule_id),
  sale_schedule: ({ schedule_id }: Ids) =>
    cardPayment('A sale that a schedule follows', 'SALE', 'sale-6', { recurring_init: 'Y', schedule_id }),
  deschedule: ({ schedule_id, recurring_token }: Ids) =>
    onSchedule('Ends one payer’s payments', 'DESCHEDULE', schedule_id, { recurring_token }),
  delete_schedule: ({ schedule_id }: Ids) =>
    onSchedule('A schedule that no payment uses', 'DELETE_SCHEDULE', schedule_id),
} as const satisfies Readonly<Record<string, (ids: Ids) => Example>>;

export type ExampleName = keyof typeof EXAMPLES;
