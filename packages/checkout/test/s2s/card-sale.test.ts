import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { expiring, onTransaction, saleFields, transactionHash } from '../support/card-commands.ts';
import { type CardService, cardService } from '../support/card-service.ts';

let service: CardService;

beforeAll(async () => {
  service = await cardService();
});

afterAll(() => service.stop());

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const send = (fields: Fields, path = '/post') => sendCommand(service.url, fields, {}, path);
const askedOf = (trans_id: unknown) => service.provider.asked.filter(({ reference }) => reference === trans_id);

describe('a sale by card', () => {
  test('that succeeds is answered and called back so', async () => {
    const fields = saleFields({ 'custom_data[a]': 'b' });
    const { status, json } = await send(fields);
    expect([status, json]).toEqual([
      200,
      {
        action: 'SALE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: fields['order_id'],
        trans_id: expect.any(String),
        trans_date: DATE,
        amount: '1.99',
        currency: 'USD',
      },
    ]);
    expect(askedOf(json['trans_id'])).toMatchObject([
      { kind: 'purchase', card: { number: '4111111111111111', cvv: '123', expiry: '01/2038', holder: 'John Doe' } },
    ]);
    const callback = await toldCommand(service.shop, fields['order_id'], 'SETTLED');
    expect(callback).toEqual({
      ...json,
      card: '411111******1111',
      card_expiration_date: '01/2038',
      'custom_data[a]': 'b',
      hash: transactionHash(String(json['trans_id'])),
    });
  });

  test('that is declined says why, and its callback names no amount', async () => {
    const fields = saleFields(expiring('02/2038'));
    const { json } = await send(fields, '/v2/post');
    expect(json).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: 'Declined by processing.' });
    const callback = await toldCommand(service.shop, fields['order_id'], 'DECLINED');
    expect(callback).toMatchObject({ result: 'DECLINED', decline_reason: 'Declined by processing.' });
    expect(Object.keys(callback)).not.toEqual(expect.arrayContaining(['amount']));
    expect(callback['hash']).toBe(transactionHash(String(json['trans_id'])));
  });

  test.each([
    ['05/2038', '3DS', 'POST', 'SETTLED'],
    ['06/2038', '3DS', 'POST', 'DECLINED'],
    ['12/2038', 'REDIRECT', 'GET', 'SETTLED'],
    ['12/2039', 'REDIRECT', 'GET', 'DECLINED'],
  ])('with %s sends the payer away and ends when they come back', async (expiry, status, method, end) => {
    const fields = saleFields(expiring(expiry));
    const { json } = await send(fields);
    const creq = `creq-c-${String(json['trans_id'])}`;
    const way = { redirect_url: `${service.provider.url}/acs`, redirect_method: method };
    expect(json).toMatchObject({ result: 'REDIRECT', status, ...way, redirect_params: { creq } });
    const callback = await toldCommand(service.shop, fields['order_id'], status);
    expect(callback).toMatchObject({ result: 'REDIRECT', ...way, 'redirect_params[creq]': creq });
    const trans_id = String(json['trans_id']);
    expect((await send(onTransaction('GET_TRANS_STATUS', trans_id))).json).toMatchObject({ result: 'SUCCESS', status });

    const back = askedOf(trans_id)[0]?.return_url ?? '';
    const reply = await fetch(back, {
      method: 'POST',
      body: new URLSearchParams({ cres: 'cres' }),
      redirect: 'manual',
    });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, fields['term_url_3ds']]);
    await toldCommand(service.shop, fields['order_id'], end);
    expect((await send(onTransaction('GET_TRANS_STATUS', trans_id))).json).toMatchObject({ status: end });
  });

  test('gives the parameters of a redirect as a list at /v2/post', async () => {
    const { json } = await send(saleFields(expiring('05/2038')), '/v2/post');
    const value = `creq-c-${String(json['trans_id'])}`;
    expect(json['redirect_params']).toEqual([{ name: 'creq', value }]);
  });

  test('gives a token that pays again without the card', async () => {
    const fields = saleFields({ req_token: 'Y' });
    const { json } = await send(fields);
    const card_token = String(json['card_token']);
    expect(card_token).toMatch(/^[0-9a-f]{64}$/);
    const again = { card_token, card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
    const { json: paid } = await send(saleFields(again));
    expect(paid).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    expect(askedOf(paid['trans_id'])).toMatchObject([{ card: { number: '4111111111111111', stored: true } }]);
    const other = await send(saleFields({ ...again, card_token: 'a'.repeat(64) }));
    expect(other.json).toMatchObject({ result: 'ERROR', error_code: 205005 });
  });

  test.each([
    ['4111111111111111', 'visa', '41111111'],
    ['5555555555554444', 'mastercard', '55555555'],
    ['378282246310005', 'amex', '378282'],
  ])('tells the flow the network and the first digits of %s', async (card_number, brand, bin) => {
    const code = brand === 'amex' ? '1234' : '123';
    const { json } = await send(saleFields({ card_number, card_cvv2: code, req_token: 'Y' }));
    expect(askedOf(json['trans_id'])).toMatchObject([{ card: { brand, bin } }]);
    const saved = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
    const { json: again } = await send(saleFields({ ...saved, card_token: String(json['card_token']) }));
    expect(askedOf(again['trans_id'])).toMatchObject([{ card: { brand, bin, stored: true } }]);
  });

  test('is refused where a field is missing, each by its name', async () => {
    const reply = await send({ action: 'SALE', client_key: 'x', hash: 'x' });
    expect(refusalLines(reply)).toEqual(
      expect.arrayContaining([
        'card_number: This value should not be blank.',
        'term_url_3ds: This value should not be blank.',
      ]),
    );
    const lacking = await send(saleFields({ payer_zip: '', payer_phone: '' }));
    expect(refusalLines(lacking)).toEqual([
      'payer_zip: This value should not be blank.',
      'payer_phone: This value should not be blank.',
    ]);
  });

  test('with a wrong hash is refused, and nothing is sent', async () => {
    const before = service.provider.asked.length;
    const reply = await send({ ...saleFields(), hash: 'f'.repeat(32) });
    expect([reply.status, refusalLines(reply)]).toEqual([400, ['hash: Hash is not valid.']]);
    expect(service.provider.asked.length).toBe(before);
  });
});
