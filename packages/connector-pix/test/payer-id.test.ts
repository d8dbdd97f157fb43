import { describe, expect, it } from 'vitest';
import { payerIdConnector as connector, pixDocument, pixPersonal } from '../src/index.ts';
import { exchange, knownPayment, OURS, paymentOf, provider, runOf, type Script } from './support/exchange.ts';

const settings = { client_id: 'client', client_secret: 'the-client-secret', notification_token: 'a-token-of-twenty-c' };
const CODE =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';
const TOKEN = [200, { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 }] as const;
const reply = (more: object = {}) => ({
  id: 'pay_1',
  reference: OURS,
  status: 'waiting',
  amount: 1000,
  currency: 'BRL',
  ...more,
});
const BR = { billing_address: { country: 'BR' } };

const byDocument = (script: Script, document_number = '529.982.247-25') =>
  exchange(
    {
      connector,
      method: pixDocument,
      settings,
      flow: 'purchase',
      payment: paymentOf('pix-document', { document_number }),
    },
    script,
  );
const byPersonalId = (script: Script, parameters: object, more: object) =>
  exchange(
    {
      connector,
      method: pixPersonal,
      settings,
      flow: 'purchase',
      payment: paymentOf('pix-personal', parameters, more),
    },
    script,
  );

describe('a purchase', () => {
  it('with a document gets a token, then a code; punctuation is taken off', async () => {
    const { asked, outcome } = await byDocument([TOKEN, [201, reply({ pix_code: CODE })]]);
    expect(asked).toMatchInlineSnapshot(`
      [
        {
          "body": "grant_type=client_credentials&client_id=client&client_secret=the-client-secret",
          "headers": {
            "accept": "application/json",
            "content-type": "application/x-www-form-urlencoded",
          },
          "maxReplyBytes": 1048576,
          "method": "POST",
          "timeoutMs": 15000,
          "url": "https://api.example/oauth/token",
        },
        {
          "body": "{"reference":"0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11","amount":1000,"currency":"BRL","description":"Two books","presentation":"code","payer":{"document":"52998224725","name":"Maria Silva"},"notify_url":"https://pay.example/notify/mid-1","return_url":"https://pay.example/back"}",
          "headers": {
            "accept": "application/json",
            "authorization": "Bearer token-1",
            "content-type": "application/json",
          },
          "maxReplyBytes": 1048576,
          "method": "POST",
          "timeoutMs": 15000,
          "url": "https://api.example/payments",
        },
      ]
    `);
    expect(outcome).toMatchObject({
      status: 'pending',
      providerReference: 'pay_1',
      show: { kind: 'qr', content: CODE },
    });
  });

  it('is declined for a code that cannot be paid', async () => {
    const { outcome } = await byDocument([TOKEN, [201, reply({ pix_code: CODE.slice(0, 60) })]]);
    expect(outcome).toMatchObject({ status: 'declined', kind: 'soft' });
  });

  it('with a personal id sends the payer to the provider’s page', async () => {
    const { asked, outcome } = await byPersonalId(
      [TOKEN, [201, reply({ payment_url: 'https://bank.example/pay/1' })]],
      { personal_id: '12.abc.345/01de-35' },
      BR,
    );
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({
      presentation: 'page',
      payer: { document: '12ABC34501DE35' },
    });
    expect(outcome).toMatchObject({
      status: 'pending',
      show: { kind: 'redirect', url: 'https://bank.example/pay/1', surface: 'page' },
    });
  });

  it('without a personal id sends none for payers of other countries', async () => {
    const { asked } = await byPersonalId([TOKEN, [201, reply()]], {}, { billing_address: { country: 'PT' } });
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({ payer: { name: 'Maria Silva' } });
    expect(asked[1]?.body).not.toContain('"document"');
  });

  it('refuses a page address that is no web address', async () => {
    const { result } = await byPersonalId(
      [TOKEN, [201, reply({ payment_url: 'javascript:alert(1)' })]],
      { personal_id: '52998224725' },
      BR,
    );
    expect(result).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
  });

  it('is never sent twice: a lost reply is unknown, and found by our reference', async () => {
    const run = runOf({
      connector,
      method: pixDocument,
      settings,
      flow: 'purchase',
      payment: paymentOf('pix-document', { document_number: '52998224725' }),
    });
    const double = provider([TOKEN, 'lost']);
    expect(await double.drive(run)).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
    expect(await double.drive(run)).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
    expect(double.asked).toHaveLength(2);
    const payment = { ...paymentOf('pix-document', { document_number: '52998224725' }), connectorState: {} };
    const found = await exchange({ connector, method: pixDocument, settings, flow: 'status', payment }, [
      TOKEN,
      [200, reply({ status: 'approved' })],
    ]);
    expect(found.lines[1]).toBe(`GET /payments/reference/${OURS}`);
    expect(found.outcome).toMatchObject({ status: 'settled', amount: { text: '10.00', currency: 'BRL' } });
  });

  it('that is answered 401 may have been taken: it is unknown, and never sent again', async () => {
    const { outcome, asked } = await byDocument([TOKEN, [401, {}], TOKEN, [201, reply({ pix_code: CODE })]]);
    expect(outcome?.status).toBe('unknown');
    expect(asked.filter(({ body }) => body?.includes(OURS))).toHaveLength(1);
  });

  it('is declined when the provider refuses it with 402', async () => {
    expect((await byDocument([TOKEN, [402, { error: { code: 'document_blocked' } }]])).outcome).toMatchObject({
      status: 'declined',
      kind: 'hard',
      provider: { code: 'document_blocked' },
    });
  });

  it.each([
    ['approved', 'settled'],
    ['expired', 'declined'],
    ['refused', 'declined'],
    ['blocked', 'declined'],
    ['APPROVED', 'unknown'],
    ['in_review', 'unknown'],
  ])('takes the word %s for %s', async (word, status) => {
    expect((await byDocument([TOKEN, [201, reply({ status: word })]])).outcome?.status).toBe(status);
  });
});

describe('a lookup', () => {
  const OPEN = { status: 'pending', providerReference: 'pay_1', provider: { status: 'waiting' } };
  const BROKEN = CODE.slice(0, 60);
  const look = (providerReference: string | undefined, more: object) =>
    exchange(
      {
        connector,
        method: pixDocument,
        settings,
        flow: 'status',
        payment: knownPayment('pix-document', providerReference, { document_number: '52998224725' }),
      },
      [TOKEN, [200, reply(more)]],
    );

  it.each([
    ['a code', { pix_code: CODE }],
    ['a page', { payment_url: 'https://bank.example/pay/1' }],
  ])('leaves what is shown alone, with %s in the answer', async (_what, more) => {
    expect((await look('pay_1', more)).outcome).toEqual(OPEN);
  });

  it.each([
    ['a code', { pix_code: CODE }, { kind: 'qr', content: CODE }],
    ['a page', { payment_url: 'https://bank.example/pay/1' }, { kind: 'redirect', url: 'https://bank.example/pay/1' }],
  ])('shows %s where the reply was lost', async (_what, more, show) => {
    expect((await look(undefined, more)).outcome).toMatchObject({ ...OPEN, show });
  });

  it.each(['pay_1', undefined])('declines nothing for a code that is wrong (reference %s)', async (reference) => {
    expect((await look(reference, { pix_code: BROKEN })).outcome).toEqual(OPEN);
  });
});
