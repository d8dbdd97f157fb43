import * as fc from '../../../test/support/properties.ts';
import { expect, test } from 'vitest';
import { authorized, declined, money, moneyOfMinor, type Outcome, pending, settled, unknown } from '../src/index.ts';
import {
  approvedAmount,
  type ModificationName,
  type ModificationState,
  decide,
  decideModification,
  isOpenModification,
  LEGAL_MODIFICATION_MOVES,
  LEGAL_MOVES,
  newPayment,
  type PaymentChange,
  type PaymentState,
  requestModification,
  TRANSITIONS,
} from '../src/payment.ts';

/** A payment with its modifications, as a host keeps them. */
interface World {
  readonly payment: PaymentState;
  readonly modifications: readonly ModificationState[];
}

type Step =
  | { readonly do: 'change'; readonly change: PaymentChange }
  | {
      readonly do: 'request';
      readonly modification: ModificationName;
      readonly minor: bigint | undefined;
      readonly partial: boolean;
    }
  | { readonly do: 'act'; readonly which: number; readonly outcome: 'same' | Outcome; readonly via: 'flow' | 'status' };

const ten = money('10.00', 'EUR');
const minor = fc.bigInt({ min: 0n, max: 1200n });
const reference = fc.constantFrom('a', 'b');
const news = fc.constantFrom('notification' as const, 'status' as const);
const via = fc.constantFrom('flow' as const, 'notification' as const, 'status' as const);
const amount = fc.oneof(
  { weight: 5, arbitrary: fc.constant(ten) },
  minor.map((each) => moneyOfMinor(each, 'EUR')),
);

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.tuple(reference, amount).map(([ref, paid]) => settled(ref, paid)),
  fc.tuple(reference, amount).map(([ref, paid]) => authorized(ref, paid)),
  reference.map((ref) => pending(ref)),
  reference.map((ref) => declined('soft', 'declined_by_provider', { providerReference: ref })),
  reference.map((ref) => unknown('?', { providerReference: ref })),
);

const change: fc.Arbitrary<PaymentChange> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('outcome' as const), outcome, via }) },
  fc.record({
    kind: fc.constant('deposit' as const),
    providerReference: reference,
    amount,
    confirmed: fc.boolean(),
    via: news,
  }),
  fc.record({ kind: fc.constant('refund' as const), providerReference: reference, amount, via: news }),
  fc.record({ kind: fc.constantFrom('reversal' as const, 'chargeback' as const), amount, via: news }),
  fc.record({
    kind: fc.constant('chargeback' as const),
    amount,
    result: fc.constantFrom('won' as const, 'lost' as const),
    via: news,
  }),
  fc.record({ kind: fc.constant('hold-expired' as const), via: news }),
  fc.record({
    kind: fc.constant('facts' as const),
    facts: fc.record({ arn: fc.constantFrom('', '1', '2') }),
    via: news,
  }),
  fc.constant({ kind: 'expiry' as const }),
  fc.constantFrom(
    { kind: 'accepted' as const, via: 'rule' as const },
    { kind: 'given-back' as const, via: 'operator' as const },
    { kind: 'dismissed' as const, via: 'operator' as const },
  ),
);

const FAILED = declined('hard', 'declined_by_provider');

const step: fc.Arbitrary<Step> = fc.oneof(
  change.map((each): Step => ({ do: 'change', change: each })),
  fc
    .record({
      modification: fc.constantFrom<ModificationName>('capture', 'void', 'release', 'refund'),
      minor: fc.option(minor, { nil: undefined }),
      partial: fc.boolean(),
    })
    .map((each): Step => ({ do: 'request', ...each })),
  fc
    .record({
      which: fc.nat(5),
      outcome: fc.oneof(fc.constant('same' as const), fc.constant(FAILED), outcome),
      via: fc.constantFrom('flow' as const, 'status' as const),
    })
    .map((each): Step => ({ do: 'act', ...each })),
);

function take(world: World, each: Step): World {
  const { payment, modifications } = world;
  if (each.do === 'change') {
    const decision = decide(payment, each.change);
    if (decision.do === 'apply') return { ...world, payment: decision.next };
    const marked = decision.do === 'quarantine' && decision.aside !== undefined;
    return marked ? { ...world, payment: { ...payment, aside: true } } : world;
  }
  if (each.do === 'request') {
    const { modification, partial } = each;
    const asked = each.minor === undefined ? undefined : moneyOfMinor(each.minor, 'EUR');
    const answer = requestModification(payment, { modification, operation: 'purchase', amount: asked, partial });
    if (answer.do === 'refuse') return world;
    const begun: ModificationState = {
      name: modification,
      state: 'requested',
      amount: answer.amount,
      providerReference: undefined,
    };
    return { payment: answer.next, modifications: [...modifications, begun] };
  }
  const modification = modifications[each.which % Math.max(modifications.length, 1)];
  if (modification === undefined) return world;
  const said = each.outcome === 'same' ? settled('x', modification.amount) : each.outcome;
  const decision = decideModification(payment, modification, { outcome: said, via: each.via });
  if (decision.do !== 'apply') return world;
  return {
    payment: decision.next,
    modifications: modifications.map((old) => (old === modification ? decision.modification : old)),
  };
}

const sum = (amounts: readonly { readonly minor: bigint }[]) => amounts.reduce((total, each) => total + each.minor, 0n);

/** Everything that must hold of a payment whatever happened. */
function holds({ payment, modifications }: World): void {
  const { state, held, received, refunded, reserved, modifying } = payment;
  const got = received?.minor ?? 0n;
  if (held !== undefined) expect(got <= held.minor).toBe(true);
  expect((refunded?.minor ?? 0n) + (reserved?.minor ?? 0n) <= got).toBe(true);
  expect((refunded?.minor ?? 0n) >= 0n && (reserved?.minor ?? 0n) >= 0n).toBe(true);
  expect(payment.unknown && state !== 'pending').toBe(false);
  if (state === 'refunded') expect(refunded?.minor).toBe(got);
  if (state === 'settled') expect(received).toBeDefined();
  if (state === 'partially_approved') expect(received ?? held).toBeDefined();
  // What was approved is told until it has gone back.
  const approved = approvedAmount(payment);
  if (approved !== undefined) expect(payment.amount === 'payer' || approved.minor < payment.amount.minor).toBe(true);
  if (state === 'settled' && got > 0n) expect(refunded?.minor === got).toBe(false);
  const open = modifications.filter((modification) => isOpenModification(modification.state));
  expect(reserved?.minor ?? 0n).toBe(
    sum(open.filter(({ name }) => name === 'refund').map((modification) => modification.amount)),
  );
  expect(open.filter(({ name }) => name !== 'refund').map(({ name }) => name)).toEqual(
    modifying === undefined ? [] : [modifying],
  );
  expect(
    modifications.filter((modification) => modification.name === 'capture' && modification.state === 'succeeded')
      .length <= 1,
  ).toBe(true);
}

/** A change of state that the table does not know must never happen. */
function isLegal(before: World, now: World): void {
  const { state: from } = before.payment;
  const { state: to } = now.payment;
  if (from !== to) expect(LEGAL_MOVES).toContainEqual({ from, to });
  for (const [index, modification] of before.modifications.entries()) {
    const after = now.modifications[index];
    if (after !== undefined && after.state !== modification.state)
      expect(LEGAL_MODIFICATION_MOVES).toContainEqual({ from: modification.state, to: after.state });
  }
}

/** Money that came, or was set aside, makes a failure impossible until it has gone back, or a person has said so. */
function keepsMoney(before: World, now: World, each: Step): void {
  const { state: from, received, held, aside } = before.payment;
  const { state: to } = now.payment;
  const fails = from !== to && (to === 'declined' || to === 'expired');
  if (!fails || (received === undefined && held === undefined && !aside)) return;
  const actedBack = each.do === 'act' && from === 'partially_approved';
  const toldBack =
    each.do === 'change' && ['reversal', 'refund', 'given-back', 'hold-expired'].includes(each.change.kind);
  expect(actedBack || (from === 'partially_approved' && toldBack)).toBe(true);
}

const runs = 10_000;

test('no sequence of operations, modifications and news leads to an illegal state, a negative or an exceeded sum', () => {
  const beginning = fc.constantFrom<World>(
    { payment: newPayment(ten), modifications: [] },
    { payment: newPayment('payer'), modifications: [] },
    { payment: after(authorized('a', ten)), modifications: [] },
    { payment: after(settled('a', ten)), modifications: [] },
    { payment: after(settled('a', money('6.00', 'EUR'))), modifications: [] },
    { payment: after(authorized('a', money('6.00', 'EUR'))), modifications: [] },
  );
  fc.assert(
    fc.property(beginning, fc.array(step, { maxLength: 14 }), (begin, steps) => {
      let world = begin;
      for (const each of steps) {
        const next = take(world, each);
        isLegal(world, next);
        keepsMoney(world, next, each);
        holds(next);
        world = next;
      }
    }),
    { numRuns: runs },
  );
});

test('the sequences reach every transition of the table', () => {
  const seen = new Set<string>();
  const refund = { modification: 'refund', operation: 'purchase', partial: true } as const;
  const asked = requestModification(after(settled('a', ten)), refund);
  const beginnings: readonly World[] = [
    { payment: newPayment(ten), modifications: [] },
    ...(asked.do === 'begin'
      ? [
          {
            payment: asked.next,
            modifications: [{ name: 'refund', state: 'requested', amount: ten, providerReference: undefined }] as const,
          },
        ]
      : []),
  ];
  for (const [index, steps] of fc.sample(fc.array(step, { maxLength: 40 }), { numRuns: 20_000, seed: 1 }).entries()) {
    let world: World = beginnings[index % beginnings.length] ?? { payment: newPayment(ten), modifications: [] };
    for (const each of steps) {
      const next = take(world, each);
      seen.add(`${world.payment.state} ${next.payment.state}`);
      world = next;
    }
  }
  const wanted = TRANSITIONS.filter(({ from, to }) => from !== 'none' && to !== 'set-aside');
  expect(wanted.map(({ from, to }) => `${from} ${to}`).filter((each) => !seen.has(each))).toEqual([]);
});

test('money that comes after expiry settles the payment, whatever came between', () => {
  const between = fc.array(
    fc.record({
      kind: fc.constant('outcome' as const),
      outcome: fc.constantFrom<Outcome>(
        pending('a'),
        declined('soft', 'declined_by_provider', { providerReference: 'a' }),
        unknown('?'),
      ),
      via,
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(between, via, (changes, told) => {
      const expired = changed(after(pending('a')), { kind: 'expiry' });
      expect(expired.state).toBe('expired');
      const late = changes.reduce(changed, expired);
      expect(late.state).toBe('expired');
      expect(changed(late, { kind: 'outcome', outcome: settled('a', ten), via: told }).state).toBe('settled');
    }),
  );
});

function changed(payment: PaymentState, happened: PaymentChange): PaymentState {
  const decision = decide(payment, happened);
  return decision.do === 'apply' ? decision.next : payment;
}

function after(...outcomes: readonly Outcome[]): PaymentState {
  return outcomes.reduce((now, each) => changed(now, { kind: 'outcome', outcome: each, via: 'flow' }), newPayment(ten));
}
