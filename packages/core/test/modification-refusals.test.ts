import { describe, expect, test } from 'vitest';
import { money } from '../src/index.ts';
import { decideModification, requestModification } from '../src/payment/decide-modification.ts';
import { newPayment } from '../src/payment/state.ts';

const eur = (text: string) => money(text, 'EUR');
const paid = { ...newPayment(eur('10.00')), state: 'settled', received: eur('10.00') } as const;
const request = { modification: 'refund', operation: 'purchase', partial: true } as const;

describe('a modification of a settled payment', () => {
  test('is refused in another currency, of nothing, and as a void beside a refund under way', () => {
    const refusal = (why: string) => ({ do: 'refuse', why });
    expect(requestModification(paid, { ...request, amount: money('1.00', 'USD') })).toEqual(refusal('currency'));
    expect(requestModification(paid, { ...request, amount: eur('0.00') })).toEqual(refusal('zero'));
    const refunding = { ...paid, reserved: eur('4.00') };
    expect(requestModification(refunding, { ...request, modification: 'void' })).toEqual(refusal('under-way'));
  });

  test('is set aside where the provider says another amount than was asked for', () => {
    const modification = { name: 'refund', state: 'pending', amount: eur('4.00'), providerReference: 'r-1' } as const;
    const outcome = { status: 'settled', amount: eur('5.00'), providerReference: 'r-1' } as const;
    const refunding = { ...paid, reserved: eur('4.00') };
    expect(decideModification(refunding, modification, { outcome, via: 'status' })).toMatchObject({ do: 'quarantine' });
  });
});

test('a hold is captured once: a capture beside another one is refused, and the rest of a captured part is never captured', () => {
  const capture = { ...request, modification: 'capture', amount: eur('4.00') } as const;
  const held = { ...newPayment(eur('10.00')), state: 'authorized', held: eur('10.00') } as const;
  const first = requestModification(held, capture);
  if (first.do !== 'begin') throw new Error(first.why);
  expect(requestModification(first.next, capture)).toEqual({ do: 'refuse', why: 'under-way' });
  const requested = { name: 'capture', state: 'requested', amount: eur('4.00'), providerReference: undefined } as const;
  const outcome = { status: 'settled', amount: eur('4.00'), providerReference: 'c-1' } as const;
  const captured = decideModification(first.next, requested, { outcome, via: 'flow' });
  if (captured.do !== 'apply') throw new Error(captured.why);
  expect(captured.next).toMatchObject({ state: 'settled', received: eur('4.00') });
  expect(requestModification(captured.next, capture)).toEqual({ do: 'refuse', why: 'not-allowed' });
});
