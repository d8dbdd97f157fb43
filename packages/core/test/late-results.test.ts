import { describe, expect, test } from 'vitest';
import { authorized, declined, money, type Outcome, type ProviderEvent, settled, statusTable } from '../src/index.ts';
import { eventKey } from '../src/driver.ts';
import {
  callbackWords,
  decide,
  decideModification,
  type End,
  inState,
  type ModificationName,
  type ModificationState,
  modificationWords,
  newPayment,
  type PaymentChange,
  type PaymentState,
  requestModification,
} from '../src/payment.ts';

const ten = money('10.00', 'EUR');
const failed = declined('hard', 'declined_by_provider', { reason: 'Returned by the bank.' });

function changed(payment: PaymentState, change: PaymentChange): PaymentState {
  const decision = decide(payment, change);
  if (decision.do !== 'apply') throw new Error(decision.why);
  return decision.next;
}

const outcome = (payment: PaymentState, each: Outcome) =>
  changed(payment, { kind: 'outcome', outcome: each, via: 'flow' });
const paid = outcome(newPayment(ten), settled('p', ten));
const held = outcome(newPayment(ten), authorized('p', ten));
const disputed = changed(paid, { kind: 'chargeback', amount: ten, via: 'notification' });

/** A payment with a modification that took place. */
function modified(payment: PaymentState, modification: ModificationName, amount = ten) {
  const asked = requestModification(payment, { modification, operation: 'purchase', amount, partial: true });
  if (asked.do !== 'begin') throw new Error(asked.why);
  const requested = {
    name: modification,
    state: 'requested',
    amount: asked.amount,
    providerReference: undefined,
  } as const;
  const decision = decideModification(asked.next, requested, { outcome: settled('m', asked.amount), via: 'flow' });
  if (decision.do !== 'apply') throw new Error(decision.why);
  return { payment: decision.next, modification: decision.modification };
}

const failing = (
  { payment, modification }: { readonly payment: PaymentState; readonly modification: ModificationState },
  via: 'notification' | 'status' | 'flow' = 'notification',
) => decideModification(payment, modification, { outcome: failed, via });

describe('a modification that took place and then fails', () => {
  test.each([
    ['capture', held, { state: 'authorized', received: undefined, held: ten, decidedBy: undefined }],
    ['void', paid, { state: 'settled', received: ten }],
    ['release', held, { state: 'authorized', held: ten }],
    ['refund', paid, { state: 'settled', received: ten, refunded: money('0.00', 'EUR') }],
  ] as const)('leaves the payment as it was before the %s', (name, before, after) => {
    expect(failing(modified(before, name))).toMatchObject({
      do: 'apply',
      modification: { state: 'failed' },
      next: after,
    });
  });

  test('frees its part of what was refunded, and leaves the rest', () => {
    const first = modified(paid, 'refund', money('4.00', 'EUR'));
    const second = modified(first.payment, 'refund', money('6.00', 'EUR'));
    expect(second.payment.state).toBe('refunded');
    expect(failing({ payment: second.payment, modification: first.modification })).toMatchObject({
      next: { state: 'settled', refunded: { text: '6.00' } },
    });
  });

  test('is reported to the merchant under its own type', () => {
    const words = (name: ModificationName, payment: PaymentState) =>
      Object.values(modificationWords({ name, state: 'failed' }, payment)).join(' ');
    expect(words('capture', held)).toBe('capture fail pending');
    expect(words('void', paid)).toBe('void fail settled');
    expect(words('refund', paid)).toBe('refund fail decline');
  });

  test('is set aside from the reply to our own call, which may be a repeat', () => {
    expect(failing(modified(paid, 'refund'), 'flow').do).toBe('quarantine');
    expect(failing(modified(paid, 'refund'), 'status').do).toBe('apply');
  });

  test('is set aside where other money has moved since', () => {
    const captured = modified(held, 'capture');
    const refund = modified(captured.payment, 'refund', money('1.00', 'EUR'));
    expect(failing({ payment: refund.payment, modification: captured.modification }).do).toBe('quarantine');
    const charged = changed(captured.payment, { kind: 'chargeback', amount: ten, via: 'notification' });
    expect(failing({ payment: charged, modification: captured.modification }).do).toBe('quarantine');
  });
});

describe('a hold that was not captured in time', () => {
  const expired = { kind: 'hold-expired', via: 'notification' } as const;

  test('is released, once', () => {
    const over = changed(held, expired);
    expect(over).toMatchObject({ state: 'reversed', held: ten, received: undefined });
    expect(callbackWords('purchase', over).type).toBe('reversal');
    expect(decide(over, expired).do).toBe('ignore');
  });

  test('says nothing about money that was captured, and nothing before there is a hold', () => {
    expect(decide(modified(held, 'capture').payment, expired).do).toBe('ignore');
    expect(decide(newPayment(ten), expired)).toMatchObject({ do: 'quarantine', needsSync: true });
  });

  test('of a part ends the payment', () => {
    const part = outcome(newPayment(ten), authorized('p', money('6.00', 'EUR')));
    expect(changed(part, expired).state).toBe('declined');
  });
});

describe('a word that ends waiting payments and holds alike', () => {
  const statuses = statusTable({ CANCELLED: { ended: 'hard', code: 'cancelled' } });
  const said = { word: 'CANCELLED', providerReference: 'p', amount: ten };
  const asked = { merchantReference: 'ours', providerReference: 'p' };
  const [event] = statuses.events('e-1', 'ours', said);
  const ended: End = { kind: 'ended', outcome: statuses.read(said), via: 'notification' };
  const ends = (payment: PaymentState) => changed(payment, inState(payment, ended));

  test('is an event with a decline, in notifications and lookups', () => {
    expect(event).toMatchObject({ kind: 'ended', id: 'e-1', outcome: { status: 'declined', code: 'cancelled' } });
    expect(statuses.report(said, asked, 'e-1')).toEqual({ events: [event] });
    expect(statuses.report(said, { ...asked, providerReference: 'another' }, 'e-1')).toMatchObject({
      status: 'unknown',
    });
  });

  test('declines a payment that waits, and lets go of one that is held', () => {
    expect(ends(newPayment(ten)).state).toBe('declined');
    expect(ends(held)).toMatchObject({ state: 'reversed', held: ten });
  });

  test('changes no payment that was captured or released before', () => {
    expect(decide(modified(held, 'capture').payment, inState(held, ended)).do).toBe('ignore');
    expect(decide(ends(held), inState(ends(held), ended)).do).toBe('ignore');
  });

  test('contradicts a payment that was paid at once, so that the provider is asked', () => {
    expect(decide(paid, inState(paid, ended))).toMatchObject({ do: 'quarantine', needsSync: true });
  });
});

describe('a dispute', () => {
  const over = (result: 'won' | 'lost') => ({ kind: 'chargeback', amount: ten, result, via: 'notification' }) as const;

  test('that is won makes the money the merchant’s again', () => {
    const won = changed(disputed, over('won'));
    expect(won).toMatchObject({ state: 'settled', received: ten });
    expect(changed(won, { kind: 'chargeback', amount: ten, via: 'notification' }).state).toBe('charged_back');
  });

  test('that is won after all was refunded leaves the payment refunded', () => {
    const asked = requestModification(paid, { modification: 'refund', operation: 'purchase', partial: true });
    if (asked.do !== 'begin') throw new Error(asked.why);
    const charged = changed(asked.next, { kind: 'chargeback', amount: ten, via: 'notification' });
    const requested = { name: 'refund', state: 'requested', amount: ten, providerReference: undefined } as const;
    const refund = decideModification(charged, requested, { outcome: settled('m', ten), via: 'flow' });
    if (refund.do !== 'apply') throw new Error(refund.why);
    expect(changed(refund.next, over('won')).state).toBe('refunded');
  });

  test('that is told before a refund made at the provider leaves the payment charged back, and the refund counts', () => {
    const given = (amount: string) =>
      ({ kind: 'refund', providerReference: 'r', amount: money(amount, 'EUR'), via: 'notification' }) as const;
    const partly = changed(disputed, given('4.00'));
    expect(partly).toMatchObject({ state: 'charged_back', refunded: money('4.00', 'EUR') });
    expect(decide(partly, given('6.01')).do).toBe('quarantine');
    expect(changed(changed(partly, given('6.00')), over('won')).state).toBe('refunded');
  });

  test('that is lost is the chargeback itself, once', () => {
    expect(changed(paid, over('lost')).state).toBe('charged_back');
    expect(decide(disputed, over('lost')).do).toBe('ignore');
  });

  test('that was won and is lost in arbitration takes the money again', () => {
    const won = changed(disputed, over('won'));
    expect(changed(won, over('lost')).state).toBe('charged_back');
  });

  test('in another currency is one all the same, and calls for attention', () => {
    const told = decide(paid, { kind: 'chargeback', amount: money('11.50', 'USD'), via: 'notification' });
    expect(told).toMatchObject({ do: 'apply', next: { state: 'charged_back' } });
    expect(told).toHaveProperty('attention', expect.stringContaining('11.50 USD'));
  });

  test('that is won and was never reported is set aside', () => {
    expect(decide(paid, over('won'))).toMatchObject({ do: 'quarantine', needsSync: false });
  });

  test('in a word of the payment is reported by a lookup behind the money, and one that is over behind its beginning', () => {
    const statuses = statusTable({
      DISPUTED: { later: 'chargeback' },
      WON: { later: 'chargeback', result: 'won' },
      LET_GO: { later: 'hold-expired' },
      PAID: 'settled',
    });
    const asked = { merchantReference: 'ours', providerReference: 'p' };
    const report = (word: string, providerReference = 'p') => {
      const said = statuses.report({ word, providerReference, amount: ten }, asked, `p/${word}`);
      return 'events' in said ? said.events : said.status;
    };
    const told = (word: string) => {
      const events = report(word);
      return typeof events === 'string'
        ? events
        : events.map((event) => `${event.merchantReference} ${eventKey(event)}`);
    };
    expect(told('DISPUTED')).toEqual(['ours payment/p/settled/10.00', 'ours chargeback/p/DISPUTED']);
    expect(told('WON')).toEqual(['ours payment/p/settled/10.00', 'ours chargeback/p/WON', 'ours chargeback/p/WON/won']);
    expect(told('LET_GO')).toEqual(['ours hold-expired/p/LET_GO']);
    expect(told('PAID')).toBe('settled');
    expect(told('NEW')).toBe('unknown');
    expect(report('DISPUTED', 'another')).toBe('unknown');
  });

  test('has a key for each of its stages', () => {
    const event = { id: 'd-1', kind: 'chargeback', providerReference: 'p', amount: ten } as const;
    const events: readonly ProviderEvent[] = [event, { ...event, result: 'won' }, { ...event, result: 'lost' }];
    expect(events.map(eventKey)).toEqual(['chargeback/d-1', 'chargeback/d-1/won', 'chargeback/d-1/lost']);
  });
});

describe('facts', () => {
  test('come with an outcome, and later with one that repeats it', () => {
    const known = outcome(newPayment(ten), settled('p', ten, { facts: { approval_code: '831000' } }));
    const again = decide(known, {
      kind: 'outcome',
      outcome: settled('p', ten, { facts: { arn: '74537604221222132710572', approval_code: '' } }),
      via: 'notification',
    });
    expect(again).toMatchObject({
      do: 'apply',
      learned: true,
      next: { state: 'settled', facts: { approval_code: '831000', arn: '74537604221222132710572' } },
    });
  });

  test('of another transaction, or that are known, change nothing', () => {
    const known = outcome(newPayment(ten), settled('p', ten, { facts: { rrn: '1' } }));
    const repeat = (reference: string, rrn: string) =>
      decide(known, {
        kind: 'outcome',
        outcome: declined('soft', 'expired', { providerReference: reference, facts: { rrn } }),
        via: 'notification',
      }).do;
    expect(repeat('old', '2')).toBe('ignore');
    expect(decide(known, { kind: 'facts', facts: { rrn: '1' }, via: 'notification' }).do).toBe('ignore');
    expect(changed(known, { kind: 'facts', facts: { rrn: '2' }, via: 'notification' }).facts).toEqual({ rrn: '2' });
  });

  test('of a refund are its own, those of a capture are the payment’s', () => {
    const facts = { arn: '1' };
    const refund = modified(paid, 'refund');
    const told = { outcome: settled('m', ten, { facts }), via: 'notification' } as const;
    expect(decideModification(refund.payment, refund.modification, told)).toMatchObject({
      modification: { facts },
      next: { facts: {} },
    });
    const capture = modified(held, 'capture');
    expect(decideModification(capture.payment, capture.modification, told)).toMatchObject({ next: { facts } });
  });
});
