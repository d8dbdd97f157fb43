import { createHmac } from 'node:crypto';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { acquirerConnector as connector } from '../src/index.ts';
import { rig, visa } from './support/rig.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECRET = 'secret-of-sixteen-letters';
const settings = connector.settings.parse({
  base_url: 'https://api.example',
  api_key: 'key',
  webhook_secret: SECRET,
});

const bodyOf = (more: object = {}) =>
  JSON.stringify({
    event_id: 'evt_1',
    payment: { id: 'pay_1', reference: 'ref-1', status: 'APPROVED', amount: 2500, currency: 'USD', ...more },
  });
const signed = (body: string, key = SECRET, at = NOW / 1000) => ({
  'x-timestamp': String(at),
  'x-signature': `sha256=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`,
});
const receive = (body: string, headers: Readonly<Record<string, string>> = signed(body), now = NOW) =>
  receiveNotification(connector, settings, { body, headers }, now);

describe('a notification', () => {
  it('is believed with its signature, and has the same id as a lookup gives', () => {
    expect(receive(bodyOf())).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 204 },
      events: [
        {
          id: 'pay_1/APPROVED',
          kind: 'payment',
          providerReference: 'pay_1',
          merchantReference: 'ref-1',
          outcome: { status: 'settled', amount: { text: '25.00' } },
        },
      ],
    });
  });

  it.each([
    ['CHARGED_BACK', { kind: 'chargeback', amount: { text: '25.00' } }],
    ['REVERSED', { kind: 'reversal', amount: { text: '25.00' } }],
    ['CHARGEBACK_WON', { kind: 'chargeback', result: 'won', amount: { text: '25.00' } }],
    ['CHARGEBACK_LOST', { kind: 'chargeback', result: 'lost', amount: { text: '25.00' } }],
    ['HOLD_EXPIRED', { kind: 'hold-expired' }],
    ['DECLINED', { kind: 'payment', outcome: { status: 'declined' } }],
    ['FROZEN', { kind: 'payment', outcome: { status: 'unknown' } }],
  ])('of %s tells just that', (status, event) => {
    expect(receive(bodyOf({ status }))).toMatchObject({ events: [event] });
  });

  it.each([
    ['capture', 'capture'],
    ['reversal', 'void'],
    ['void', 'void'],
    ['refund', 'refund'],
  ])('of a %s that failed after it was done is its own event, under its own reference', (type, kind) => {
    const { payment } = JSON.parse(bodyOf({ status: 'AUTHORISED' }));
    const action = { id: 'act_1', reference: 'ref-2', type, status: 'DECLINED', amount: 2500, currency: 'USD' };
    expect(receive(JSON.stringify({ event_id: 'evt_2', payment, action }))).toMatchObject({
      events: [
        {
          id: 'act_1/DECLINED',
          kind,
          providerReference: 'pay_1',
          merchantReference: 'ref-1',
          outcome: { status: 'declined', providerReference: 'act_1' },
        },
      ],
    });
  });

  it('of the clearing a day later carries its reference, and no outcome', () => {
    const { payment } = JSON.parse(bodyOf());
    const clearing = { arn: '74537604221222132710572' };
    expect(receive(JSON.stringify({ event_id: 'evt_3', payment, clearing }))).toMatchObject({
      events: [{ id: 'pay_1/cleared', kind: 'facts', providerReference: 'pay_1', facts: clearing }],
    });
  });

  it('of a void reports nothing: the void itself was answered', () => {
    expect(receive(bodyOf({ status: 'VOIDED' }))).toMatchObject({ kind: 'events', events: [] });
  });

  it('of a challenge that was passed brings what the payer would have brought', () => {
    expect(receive(bodyOf({ status: 'AUTHENTICATED', cres: 'cres-1' }))).toMatchObject({
      events: [{ kind: 'returned', values: { cres: 'cres-1' } }],
    });
  });

  it.each([
    ['without a signature', { 'x-timestamp': String(NOW / 1000) }],
    ['signed with another key', signed(bodyOf(), 'other')],
    ['with the signature of another body', signed(bodyOf({ amount: 1 }))],
    ['with another time than was signed', { ...signed(bodyOf()), 'x-timestamp': String(NOW / 1000 + 1) }],
  ])('is refused %s', (_what, headers) => {
    expect(receive(bodyOf(), headers)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  it('is refused a day later', () => {
    expect(receive(bodyOf(), signed(bodyOf()), NOW + 86_400_000)).toMatchObject({ kind: 'refused', why: 'stale' });
  });

  it.each(['{}', 'null', bodyOf({ amount: 1.5 }), bodyOf({ amount: -1 }), bodyOf({ currency: 'QQQ' })])(
    'that is signed but not understood is kept for an operator: %s',
    (body) => {
      expect(receive(body)).toMatchObject({ kind: 'events', events: [], genuine: true, unread: [expect.any(String)] });
    },
  );
});

describe('the acquirer', () => {
  it('reports a chargeback', async () => {
    const { pay, simulator, receiver } = await rig();
    await pay('ref-1', { card: visa('01/38') });
    simulator.dispute(simulator.payments()[0]?.id ?? '');
    await simulator.idle();
    expect(receiver.refused).toEqual([]);
    expect(receiver.events.map(({ kind }) => kind)).toEqual(['payment', 'chargeback']);
  });

  it('reports a challenge that was passed, so that the payer need not find the way back', async () => {
    const { runOf, drive, simulator, receiver, known } = await rig();
    const wanted = { card: visa('05/38') };
    const run = runOf('ref-1', 'purchase', { payment: known('ref-1', '', wanted) });
    expect(await drive(run, wanted.card)).toMatchObject({ kind: 'suspended' });
    simulator.settle(simulator.payments()[0]?.id ?? '');
    await simulator.idle();
    const [event] = receiver.events;
    if (event?.kind !== 'returned') throw new Error('The payer’s return was not told.');
    const { providerReference: reference, values } = event;
    expect(await drive(run, undefined, { reference, values })).toMatchObject({
      kind: 'done',
      outcome: { status: 'settled' },
    });
  });
});
