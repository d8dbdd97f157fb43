import { describe, expect, test } from 'vitest';
import { authorized, declined, money, type Outcome, pending, settled, unknown } from '../src/index.ts';
import {
  type ModificationState,
  approvedAmount,
  decide,
  decideModification,
  newPayment,
  type PaymentChange,
  type PaymentState,
  requestModification,
} from '../src/payment.ts';

const ten = money('10.00', 'USD');
const six = money('6.00', 'USD');
const fresh = newPayment(ten);
type Via = 'flow' | 'notification' | 'status' | 'operator';

const told = (outcome: Outcome, via: Via): PaymentChange => ({ kind: 'outcome', outcome, via });
function after(payment: PaymentState, ...changes: readonly PaymentChange[]): PaymentState {
  return changes.reduce((now, change) => {
    const decision = decide(now, change);
    if (decision.do === 'apply') return decision.next;
    return decision.do === 'quarantine' && decision.aside !== undefined ? { ...now, aside: true } : now;
  }, payment);
}

const taken = after(fresh, told(settled('a', six), 'flow'));
const held = after(fresh, told(authorized('a', six), 'flow'));

describe('less than the amount', () => {
  test.each([
    ['taken', settled('a', six), { received: six, decidedBy: 'a' }],
    ['held', authorized('a', six), { held: six }],
  ] as const)('%s by a flow or found by a lookup is a partial approval', (_what, outcome, sums) => {
    for (const via of ['flow', 'status'] as const)
      expect(after(fresh, told(outcome, via))).toMatchObject({ state: 'partially_approved', unknown: false, ...sums });
  });

  test('reported by a notification is set aside, and the provider is asked', () => {
    const decision = decide(fresh, told(settled('a', six), 'notification'));
    expect(decision).toMatchObject({ do: 'quarantine', needsSync: true, aside: six });
    const marked = after(fresh, told(settled('a', six), 'notification'));
    expect(after(marked, told(settled('a', six), 'status'))).toMatchObject({
      state: 'partially_approved',
      aside: false,
    });
  });

  test.each(['expired', 'declined'] as const)(
    'found by a lookup after the payment was %s is a partial approval',
    (state) => {
      expect(after({ ...fresh, state }, told(settled('a', six), 'status')).state).toBe('partially_approved');
    },
  );

  test('is what the merchant is told, and nothing once it has gone back', () => {
    expect([taken, held].map(approvedAmount)).toEqual([six, six]);
    const back = after(taken, { kind: 'given-back', via: 'operator' });
    expect([back.state, approvedAmount(back)]).toEqual(['declined', undefined]);
    expect(approvedAmount(after(fresh, told(settled('a', ten), 'flow')))).toBeUndefined();
  });
});

describe('a payment that was approved in part', () => {
  test.each([
    ['expires', { kind: 'expiry' }],
    ['declines', told(declined('hard', 'declined_by_provider', { providerReference: 'a' }), 'status')],
    ['becomes pending', told(pending('a'), 'status')],
    ['becomes unknown', told(unknown('?', { providerReference: 'a' }), 'status')],
    ['is settled by the same news', told(settled('a', six), 'status')],
    ['is settled by the whole amount', told(settled('a', ten), 'status')],
  ] as const)('never %s by itself', (_what, change) => {
    expect(after(taken, change)).toMatchObject({ state: 'partially_approved', received: six });
  });

  test('is settled, or held, once it is accepted, and says the same money once', () => {
    const accepted = after(taken, { kind: 'accepted', via: 'rule' });
    expect(accepted).toMatchObject({ state: 'settled', received: six });
    expect(decide(accepted, told(settled('a', six), 'status')).do).toBe('ignore');
    expect(decide(accepted, told(settled('a', ten), 'status'))).toMatchObject({ do: 'quarantine', aside: ten });
    const hold = after(held, { kind: 'accepted', via: 'rule' });
    expect(hold.state).toBe('authorized');
    expect(after(hold, told(settled('a', six), 'status'))).toMatchObject({ state: 'settled', received: six });
  });

  test.each([
    ['void', taken],
    ['refund', taken],
    ['release', held],
  ] as const)('ends in a decline once its %s took place, and not before', (name, payment) => {
    const begun = requestModification(payment, { modification: name, operation: 'purchase', partial: true });
    if (begun.do === 'refuse') throw new Error(begun.why);
    expect(begun.amount).toEqual(six);
    const modification: ModificationState = { name, state: 'requested', amount: six, providerReference: undefined };
    const unclear = decideModification(begun.next, modification, { outcome: unknown('?'), via: 'flow' });
    expect(unclear).toMatchObject({ do: 'apply', next: { state: 'partially_approved' } });
    const failed = decideModification(begun.next, modification, {
      outcome: declined('hard', 'declined_by_provider'),
      via: 'flow',
    });
    expect(failed).toMatchObject({ do: 'apply', next: { state: 'partially_approved', modifying: undefined } });
    const done = decideModification(begun.next, modification, { outcome: settled('v', six), via: 'status' });
    expect(done).toMatchObject({ do: 'apply', next: { state: 'declined' } });
    // While it is on its way back it is not accepted.
    expect(decide(begun.next, { kind: 'accepted', via: 'operator' }).do).toBe('ignore');
    expect(decide(begun.next, { kind: 'given-back', via: 'operator' }).do).toBe('ignore');
  });

  test('gives back all or nothing', () => {
    const part = {
      modification: 'refund',
      operation: 'purchase',
      partial: true,
      amount: money('1.00', 'USD'),
    } as const;
    expect(requestModification(taken, part)).toEqual({ do: 'refuse', why: 'no-partial' });
  });

  test('whose money has gone back does not come back by old news, and other money is for a person', () => {
    const back = after(taken, { kind: 'given-back', via: 'operator' });
    for (const via of ['notification', 'status'] as const) {
      expect(decide(back, told(settled('a', six), via)).do).toBe('ignore');
      expect(decide(back, told(settled('a', ten), via))).toMatchObject({ do: 'quarantine', aside: ten });
    }
    const released = after(held, { kind: 'given-back', via: 'operator' });
    expect(decide(released, told(authorized('a', six), 'status')).do).toBe('ignore');
    expect(decide(released, told(settled('a', six), 'status'))).toMatchObject({ do: 'quarantine', aside: six });
  });

  test('whose hold the provider took is given back as money', () => {
    const took = after(held, told(settled('a', six), 'status'));
    expect(took).toMatchObject({ state: 'partially_approved', received: six, held: six });
    expect(requestModification(took, { modification: 'release', operation: 'purchase', partial: true }).do).toBe(
      'refuse',
    );
    expect(requestModification(took, { modification: 'void', operation: 'purchase', partial: true }).do).toBe('begin');
  });
});

describe('money that is set aside', () => {
  const waiting = after(fresh, told(pending('a'), 'flow'));
  test.each([
    ['more than the amount', settled('a', money('15.00', 'USD'))],
    ['another currency', settled('a', money('10.00', 'EUR'))],
  ])('as %s keeps the payment from expiring and declining', (_what, outcome) => {
    for (const via of ['flow', 'notification', 'status'] as const) {
      const marked = after(waiting, told(outcome, via));
      expect(marked).toMatchObject({ state: 'pending', aside: true });
      expect(after(marked, { kind: 'expiry' }).state).toBe('pending');
      expect(
        after(marked, told(declined('hard', 'declined_by_provider', { providerReference: 'a' }), 'status')).state,
      ).toBe('pending');
      expect(after(marked, told(settled('a', ten), 'status'))).toMatchObject({ state: 'settled', aside: false });
    }
  });

  test('ends by an operator', () => {
    const marked: PaymentState = { ...waiting, aside: true };
    expect(after(marked, told(declined('hard', 'declined_by_provider'), 'operator'))).toMatchObject({
      state: 'declined',
      aside: false,
    });
    expect(after(marked, { kind: 'dismissed', via: 'operator' }, { kind: 'expiry' }).state).toBe('expired');
  });

  test('as a deposit that does not reach the amount keeps the payment from declining', () => {
    const deposit = {
      kind: 'deposit',
      providerReference: 'a',
      amount: six,
      confirmed: true,
      via: 'notification',
    } as const;
    const part = after(waiting, deposit);
    expect(
      after(part, told(declined('soft', 'declined_by_provider', { providerReference: 'a' }), 'status')).state,
    ).toBe('pending');
  });
});

test('a deposit after the merchant accepted a part adds up, and the payment stays settled', () => {
  const accepted = after(taken, { kind: 'accepted', via: 'merchant' });
  const amount = money('0.01', 'USD');
  const deposit: PaymentChange = {
    kind: 'deposit',
    providerReference: 'b',
    amount,
    confirmed: true,
    via: 'notification',
  };
  expect(after(accepted, deposit)).toMatchObject({ state: 'settled', received: money('6.01', 'USD') });
});
