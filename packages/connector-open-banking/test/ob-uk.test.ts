import { verify } from 'node:crypto';
import { readPath } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import { inState, sampleAbsent, sampleConsent, samplePayment, sampleRefusal } from '../src/ob-uk.samples.ts';
import { outcomeOf } from './support/exchange.ts';
import { buy, consented, CONSENT, lookUp, PAYMENT, payersToken, settings, SIGNER, token } from './support/ob-uk.ts';

const bought = async (...given: Parameters<typeof buy>) => outcomeOf((await buy(...given)).after);
const found = async (...given: Parameters<typeof lookUp>) => outcomeOf((await lookUp(...given)).after);
const paid = [201, samplePayment] as const;

/** What a JWT says, of a signature that is right. */
function claimsOf(jwt: string): unknown {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const pss = { key: SIGNER, padding: 6, saltLength: 32 };
  const text = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', text, pss, Buffer.from(signature, 'base64url'))) throw new Error('The signature is wrong.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

async function wayOf(over: object = {}) {
  const { before } = await buy([...consented, payersToken, paid], { over });
  if (before.kind !== 'suspended' || before.nextAction.kind !== 'visit') throw new Error(JSON.stringify(before));
  return before.nextAction;
}

it('a consent has at most 140 UTF-16 units of the description, and halves no emoji', async () => {
  const order = { number: 'order-1', amount: '10.00', currency: 'GBP', description: `a${'\u{1F600}'.repeat(100)}` };
  const { asked } = await buy([...consented, payersToken, paid], { more: { order } });
  const texts = asked.flatMap(({ body }) => /"Unstructured":\["([^"]*)"\]/.exec(body ?? '')?.[1] ?? []);
  expect(texts).toEqual(Array(2).fill(`a${'\u{1F600}'.repeat(69)}`));
});

describe('the way to the bank', () => {
  it('names the consent in a signed request object, and no money moves before the payer is back', async () => {
    const { url, reference, fields, mayTurnBack } = await wayOf();
    expect({ url, reference, mayTurnBack }).toEqual({
      url: settings.authorization_url,
      reference: CONSENT,
      mayTurnBack: true,
    });
    const claims = claimsOf(fields.request ?? '');
    expect(readPath(claims, 'claims.id_token.openbanking_intent_id')).toEqual({ value: CONSENT, essential: true });
    expect(claims).toMatchObject({
      iss: 'the-client',
      aud: settings.issuer,
      response_type: 'code',
      response_mode: 'jwt',
      redirect_uri: 'https://pay.example/back',
      scope: 'openid payments',
    });
  });

  it('goes by the registered address where there is one, and the code is exchanged for the same', async () => {
    const redirect_uri = 'https://pay.example/registered';
    const { fields } = await wayOf({ redirect_uri });
    expect(fields).toMatchObject({ redirect_uri, state: 'https://pay.example/back' });
    const { asked } = await buy([...consented, payersToken, paid], { over: { redirect_uri } });
    expect(new URLSearchParams(asked[3]?.body).get('redirect_uri')).toBe(redirect_uri);
  });
});

describe('a payment', () => {
  it('is made with the payer’s token, and lookups with the merchant’s', async () => {
    const { asked } = await buy([...consented, payersToken, paid]);
    expect(asked.map(({ url, headers }) => [url.split('/').at(-1), headers.authorization])).toEqual([
      ['token.oauth2', undefined],
      ['domestic-payment-consents', 'Bearer a-token'],
      ['the-bank', undefined],
      ['token.oauth2', undefined],
      ['domestic-payments', 'Bearer the-payers-token'],
    ]);
    const { asked: asking } = await lookUp([token, [200, sampleConsent]]);
    expect(asking[1]?.headers.authorization).toBe('Bearer a-token');
  });

  it('is known by its consent, with its own id beside it', async () => {
    expect(await bought([...consented, payersToken, paid])).toMatchObject({
      status: 'pending',
      providerReference: CONSENT,
      connectorState: { DomesticPaymentId: PAYMENT },
    });
  });

  it('that was rejected has the bank’s reason', async () => {
    const rejected = [201, inState(samplePayment, 'RJCT', 'AM04')] as const;
    expect(await bought([...consented, payersToken, rejected])).toMatchObject({
      status: 'declined',
      kind: 'soft',
      code: 'insufficient_funds',
    });
    expect(await bought([...consented, payersToken, [201, inState(samplePayment, 'RJCT')]])).toMatchObject({
      kind: 'soft',
      code: 'declined_by_bank',
    });
  });

  it('that the bank refuses is declined for good, with its code', async () => {
    expect(await bought([token, [400, sampleRefusal]])).toMatchObject({
      status: 'declined',
      kind: 'hard',
      provider: { code: 'U002' },
    });
  });

  it('of another consent settles nothing', async () => {
    const other = { Data: { ...inState(samplePayment, 'ACSC').Data, ConsentId: '58924' } };
    expect(await bought([...consented, payersToken, [201, other]])).toMatchObject({ status: 'unknown' });
  });

  it('whose reply was lost is sent again under its key', async () => {
    const { after, asked } = await buy([...consented, payersToken, 'lost']);
    expect(after).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(asked.at(-1)?.headers['x-idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('to an account that the standard does not name is declined before the bank is asked', async () => {
    const payee_identifications = [{ type: 'BBAN', identification: 'NWBK60161331926819' }];
    const { after, asked } = await buy([], { parameters: { payee_identifications } });
    expect(outcomeOf(after)).toMatchObject({ status: 'declined', code: 'payee_not_valid' });
    expect(asked).toEqual([]);
  });
});

describe('a payer', () => {
  it('who does not agree is declined softly, and no token is asked for', async () => {
    const { after, asked } = await buy(consented, { values: { error: 'access_denied' } });
    expect(outcomeOf(after)).toMatchObject({ status: 'declined', kind: 'soft', code: 'cancelled_by_payer' });
    expect(asked).toHaveLength(3);
  });

  it('whose code is refused is declined softly: no payment was made', async () => {
    expect(await bought([...consented, [400, { error: 'invalid_grant' }]])).toMatchObject({
      kind: 'soft',
      code: 'not_completed',
      provider: { code: 'invalid_grant' },
    });
  });

  it('who brings nothing back is still at the bank', async () => {
    expect((await buy(consented, { values: {} })).after).toMatchObject({ kind: 'suspended' });
  });

  it.each([
    ['whose code is not signed', {}, () => ({ code: 'a-code' })],
    ['whose refusal is not signed', {}, () => ({ error: 'access_denied' })],
    ['whose code is another than the signed one', { response: 'id_token' }, (all) => ({ ...all, code: 'another' })],
    ['whose code came without its id token', { response: 'id_token' }, ({ code = '' }) => ({ code })],
    [
      'who brings the answer to another visit',
      { response: 'id_token' },
      (all) => ({ ...all, state: 'https://x.example' }),
    ],
  ] satisfies [string, object, NonNullable<Parameters<typeof buy>[1]>['change']][])(
    '%s is still at the bank, and no token is asked for',
    async (_title, over, change) => {
      const { after, asked } = await buy(consented, { over, change });
      expect(after).toMatchObject({
        kind: 'suspended',
        problems: [{ message: expect.stringContaining('not signed') }],
      });
      expect(asked).toHaveLength(3);
    },
  );

  it('whose bank answers with code and id token pays, and is declined softly where they refuse', async () => {
    const over = { response: 'id_token' };
    const { fields } = await wayOf(over);
    expect(fields).toMatchObject({ response_type: 'code id_token' });
    expect(fields).not.toHaveProperty('response_mode');
    const { asked, after } = await buy([...consented, payersToken, paid], { over });
    expect(new URLSearchParams(asked[3]?.body).get('code')).toBe('a-code');
    expect(outcomeOf(after)).toMatchObject({ status: 'pending', providerReference: CONSENT });
    const refused = await buy(consented, { over, values: { error: 'access_denied' } });
    expect(outcomeOf(refused.after)).toMatchObject({ code: 'cancelled_by_payer' });
  });
});

describe('a lookup', () => {
  it.each([
    ['AWAU', 'pending'],
    ['AUTH', 'pending'],
    ['COND', 'pending'],
    ['RJCT', 'declined'],
    ['ACSC', 'settled'],
    ['GONE', 'unknown'],
  ])('of a consent that is %s says %s', async (word, status) => {
    expect(await found([token, [200, inState(sampleConsent, word)]])).toMatchObject({ status });
  });

  it('asks for the payment where it is known', async () => {
    const state = { DomesticPaymentId: PAYMENT };
    expect(await found([token, [200, inState(samplePayment, 'ACCC')]], { state })).toMatchObject({ status: 'settled' });
  });

  it('of what the bank does not know leaves it unknown', async () => {
    expect(await found([token, [400, sampleAbsent]])).toMatchObject({ status: 'unknown', provider: { code: 'U011' } });
    expect(await found([], { isLost: true })).toMatchObject({ status: 'unknown' });
  });
});

it('no token and no key stands in what calls leave behind', async () => {
  const { left } = await buy([...consented, payersToken, paid]);
  expect(left()).not.toContain('PRIVATE KEY');
  expect(left()).not.toContain('a-token');
});
