import { maskedPhone, withoutPlus } from '@railyard/identifiers/phone';
import { describe, expect, it } from 'vitest';
import { promptConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { collectionOf } from './support/sessions.ts';

const settings = { api_key: 'the-api-key', webhook_secret: 'a-notification-secret' };
const request = (more: object = {}) => ({
  id: 'req_1',
  reference: OURS,
  status: 'waiting',
  amount: '1000',
  currency: 'XOF',
  ...more,
});
const NUMBERS: Readonly<Record<string, string>> = { bj: '+2290195123456', tg: '+22890112345' };
const sessionBy = (key: string, parameters: object) => collectionOf(key, { ...parameters }, '1000.00', 'XOF');
const purchase = (key: string, parameters: object, script: Script) =>
  exchange({ connector, key, settings, flow: 'purchase', payment: paymentOf(sessionBy(key, parameters), key) }, script);

describe('a network of Benin or Togo', () => {
  it.each([
    ['mobile-money-bj-a', 'bj-a'],
    ['mobile-money-bj-b', 'bj-b'],
    ['mobile-money-tg-a', 'tg-a'],
    ['mobile-money-tg-b', 'tg-b'],
  ])('%s asks the phone', async (key, network) => {
    const number = NUMBERS[network.slice(0, 2)] ?? '';
    const run = purchase(key, { mobile_number: number }, [[201, request({ message: 'Confirm.' })]]);
    expect(outcomeOf(await run.drive())).toEqual({
      status: 'pending',
      providerReference: 'req_1',
      provider: { status: 'waiting' },
      show: { kind: 'confirm-on-device', channel: 'stk', number: maskedPhone(number), message: 'Confirm.' },
    });
    expect(run.body(0)).toEqual({
      reference: OURS,
      network,
      amount: '1000',
      currency: 'XOF',
      description: 'Two books',
      number: withoutPlus(number),
      confirmation: 'prompt',
      notify_url: 'https://pay.example/notify/mid-1',
    });
  });

  it('is asked again with the same key after a lost reply', async () => {
    const run = purchase('mobile-money-tg-a', { mobile_number: '+22890112345' }, ['lost', [201, request()]]);
    await run.drive();
    expect(outcomeOf(await run.drive())).toMatchObject({ providerReference: 'req_1' });
    expect(run.asked[1]).toEqual(run.asked[0]);
  });
});

describe('a code', () => {
  const by = (script: Script, more: object = {}) =>
    purchase('mobile-money-otp', { mobile_number: '+22890112345', ...more }, [
      [201, request({ status: 'code_needed' })],
      ...script,
    ]);

  it('is asked for, with the receiver where there is one', async () => {
    const run = by([[200, request({ status: 'confirmed' })]], { receiver_number: '+2290195123456' });
    expect(await run.drive()).toMatchObject({ kind: 'suspended', nextAction: { step: 'code', resend: true } });
    expect(outcomeOf(await run.drive({ step: 'code', values: { code: '4711' } }))).toMatchObject({
      status: 'settled',
      amount: { text: '1000.00' },
    });
    expect(run.body(0)).toMatchObject({ confirmation: 'code', number: '22890112345', receiver: '2290195123456' });
    expect(run.lines()[1]).toBe('POST /requests/req_1/code');
  });

  it('that is wrong is asked for again; after the last there is no more', async () => {
    const run = by([
      [422, { code: 'wrong_code' }],
      [409, { code: 'too_many_codes', message: 'The request failed.' }],
    ]);
    await run.drive();
    expect(await run.drive({ step: 'code', values: { code: '1111' } })).toMatchObject({
      nextAction: { step: 'code#2' },
    });
    expect(outcomeOf(await run.drive({ step: 'code#2', values: { code: '2222' } }))).toMatchObject({
      status: 'declined',
      provider: { code: 'too_many_codes', message: 'The request failed.' },
    });
  });

  it('can be sent again', async () => {
    const run = by([[200, { id: 'req_1' }]]);
    await run.drive();
    expect(await run.drive({ step: 'code', resend: true })).toMatchObject({ nextAction: { step: 'code#2' } });
    expect(run.lines()[1]).toBe('POST /requests/req_1/code/resend');
  });
});

describe('a lookup', () => {
  const key = 'mobile-money-bj-a';
  const session = sessionBy(key, { mobile_number: '+2290195123456' });
  const look = (reply: object, providerReference?: string, status = 200) =>
    exchange({ connector, key, settings, flow: 'status', payment: lookedUp(session, key, providerReference) }, [
      [status, reply],
    ]);

  it.each([
    ['confirmed', { status: 'settled' }],
    ['waiting', { status: 'pending' }],
    ['declined', { status: 'declined', kind: 'soft' }],
    ['no_money', { status: 'declined', reason: 'There is not enough money in the account.' }],
    ['refused', { status: 'declined', kind: 'hard' }],
    ['expired', { status: 'declined', kind: 'soft', reason: 'The request was not confirmed on the phone in time.' }],
    ['paused', { status: 'unknown' }],
  ])('reads %s', async (status, expected) => {
    expect(outcomeOf(await look(request({ status }), 'req_1').drive())).toMatchObject(expected);
  });

  it('asks by our reference where the reply was lost', async () => {
    const run = look(request());
    expect(outcomeOf(await run.drive())).toMatchObject({ show: { kind: 'confirm-on-device' } });
    expect(run.lines()).toEqual([`GET /requests/reference/${OURS}`]);
  });

  it('never takes "not found" for a decline', async () => {
    expect(outcomeOf(await look({ code: 'not_found' }, 'req_1', 404).drive())).toMatchObject({ status: 'unknown' });
  });
});
