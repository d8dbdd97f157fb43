import { describe, expect, it } from 'vitest';
import { preview } from '@railyard/runtime';
import { collectionConnector as connector, pixCollection as method } from '../src/index.ts';
import { exchange, OURS, paymentOf, provider, runOf, type Script } from './support/exchange.ts';

const settings = { api_key: 'the-api-key' };
const MID = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const CODE =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';

/** As text, because a collection's amount is a JSON number and its digits matter. */
const reply = (status: string, amount = '10.00', more = '') =>
  `{"id":"col-1","reference":"${OURS}","status":"${status}","amount":${amount},"currency":"BRL","qrCode":"${CODE}","expiryDate":"2026-11-22T09:00:00-03:00"${more}}`;

const purchase = (script: Script, parameters: object = {}, more: object = {}) =>
  exchange(
    { connector, method, settings, flow: 'purchase', payment: paymentOf('pix-collection', parameters, more, MID) },
    script,
  );

const known = (providerReference: string | undefined) => ({
  ...paymentOf('pix-collection', MID),
  connectorState: {},
  ...(providerReference !== undefined && { providerReference }),
});

describe('a purchase', () => {
  it('sends the fields of the collection provider, the account from the MID and the rest from the service', async () => {
    const { asked } = await purchase([[201, reply('CREATED')]]);
    expect(asked).toMatchInlineSnapshot(`
      [
        {
          "body": "{"amount":10.00,"expiryDate":"2026-11-22T12:00:00.000Z","callbackUrl":"https://pay.example/notify/mid-1","reference":"0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11","merchantType":"RETAIL","merchantName":"Shop","accountId":"acc-1","market":"BR","type":"PIX","currency":"BRL"}",
          "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "idempotency-key": "6ff39252-04b5-8220-a1d2-2acbc9f03b8c",
            "x-api-key": "the-api-key",
          },
          "maxReplyBytes": 1048576,
          "method": "POST",
          "timeoutMs": 15000,
          "url": "https://api.example/collections",
        },
      ]
    `);
  });

  it('sends what the request carries instead', async () => {
    const { asked } = await purchase([[201, reply('CREATED')]], {
      expiryDate: '2037-01-01T00:00:00Z',
      callbackUrl: 'https://svc.example/cb',
      reference: 'ref-0001',
      merchantName: 'Another shop',
    });
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      expiryDate: '2037-01-01T00:00:00Z',
      callbackUrl: 'https://svc.example/cb',
      reference: 'ref-0001',
      merchantName: 'Another shop',
      merchantType: 'RETAIL',
    });
  });

  it.each(['0.01', '10.00', '1234567.89', '9999999999.99'])(
    'writes the amount %s as a JSON number with exactly these digits',
    async (amount) => {
      const order = { number: 'order-1', amount, currency: 'BRL', description: 'Two books' };
      const { asked, outcome } = await purchase([[201, reply('PAID', amount)]], {}, { order });
      expect(asked[0]?.body).toContain(`"amount":${amount},`);
      expect(outcome).toMatchObject({ status: 'settled', amount: { text: amount } });
    },
  );

  it('shows the code, its end in UTC', async () => {
    expect((await purchase([[201, reply('CREATED')]])).outcome).toMatchObject({
      status: 'pending',
      providerReference: 'col-1',
      show: { kind: 'qr', content: CODE, validUntil: '2026-11-22T12:00:00.000Z' },
    });
  });

  it('is declined for a code that cannot be paid', async () => {
    const broken = reply('CREATED').replace(CODE, CODE.slice(0, 60));
    expect((await purchase([[201, broken]])).outcome).toMatchObject({ status: 'declined', kind: 'soft' });
  });

  it('that is born expired is declined unasked', async () => {
    const { outcome, asked } = await purchase([], { expiryDate: '2026-11-21T00:00:00Z' });
    expect([outcome?.status, asked]).toEqual(['declined', []]);
  });

  it('is sent again with the same key after a lost reply', async () => {
    const double = provider(['lost', [201, reply('CREATED')]]);
    const run = runOf({
      connector,
      method,
      settings,
      flow: 'purchase',
      payment: paymentOf('pix-collection', {}, {}, MID),
    });
    expect(await double.drive(run)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await double.drive(run)).toMatchObject({ outcome: { status: 'pending' } });
    expect(double.asked[1]).toEqual(double.asked[0]);
  });

  it.each([
    ['PENDING', 'pending'],
    ['EXPIRED', 'declined'],
    ['FAILED', 'declined'],
    ['CANCELLED', 'declined'],
    ['Paid', 'unknown'],
    ['ON_HOLD', 'unknown'],
  ])('takes the word %s for %s', async (word, status) => {
    expect((await purchase([[201, reply(word)]])).outcome?.status).toBe(status);
  });

  it('is declined when the provider refuses it', async () => {
    expect((await purchase([[422, { error: 'The account is closed.' }]])).outcome).toMatchObject({
      status: 'declined',
      provider: { message: 'The account is closed.' },
    });
  });

  it('makes equal requests each time it is previewed', () => {
    const run = runOf({
      connector,
      method,
      settings,
      flow: 'purchase',
      payment: paymentOf('pix-collection', {}, {}, MID),
    });
    expect(preview(run)).toEqual(preview(run));
  });
});

describe('a lookup', () => {
  const OPEN = { status: 'pending', providerReference: 'col-1', provider: { status: 'CREATED' } };
  const look = (reference: string | undefined, script: Script) =>
    exchange({ connector, method, settings, flow: 'status', payment: known(reference) }, script);

  it('asks by the provider’s reference, and by ours where none ever came', async () => {
    expect((await look('col-1', [[200, reply('PAID')]])).lines).toEqual(['GET /collections/col-1']);
    expect((await look(undefined, [[200, reply('PAID')]])).lines).toEqual([`GET /collections/reference/${OURS}`]);
  });

  it('leaves the code that is shown alone, and brings it where the reply was lost', async () => {
    expect((await look('col-1', [[200, reply('CREATED')]])).outcome).toEqual(OPEN);
    expect((await look(undefined, [[200, reply('CREATED')]])).outcome).toMatchObject({
      ...OPEN,
      show: { content: CODE },
    });
  });

  it.each(['col-1', undefined])('declines nothing for a code that is wrong (reference %s)', async (reference) => {
    const broken = reply('CREATED').replace(CODE, CODE.slice(0, 60));
    expect((await look(reference, [[200, broken]])).outcome).toEqual(OPEN);
  });

  it('never takes "not found" for a decline', async () => {
    expect((await look(undefined, [[404, { error: 'No such collection.' }]])).outcome?.status).toBe('unknown');
  });
});
