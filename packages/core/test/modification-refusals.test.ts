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
