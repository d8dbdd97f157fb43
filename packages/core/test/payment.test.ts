import * as fc from '../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import {
  authorized,
  declined,
  type Money,
  money,
  moneyOfMinor,
  type Outcome,
  pending,
  settled,
  unknown,
} from '../src/index.ts';
import { type ModificationState, decide, decideModification, newPayment, type PaymentState } from '../src/payment.ts';

const ten = money('10.00', 'BRL');
const fresh = newPayment(ten);

function after(state: PaymentState, ...outcomes: [Outcome, 'flow' | 'notification' | 'status'][]): PaymentState {
  return outcomes.reduce((now, [outcome, via]) => {
    const decision = decide(now, { kind: 'outcome', outcome, via });
    return decision.do === 'apply' ? decision.next : now;
  }, state);
}

describe('an outcome', () => {
  test('settles a pending payment', () => {
    expect(after(fresh, [pending('a'), 'flow'], [settled('a', ten), 'notification'])).toMatchObject({
      state: 'settled',
      decidedBy: 'a',
    });
  });

  test('that is unknown keeps the payment pending until it is known', () => {
    const unclear = after(fresh, [unknown('time-out'), 'flow']);
    expect(unclear).toMatchObject({ state: 'pending', unknown: true });
    expect(after(unclear, [settled('a', ten), 'status'])).toMatchObject({ state: 'settled', unknown: false });
  });

  test('with another amount or currency is set aside', () => {
    const waiting = after(fresh, [pending('a'), 'flow']);
    for (const [amount, needsSync] of [
      [money('9.99', 'BRL'), true],
      [money('10.01', 'BRL'), false],
      [money('10.00', 'USD'), false],
    ] as const)
      expect(decide(waiting, { kind: 'outcome', outcome: settled('a', amount), via: 'notification' })).toMatchObject({
        do: 'quarantine',
        needsSync,
      });
  });

  test('of an open amount is in the currency of the order, and is no nothing', () => {
    const open: PaymentState = { ...fresh, amount: 'payer', currency: 'BRL' };
    const told = (amount: Money) =>
      decide(open, { kind: 'outcome', outcome: settled('a', amount), via: 'notification' });
    expect(told(ten)).toMatchObject({ do: 'apply', next: { state: 'settled', received: ten } });
    for (const amount of [money('1000.00', 'USD'), money('0.00', 'BRL')])
      expect(told(amount)).toMatchObject({ do: 'quarantine', needsSync: false });
  });

  test('of an older code does not decline the payment, but its money settles it', () => {
    const renewed = after(fresh, [pending('first'), 'flow'], [pending('second'), 'flow']);
    expect(after(renewed, [declined('soft', 'expired', { providerReference: 'first' }), 'notification'])).toEqual(
      renewed,
    );
    expect(after(renewed, [settled('first', ten), 'notification'])).toMatchObject({
      state: 'settled',
      decidedBy: 'first',
    });
  });

  test('that comes late does not take a settled payment back', () => {
    const done = after(fresh, [settled('a', ten), 'flow']);
    expect(after(done, [pending('a'), 'notification'])).toEqual(done);
    expect(
      decide(done, {
        kind: 'outcome',
        outcome: declined('hard', 'declined_by_provider', { providerReference: 'a' }),
        via: 'notification',
      }),
    ).toMatchObject({ do: 'quarantine', needsSync: true });
  });

  test('after a decline counts only when the provider was asked', () => {
    const refused = after(fresh, [declined('soft', 'declined_by_provider', { providerReference: 'a' }), 'flow']);
    expect(decide(refused, { kind: 'outcome', outcome: settled('a', ten), via: 'notification' })).toMatchObject({
      do: 'quarantine',
      needsSync: true,
    });
    expect(after(refused, [settled('a', ten), 'status'])).toMatchObject({ state: 'settled' });
  });

  test('from a second code that was paid too is set aside', () => {
    const paid = after(
      fresh,
      [pending('first'), 'flow'],
      [pending('second'), 'flow'],
      [settled('first', ten), 'notification'],
    );
    expect(decide(paid, { kind: 'outcome', outcome: settled('second', ten), via: 'notification' })).toMatchObject({
      do: 'quarantine',
    });
  });
});

describe('deposits', () => {
  const open: PaymentState = { ...fresh, amount: 'payer' };
  const deposit = (
    reference: string,
    minor: bigint,
    confirmed = true,
    via: 'notification' | 'status' = 'notification',
  ) => ({ kind: 'deposit', providerReference: reference, amount: moneyOfMinor(minor, 'BTC'), confirmed, via }) as const;

  test('of an open amount add up', () => {
    const first = decide(open, deposit('a', 1000n));
    const second = first.do === 'apply' ? decide(first.next, deposit('a', 500n)) : first;
    expect(second).toMatchObject({ do: 'apply', next: { state: 'settled', received: { minor: 1500n } } });
  });

  test('that are worth nothing settle nothing', () => {
    for (const state of [open, fresh]) {
      const amount = moneyOfMinor(0n, 'BRL');
      const nothing = {
        kind: 'deposit',
        providerReference: 'a',
        amount,
        confirmed: true,
        via: 'notification',
      } as const;
      expect(decide(state, nothing)).toEqual({
        do: 'quarantine',
        why: 'A deposit that is worth nothing in BRL.',
        needsSync: false,
      });
    }
  });

  test('count only once they are confirmed', () => {
    expect(decide(open, deposit('a', 1000n, false))).toMatchObject({
      do: 'apply',
      next: { state: 'pending', received: undefined },
    });
  });

  test('after a decline count only when the provider was asked', () => {
    const refused: PaymentState = { ...open, state: 'declined' };
    expect(decide(refused, deposit('a', 1000n))).toMatchObject({ do: 'quarantine', needsSync: true });
    expect(decide(refused, deposit('a', 1000n, true, 'status'))).toMatchObject({
      do: 'apply',
      next: { state: 'settled' },
    });
  });

  test('settle a fixed amount when they reach it', () => {
    const fixed: PaymentState = { ...fresh, amount: moneyOfMinor(1000n, 'BTC') };
    const part = decide(fixed, deposit('a', 400n));
    expect(part).toMatchObject({ do: 'apply', next: { state: 'pending' } });
    expect(part.do === 'apply' && decide(part.next, deposit('a', 600n))).toMatchObject({
      do: 'apply',
      next: { state: 'settled' },
    });
  });

  test('that fell short settle by the provider’s later word that they are enough, and count once', () => {
    const fixed: PaymentState = { ...fresh, amount: moneyOfMinor(1000n, 'BTC') };
    const part = decide(fixed, deposit('a', 995n));
    const word = { ...deposit('a', 0n, true, 'status'), enough: true } as const;
    const whole = part.do === 'apply' ? decide(part.next, word) : part;
    expect(whole).toMatchObject({ do: 'apply', next: { state: 'settled', received: { minor: 995n }, decidedBy: 'a' } });
    expect(whole.do === 'apply' && decide(whole.next, word)).toMatchObject({ do: 'ignore' });
    // Of nothing there is no enough.
    expect(decide(fixed, word)).toMatchObject({ do: 'quarantine' });
  });

  test('in another currency than the order’s are set aside, also while the amount is open', () => {
    const open = newPayment('payer');
    const dollars = { ...deposit('a', 1000n), amount: money('10.00', 'USD') };
    expect(decide({ ...open, currency: 'BTC' }, dollars)).toMatchObject({ do: 'quarantine', needsSync: false });
    expect(decide({ ...open, currency: 'BTC' }, deposit('a', 1000n))).toMatchObject({ do: 'apply' });
    // Where nothing is said of the order, the first deposit decides.
    expect(decide(open, dollars)).toMatchObject({ do: 'apply', next: { received: { currency: 'USD' } } });
  });
});

describe('a void that took place', () => {
  const paid: PaymentState = { ...after(fresh, [settled('a', ten), 'flow']), modifying: 'void' };
  const modification = { name: 'void', state: 'pending', amount: ten, providerReference: 'v' } as const;
  const done = { outcome: settled('v', ten), via: 'status' } as const;

  test('ends the payment', () => {
    expect(decideModification(paid, modification, done)).toMatchObject({
      do: 'apply',
      modification: { state: 'succeeded' },
      next: { state: 'voided', modifying: undefined },
    });
  });

  test('after the provider refunded a part ends the payment, and a person looks at it', () => {
    const partly: PaymentState = { ...paid, refunded: money('3.00', 'BRL') };
    expect(decideModification(partly, modification, done)).toMatchObject({
      do: 'apply',
      next: { state: 'voided' },
      attention: expect.stringContaining('refunded in part'),
    });
    expect(decideModification(paid, modification, done)).not.toHaveProperty('attention');
  });

  test.each(['refunded', 'reversed', 'charged_back'] as const)(
    'after the payment was %s ends the void only, and a person looks at it',
    (state) => {
      expect(decideModification({ ...paid, state }, modification, done)).toMatchObject({
        do: 'apply',
        modification: { state: 'succeeded' },
        next: { state, modifying: undefined },
        attention: expect.stringContaining(state),
      });
    },
  );
});

test.each(['reversed', 'charged_back'] as const)(
  'a capture that is told after the payment was %s ends, what it took is known, and a person looks at it',
  (state) => {
    const taken: PaymentState = { ...fresh, state, held: ten, modifying: 'capture', current: 'a' };
    const capture: ModificationState = { name: 'capture', state: 'pending', amount: ten, providerReference: undefined };
    expect(decideModification(taken, capture, { outcome: settled('c', ten), via: 'notification' })).toMatchObject({
      do: 'apply',
      modification: { state: 'succeeded' },
      next: { state, modifying: undefined, received: ten },
      attention: expect.stringContaining(state),
    });
  },
);

test('a capture that is reported after the event of its money and of a refund takes nothing back of what is known', () => {
  const gone: PaymentState = {
    ...fresh,
    state: 'refunded',
    held: ten,
    received: ten,
    refunded: ten,
    modifying: 'capture',
  };
  const capture: ModificationState = {
    name: 'capture',
    state: 'pending',
    amount: money('0.01', 'EUR'),
    providerReference: undefined,
  };
  const told = { outcome: settled('c', capture.amount), via: 'notification' } as const;
  expect(decideModification(gone, capture, told)).toMatchObject({
    do: 'apply',
    modification: { state: 'succeeded' },
    next: { state: 'refunded', modifying: undefined, received: ten, refunded: ten },
    attention: expect.stringContaining('refunded'),
  });
});

test('no sequence of outcomes from flows and notifications takes settled money back', () => {
  const outcome = fc.constantFrom<Outcome>(
    settled('a', ten),
    authorized('a', ten),
    pending('a'),
    declined('soft', 'declined_by_provider', { providerReference: 'a' }),
    unknown('?', { providerReference: 'a' }),
  );
  const via = fc.constantFrom('flow' as const, 'notification' as const, 'status' as const);
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, via), { maxLength: 12 }), (outcomes) => {
      let now = fresh;
      let wasSettled = false;
      for (const each of outcomes) {
        now = after(now, each);
        wasSettled ||= now.state === 'settled';
        expect(wasSettled).toBe(now.state === 'settled');
        expect(now.unknown && now.state !== 'pending').toBe(false);
      }
    }),
  );
});
