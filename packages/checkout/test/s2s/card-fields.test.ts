import { acquirerConnector } from '@railyard/connector-card';
import type { Connector, FollowUpFlows } from '@railyard/core';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { CARD_NUMBER, expiring, onTransaction, PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';

/** The result of 3-D Secure at a merchant's own MPI. */
const AUTHENTICATION = {
  threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  dsTransID: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
  acsTransID: 'a1b2c3d4-0000-4000-8000-000000000000',
  xid: 'eGlkLW9mLWFuLW1waQ==',
  transStatus: 'Y',
  transStatusReason: '17',
  eci: '05',
  protocolVersion: '2.2.0',
  authenticationFlow: 'Challenge',
} as const;
const NAMES = [
  'threeDSServerTransID',
  'dsTransID',
  'acsTransID',
  'xid',
  'transStatus',
  'transStatusReason',
  'eci',
] as const;
const SWITCHED = [...NAMES, 'protocolVersion', 'authenticationFlow', 'initiator', 'source', 'sequence'] as const;

let service: AcquirerService;
let bare: AcquirerService;
/** Its first account takes no values of an external MPI, its second needs one of them. */
let others: AcquirerService;

/** The acquirer's connector that declares this of an authentication that was done elsewhere. */
const declaring = (id: string, authentication?: FollowUpFlows<unknown>['authentication']): Connector => ({
  ...acquirerConnector,
  id,
  serves: acquirerConnector.serves.map(({ method, flows: { authentication: _own, ...flows } }) => ({
    method,
    flows: { ...flows, ...(authentication && { authentication }) },
  })),
});

beforeAll(async () => {
  [service, bare, others] = await Promise.all([
    acquirerService({ callbackData: [...SWITCHED], statusData: [...SWITCHED] }, (settings) => [
      account('cards', settings, { cardOnFile: true }),
    ]),
    acquirerService({}, (settings) => [account('cards', settings, { mode: 'SMS', defaults: {} })]),
    acquirerService(
      { methods: [{ key: 'card', mid: ['plain', 'choosy'] }] },
      (settings) => [
        account('plain', settings, { connector: 'takes-none', channels: ['first', 'both'] }),
        account('choosy', settings, { connector: 'takes-some', channels: ['both'] }),
      ],
      { connectors: [declaring('takes-none'), declaring('takes-some', { sends: ['eci'], needs: ['dsTransID'] })] },
    ),
  ]);
});

afterAll(() => Promise.all([service.stop(), bare.stop(), others.stop()]));

const send = (fields: Fields, { url }: { readonly url: string } = service) => sendCommand(url, fields);

/** The body of the newest request to the acquirer. */
const asked = (): Readonly<Record<string, unknown>> => Object(JSON.parse(service.asked.at(-1)?.body ?? '{}'));

describe('payer_present', () => {
  test.each([
    ['Y', 'payer'],
    ['N', 'merchant'],
    ['', 'payer'],
  ])('"%s" of a sale by a saved card reaches the acquirer and the callback: %s', async (payer_present, initiator) => {
    const first = await send(saleFields({ req_token: 'Y' }));
    const card = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
    const fields = saleFields({ ...card, card_token: String(first.json['card_token']), payer_present });
    expect((await send(fields)).json).toMatchObject({ result: 'SUCCESS' });
    expect(asked()).toMatchObject({ stored_credential: { use: 'later', initiator } });
    const use = { initiator, source: 'stored', sequence: 'subsequent' };
    expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject(use);
  });

  test('is Y or N', async () => {
    expect(refusalLines(await send(saleFields({ payer_present: 'maybe' })))).toEqual([
      'payer_present: The value you selected is not a valid choice.',
    ]);
  });
});

describe('values of an external MPI', () => {
  test('are reported as they were received', async () => {
    const fields = saleFields({ ...AUTHENTICATION });
    const { json } = await send(fields);
    expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject(AUTHENTICATION);
    const found = await send(onTransaction('GET_TRANS_STATUS', String(json['trans_id'])));
    expect(found.json).toMatchObject(AUTHENTICATION);
  });

  const CAVV = 'AAABBEg0VhI0VniQEjRWAAAAAAA=';
  const SENT = {
    cryptogram: CAVV,
    server_transaction_id: AUTHENTICATION.threeDSServerTransID,
    ds_transaction_id: AUTHENTICATION.dsTransID,
    acs_transaction_id: AUTHENTICATION.acsTransID,
    xid: AUTHENTICATION.xid,
    status: 'Y',
    status_reason: '17',
    eci: '05',
    version: '2.2.0',
    flow: 'Challenge',
  };

  test.each([{}, { action: 'DEBIT' }, { auth: 'Y' }])(
    'reach the acquirer with their CAVV, which asks the payer for nothing: %j',
    async (change) => {
      const fields = saleFields({ ...AUTHENTICATION, ...expiring('05/2038'), cavv: CAVV, ...change });
      const { json } = await send(fields);
      const status = 'auth' in change ? 'PENDING' : 'SETTLED';
      expect(json).toMatchObject({ result: 'SUCCESS', status });
      expect(asked()).toMatchObject({ three_d_secure: SENT });
      const callback = await toldCommand(service.shop, fields['order_id'], status);
      expect(callback).toMatchObject(AUTHENTICATION);
      expect(JSON.stringify([json, callback])).not.toContain('AAABBEg0');
    },
  );

  test('are reported alone without a CAVV', async () => {
    const { json } = await send(saleFields({ ...AUTHENTICATION, ...expiring('05/2038') }));
    expect(json).toMatchObject({ result: 'REDIRECT', status: '3DS' });
    expect(asked()).not.toHaveProperty('three_d_secure');
  });

  test('are of one payment: neither a later charge nor the next sale by the saved card has them', async () => {
    const fields = saleFields({ ...AUTHENTICATION, cavv: CAVV, req_token: 'Y', recurring_init: 'Y' });
    const { json } = await send(fields);
    const later = {
      action: 'RECURRING_SALE',
      client_key: merchant.key,
      order_id: `later-${fields['order_id']}`,
      order_amount: '3.00',
      order_description: 'Later',
      recurring_first_trans_id: String(json['trans_id']),
      recurring_token: String(json['recurring_token']),
      hash: signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password),
    };
    expect((await send(later)).json).toMatchObject({ result: 'SUCCESS' });
    expect(asked()).not.toHaveProperty('three_d_secure');
    const card = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
    const bySaved = { ...card, card_token: String(json['card_token']) };
    expect((await send(saleFields(bySaved))).json).toMatchObject({ result: 'SUCCESS' });
    expect(asked()).not.toHaveProperty('three_d_secure');
    expect((await send(saleFields({ ...bySaved, ...AUTHENTICATION, cavv: CAVV }))).json).toMatchObject({
      result: 'SUCCESS',
    });
    expect(asked()).toMatchObject({ three_d_secure: SENT });
  });

  test('with a CAVV go to an account that takes them, and are refused where there is none', async () => {
    const sale = { ...AUTHENTICATION, cavv: CAVV, channel_id: 'both' };
    const accountOf = async (fields: Fields) => {
      expect((await send(fields, others)).json).toMatchObject({ result: 'SUCCESS' });
      return /notify\\?\/(\w+)"/.exec(others.asked.at(-1)?.body ?? '')?.[1];
    };
    expect(await accountOf(saleFields({ channel_id: 'both' }))).toBe('plain');
    expect(await accountOf(saleFields(sale))).toBe('choosy');
    const { dsTransID: _left, ...lacking } = sale;
    const before = others.asked.length;
    const lines = async (fields: Fields) => refusalLines(await send(fields, others));
    expect(await lines(saleFields(lacking))).toEqual(['dsTransID: This value should not be blank.']);
    expect(await lines(saleFields({ ...sale, channel_id: 'first' }))).toEqual([
      'cavv: No account for this payment takes the result of 3-D Secure at your own MPI. Leave cavv out: the payer is then authenticated by the account.',
    ]);
    for (const cavv of ['AAABBEg0VhI0VniQEjRWAAAAAAA', '0000010434561234567890123456000000000000', 'x'])
      expect(await lines(saleFields({ ...sale, cavv }))).toEqual(['cavv: This value is not valid.']);
    expect(others.asked.length).toBe(before);
  });

  test('are not reported where they are not switched on', async () => {
    const fields = saleFields({ ...AUTHENTICATION });
    await send(fields, bare);
    const callback = await toldCommand(bare.shop, fields['order_id'], 'SETTLED');
    expect(Object.keys(callback).filter((name) => name in AUTHENTICATION)).toEqual([]);
  });
});

/** Confirms on the acquirer's page. @returns where it leads the payer, with all that it gives them */
async function confirmed(page: string): Promise<string> {
  const id = /name="id" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const done = await (await fetch(new URL('/pay', page), { method: 'POST', body })).text();
  return (/<a href="([^"]+)"/.exec(done)?.[1] ?? '').replaceAll('&amp;', '&');
}

describe("a sale without the payer's browser", () => {
  test.each([
    ['05/2038', '3DS', 'SETTLED'],
    ['12/2038', 'REDIRECT', 'SETTLED'],
  ])('by the test card %s answers %s, and is paid once the payer comes back', async (expiry, status, end) => {
    const fields = saleFields(expiring(expiry));
    const { json } = await send(fields);
    expect(json).toMatchObject({ result: 'REDIRECT', status, redirect_method: 'GET' });
    expect(await toldCommand(service.shop, fields['order_id'], status)).toMatchObject({ result: 'REDIRECT' });
    const back = await fetch(await confirmed(String(json['redirect_url'])), { redirect: 'manual' });
    expect([back.status, back.headers.get('location')]).toEqual([303, fields['term_url_3ds']]);
    expect(await toldCommand(service.shop, fields['order_id'], end)).toMatchObject({ result: 'SUCCESS' });
  });
});

describe('a sale of zero', () => {
  test.each([{ auth: 'Y' }, { recurring_init: 'Y' }])('is taken with %j', async (change) => {
    const { json } = await send(saleFields({ order_amount: '0.00', ...change }));
    expect(json).toMatchObject({ action: 'SALE', result: 'SUCCESS', amount: '0.00' });
    expect(service.asked.at(-1)?.url).toMatch(/\/verifications$/);
  });

  test.each([{}, { req_token: 'Y' }, { auth: 'N' }])('is refused with %j', async (change) => {
    const refused = await send(saleFields({ order_amount: '0.00', ...change }));
    expect(refusalLines(refused)).toEqual(['amount: This value should be greater than 0.']);
  });

  test('is refused with auth=Y where the account verifies no cards', async () => {
    const refused = await send(saleFields({ order_amount: '0.00', recurring_init: 'Y' }), bare);
    expect([refused.status, refused.json['result']]).toEqual([400, 'ERROR']);
  });
});

test.each([
  [{ schedule_id: 'plan-1' }, 'schedule_id: This value is not correct.'],
  [{ schedule_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0' }, 'schedule_id: This value is not correct.'],
  [{ schedule_start_date: '2045-01-01' }, 'schedule_id: This value should not be blank.'],
  [{ payment_schedule_amount: '1.00' }, 'schedule_id: This value should not be blank.'],
])('a sale with %j is refused, and nothing is sent', async (more, line) => {
  const before = service.asked.length;
  const refused = await send(saleFields({ recurring_init: 'Y', ...more }));
  expect([refused.status, refusalLines(refused)]).toEqual([400, [line]]);
  expect(service.asked.length).toBe(before);
});

describe('a later charge', () => {
  let charges = 0;

  async function charge(action: 'RECURRING_SALE' | 'RECURRING_DEBIT', more: Fields, to = service): Promise<Fields> {
    const first = action === 'RECURRING_SALE' ? 'SALE' : 'DEBIT';
    const { json } = await send(saleFields({ action: first, recurring_init: 'Y' }), to);
    charges += 1;
    return {
      action,
      client_key: merchant.key,
      order_id: `charge-${process.pid}-${charges}`,
      order_amount: '3.00',
      order_description: 'Later',
      recurring_first_trans_id: String(json['trans_id']),
      recurring_token: String(json['recurring_token']),
      hash: signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password),
      ...more,
    };
  }

  test('with auth=Y holds the money, which is captured or released', async () => {
    const fields = await charge('RECURRING_SALE', { auth: 'Y' });
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'RECURRING_SALE', result: 'SUCCESS', status: 'PENDING' });
    expect(await toldCommand(service.shop, fields['order_id'], 'PENDING')).toMatchObject({ action: 'RECURRING_SALE' });
    const trans_id = String(json['trans_id']);
    const captured = await send(onTransaction('CAPTURE', trans_id, { amount: '1.00' }));
    expect(captured.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('with auth=N is a charge', async () => {
    expect((await send(await charge('RECURRING_SALE', { auth: 'N' }))).json).toMatchObject({ status: 'SETTLED' });
  });

  test('with auth=Y is refused at an account that holds nothing, and for a debit', async () => {
    const sms = await send(await charge('RECURRING_SALE', { auth: 'Y' }, bare), bare);
    expect(sms.json).toMatchObject({ result: 'ERROR', error_code: 204005 });
    const debit = await send(await charge('RECURRING_DEBIT', { auth: 'Y' }));
    expect(refusalLines(debit)).toEqual(['auth: This value is only allowed with operation purchase.']);
  });

  test('with a schedule is refused: the payment that the payer makes begins one', async () => {
    const refused = await send(await charge('RECURRING_SALE', { schedule_id: 'x' }));
    expect(refusalLines(refused)).toEqual(['schedule_id: This field was not expected.']);
  });
});

describe('a chargeback', () => {
  /** A settled sale that the bank takes back. */
  async function disputed(change: Fields = {}) {
    const fields = saleFields({ order_amount: '10.00', ...change });
    const { json } = await send(fields);
    const held = service.simulator.payments().at(-1)?.id ?? '';
    await fetch(`${service.simulator.url}/_simulator/payments/${held}/dispute`, { method: 'POST' });
    return { order_id: fields['order_id'], trans_id: String(json['trans_id']) };
  }

  test('is reported once, signed, with its amount and date, and is the status from then on', async () => {
    const { order_id, trans_id } = await disputed({ 'custom_data[a]': 'b' });
    const callback = await toldCommand(service.shop, order_id, 'CHARGEBACK');
    expect(callback).toMatchObject({
      action: 'CHARGEBACK',
      result: 'SUCCESS',
      order_id,
      trans_id,
      amount: '10.00',
      currency: 'USD',
      chargeback_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      'custom_data[a]': 'b',
      hash: onTransaction('CHARGEBACK', trans_id)['hash'],
    });
    const found = await send(onTransaction('GET_TRANS_STATUS', trans_id));
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'CHARGEBACK' });
    const details = await send(onTransaction('GET_TRANS_DETAILS', trans_id));
    expect(details.json['transactions']).toMatchObject([{ type: 'sale' }, { type: 'chargeback', amount: '10.00' }]);
  });

  test('leaves nothing to give back', async () => {
    const { order_id, trans_id } = await disputed();
    await toldCommand(service.shop, order_id, 'CHARGEBACK');
    expect((await send(onTransaction('CREDITVOID', trans_id))).json).toMatchObject({ error_code: 208005 });
    expect(refusalLines(await send(onTransaction('VOID', trans_id)))).toEqual(['Void is not allowed.']);
  });
});
