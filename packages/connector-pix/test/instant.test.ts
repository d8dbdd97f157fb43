import { buildBrCode } from '@railyard/identifiers/br-code';
import { preview } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { instantConnector as connector, pix as method } from '../src/index.ts';
import { exchange, knownPayment, OURS, paymentOf, provider, runOf, type Script } from './support/exchange.ts';

const settings = { api_key: 'the-api-key', webhook_secret: 'secret' };
const CODE =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';
const BROKEN = `${CODE.slice(0, -4)}0000`;
const charge = (more: object = {}) => ({
  qr_code_id: 'qr_1',
  external_id: OURS,
  status: 'PENDING',
  amount: '10.00',
  currency: 'BRL',
  base_64_image: 'iVBORw0KGgo=',
  pix_copy_and_paste: CODE,
  expires_at: '2026-11-21T13:00:00Z',
  ...more,
});
const payout = (more: object = {}) => ({
  payout_id: 'po_1',
  external_id: OURS,
  status: 'PROCESSING',
  amount: '10.00',
  currency: 'BRL',
  ...more,
});
const CREDIT = { operation: 'credit', payee: { name: 'Maria Silva' } };
const ACCOUNT = { source_account_number: '123456', branch_identifier: '0001' };

const purchase = (
  script: Script,
  parameters: object = {},
  mid: Readonly<Record<string, unknown>> = {},
  more: object = {},
) =>
  exchange(
    {
      connector,
      method,
      settings: { ...settings, ...more },
      flow: 'purchase',
      payment: paymentOf('pix', parameters, {}, mid),
    },
    script,
  );
const credit = (script: Script, key: string) =>
  exchange(
    { connector, method, settings, flow: 'credit', payment: paymentOf('pix', { key }, CREDIT, ACCOUNT) },
    script,
  );

describe('a purchase', () => {
  it('sends every parameter under its own name', async () => {
    const { asked } = await purchase([[201, charge()]], {
      fine: '1.50',
      type_fine: 'PERCENT',
      type_document: 'CPF',
      debtor_document: '52998224725',
      debtor_name: 'Maria Silva',
      ...ACCOUNT,
    });
    expect(asked).toMatchInlineSnapshot(`
      [
        {
          "body": "{"external_id":"0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11","amount":"10.00","description":"Two books","callback_url":"https://pay.example/notify/mid-1","fine":"1.50","type_fine":"PERCENT","branch_identifier":"0001","source_account_number":"123456","debtor_name":"Maria Silva","type_document":"CPF","debtor_document":"52998224725","currency":"BRL"}",
          "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "x-api-key": "the-api-key",
          },
          "maxReplyBytes": 1048576,
          "method": "POST",
          "timeoutMs": 15000,
          "url": "https://api.example/v1/charges",
        },
      ]
    `);
  });

  it('without parameters sends a fine of 0', async () => {
    const { lines } = await purchase([[201, charge()]]);
    expect(lines).toMatchInlineSnapshot(`
      [
        "POST /v1/charges {"external_id":"0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11","amount":"10.00","description":"Two books","callback_url":"https://pay.example/notify/mid-1","type_fine":"NONE","fine":"0","currency":"BRL"}",
      ]
    `);
  });

  it('reads the kind of the document from the document, and takes from the MID what is missing', async () => {
    const { asked } = await purchase(
      [[201, charge()]],
      { debtor_document: '12ABC34501DE35' },
      { debtor_name: 'From MID', ...ACCOUNT },
    );
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      type_document: 'CNPJ',
      debtor_document: '12ABC34501DE35',
      debtor_name: 'From MID',
      branch_identifier: '0001',
    });
  });

  it('shows the code and its end', async () => {
    expect((await purchase([[201, charge()]])).outcome).toEqual({
      status: 'pending',
      providerReference: 'qr_1',
      show: { kind: 'qr', content: CODE, copy: true, validUntil: '2026-11-21T13:00:00Z' },
      provider: { status: 'PENDING' },
    });
  });

  it.each([
    ['with a wrong CRC', `${CODE.slice(0, -4)}0000`],
    ['cut off', CODE.slice(0, 60)],
    ['for another amount', staticCode('10.01')],
    ['that leaves the amount open', staticCode(undefined)],
    ['that is a web address', 'https://pix.example/qr'],
  ])('never shows a code %s', async (_what, pix_copy_and_paste) => {
    const { outcome } = await purchase([[201, charge({ pix_copy_and_paste })]]);
    expect(outcome).toMatchObject({ status: 'declined', kind: 'soft', providerReference: 'qr_1' });
    expect(JSON.stringify(outcome)).not.toContain(pix_copy_and_paste);
  });

  it('shows a static code for the very amount', async () => {
    const content = staticCode('10.00');
    expect((await purchase([[201, charge({ pix_copy_and_paste: content })]])).outcome).toMatchObject({
      status: 'pending',
      show: { content },
    });
  });

  it.each([
    ['PAID', { status: 'settled', amount: { text: '10.00' } }],
    ['EXPIRED', { status: 'declined', kind: 'soft' }],
    ['CANCELLED', { status: 'declined', kind: 'hard' }],
    ['REJECTED', { status: 'declined', kind: 'hard' }],
    ['paid', { status: 'unknown', providerReference: 'qr_1' }],
    ['FROZEN', { status: 'unknown', providerReference: 'qr_1' }],
  ])('takes the word %s as it is meant', async (status, expected) => {
    expect((await purchase([[201, charge({ status })]])).outcome).toMatchObject(expected);
  });

  it.each([400, 402, 422])('is declined when the provider refuses it with %i', async (status) => {
    expect((await purchase([[status, { code: 'invalid_debtor', message: 'Not accepted.' }]])).outcome).toEqual({
      status: 'declined',
      kind: 'hard',
      code: 'declined_by_provider',
      reason: 'The provider refused the request.',
      provider: { code: 'invalid_debtor', message: 'Not accepted.' },
    });
  });

  it.each(['external_id_taken', 'idempotency_key_in_use'])('is unknown when the provider says %s', async (code) => {
    expect((await purchase([[422, { code }]])).outcome).toMatchObject({ status: 'unknown', provider: { code } });
  });

  it.each<readonly [string, Script]>([
    ['a lost reply', ['lost']],
    ['a gateway page', [[502, '<html></html>']]],
    ['a reply without an id', [[201, charge({ qr_code_id: '' })]]],
    ['an amount that its currency cannot hold', [[201, charge({ amount: '10.001' })]]],
    ['an amount that is none', [[201, charge({ amount: 'ten' })]]],
  ])('is neither paid nor declined after %s', async (_what, script) => {
    expect((await purchase(script)).result).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
  });

  it('is looked up by our reference after a lost reply, and asked for again only if the provider does not know it', async () => {
    const run = runOf({ connector, method, settings, flow: 'purchase', payment: paymentOf('pix', {}) });
    const found = provider(['lost', [200, charge()]]);
    await found.drive(run);
    expect(await found.drive(run)).toMatchObject({ outcome: { status: 'pending', providerReference: 'qr_1' } });
    expect(found.lines()[1]).toBe(`GET /v1/charges/external/${OURS}`);

    const broken = provider(['lost', [200, charge({ pix_copy_and_paste: BROKEN })]]);
    await broken.drive(run);
    expect(await broken.drive(run)).toMatchObject({ outcome: { status: 'declined', kind: 'soft' } });

    const absent = provider(['lost', [404, { code: 'not_found' }], [201, charge()]]);
    await absent.drive(run);
    expect(await absent.drive(run)).toMatchObject({ outcome: { status: 'pending' } });
    expect(absent.asked[2]).toEqual(absent.asked[0]);
  });

  it('with a CNPJ of letters is declined unasked where the provider takes none', async () => {
    const { outcome, asked } = await purchase(
      [],
      { debtor_document: '12ABC34501DE35' },
      {},
      { cnpj_numeric_only: true },
    );
    expect([outcome?.status, asked]).toEqual(['declined', []]);
  });

  it('keeps no picture and no unnamed field in the journal', async () => {
    const { result } = await purchase([[201, charge({ payer_tax_id: '52998224725' })]]);
    expect(JSON.stringify(result)).not.toMatch(/iVBOR|52998224725/);
  });
});

describe('a payout', () => {
  it('sends the key in the form of the directory, under an idempotency key', async () => {
    const { asked } = await credit([[201, payout()]], 'Maria@Example.com');
    expect(asked).toMatchInlineSnapshot(`
      [
        {
          "body": "{"external_id":"0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11","amount":"10.00","description":"Two books","key":"maria@example.com","key_type":"EMAIL","source_account_number":"123456","branch_identifier":"0001","currency":"BRL"}",
          "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "idempotency-key": "4ee2cb20-15d1-83ca-ad42-280ec6c7440a",
            "x-api-key": "the-api-key",
          },
          "maxReplyBytes": 1048576,
          "method": "POST",
          "timeoutMs": 15000,
          "url": "https://api.example/v1/payouts",
        },
      ]
    `);
  });

  it.each([
    ['+5511912345684', '5511912345684', 'PHONE'],
    ['52998224725', '52998224725', 'CPF'],
    ['12abc34501de35', '12ABC34501DE35', 'CNPJ'],
    ['C4249323B4CA43F281398232AAB09B93', 'c4249323-b4ca-43f2-8139-8232aab09b93', 'EVP'],
  ])('writes %s as %s', async (key, sent, key_type) => {
    const { asked } = await credit([[201, payout()]], key);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ key: sent, key_type });
  });

  it('is sent again with the same key after a lost reply', async () => {
    const double = provider(['lost', [201, payout({ status: 'PAID' })]]);
    const run = runOf({
      connector,
      method,
      settings,
      flow: 'credit',
      payment: paymentOf('pix', { key: '52998224725' }, CREDIT, ACCOUNT),
    });
    expect(await double.drive(run)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await double.drive(run)).toMatchObject({ outcome: { status: 'settled', providerReference: 'po_1' } });
    expect(double.asked[1]).toEqual(double.asked[0]);
  });
});

describe('a lookup', () => {
  const look = (payment: object, script: Script) =>
    exchange({ connector, method, settings, flow: 'status', payment }, script);

  it('asks by the provider’s reference, and by ours where none ever came', async () => {
    expect((await look(knownPayment('pix', 'qr_1'), [[200, charge({ status: 'PAID' })]])).lines).toEqual([
      'GET /v1/charges/qr_1',
    ]);
    expect((await look(knownPayment('pix', undefined), [[200, charge()]])).lines).toEqual([
      `GET /v1/charges/external/${OURS}`,
    ]);
  });

  it('brings the code back that a lost reply carried', async () => {
    expect((await look(knownPayment('pix', undefined), [[200, charge()]])).outcome).toMatchObject({
      status: 'pending',
      show: { content: CODE },
    });
  });

  it('leaves the code that is shown alone', async () => {
    const { outcome } = await look(knownPayment('pix', 'qr_1'), [[200, charge()]]);
    expect(outcome).toEqual({ status: 'pending', providerReference: 'qr_1', provider: { status: 'PENDING' } });
  });

  it.each(['qr_1', undefined])('declines nothing for a code that is wrong (reference %s)', async (reference) => {
    const { outcome } = await look(knownPayment('pix', reference), [[200, charge({ pix_copy_and_paste: BROKEN })]]);
    expect(outcome).toEqual({ status: 'pending', providerReference: 'qr_1', provider: { status: 'PENDING' } });
  });

  it('of a payout asks by our reference', async () => {
    const payment = { ...paymentOf('pix', { key: '52998224725' }, CREDIT, ACCOUNT), connectorState: {} };
    const { lines, outcome } = await look(payment, [[200, payout({ status: 'REJECTED' })]]);
    expect([lines, outcome?.status]).toEqual([[`GET /v1/payouts/external/${OURS}`], 'declined']);
  });

  it('never takes "not found" for a decline', async () => {
    expect((await look(knownPayment('pix', 'qr_1'), [[404, { code: 'not_found' }]])).outcome?.status).toBe('unknown');
  });
});

describe('a renewal', () => {
  const renew = (script: Script) =>
    exchange({ connector, method, settings, flow: 'renew', payment: knownPayment('pix', 'qr_1') }, script);

  it('gives a new code under a new reference', async () => {
    const { outcome, lines, asked } = await renew([[201, charge({ qr_code_id: 'qr_2' })]]);
    expect(outcome).toMatchObject({ status: 'pending', providerReference: 'qr_2', show: { kind: 'qr' } });
    expect(lines).toEqual(['POST /v1/charges/qr_1/renew']);
    expect(asked[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['a code that is wrong', BROKEN],
    ['a code for another amount', staticCode('10.01')],
    ['no code', undefined],
  ])('with %s is unknown, because the old code may still be paid', async (_what, pix_copy_and_paste) => {
    const { outcome } = await renew([[201, charge({ qr_code_id: 'qr_2', pix_copy_and_paste })]]);
    expect(outcome).toMatchObject({ status: 'unknown', provider: { status: 'PENDING' } });
    expect(outcome).not.toHaveProperty('reference');
  });

  it('that is refused leaves an open payment with the code that is shown', async () => {
    const { outcome } = await renew([
      [422, { code: 'too_early' }],
      [200, charge({ pix_copy_and_paste: BROKEN })],
    ]);
    expect(outcome).toEqual({ status: 'pending', providerReference: 'qr_1', provider: { status: 'PENDING' } });
  });

  it('that is refused looks the old code up, which may be paid', async () => {
    const { outcome } = await renew([
      [422, { code: 'already_paid' }],
      [200, charge({ status: 'PAID' })],
    ]);
    expect(outcome).toMatchObject({ status: 'settled', providerReference: 'qr_1' });
  });
});

it('makes equal requests each time it is previewed, and shows no secret', () => {
  const run = runOf({
    connector,
    method,
    settings,
    flow: 'purchase',
    payment: paymentOf('pix', { debtor_name: 'Maria' }),
  });
  const first = preview(run);
  expect(preview(run)).toEqual(first);
  expect(JSON.stringify(first)).not.toContain('the-api-key');
  expect(first.requests[0]?.values.find(({ place }) => place === 'json.debtor_name')).toMatchObject({
    value: 'Maria',
    from: ['parameters.pix.debtor_name'],
  });
});

function staticCode(amount: string | undefined): string {
  const built = buildBrCode({
    kind: 'static',
    key: 'shop@example.com',
    merchantName: 'Loja Exemplo',
    merchantCity: 'SAO PAULO',
    ...(amount !== undefined && { amount }),
  });
  if (!built.ok) throw new Error(built.reason);
  return built.text;
}
