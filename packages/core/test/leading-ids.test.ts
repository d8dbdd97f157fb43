import { describe, expect, it } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { leadingIds, leadingIdsOfCommand } from '../src/signature/leading-ids.ts';
import { signCommand, signRequest } from '../src/signature/sign.ts';

const id = '3f6a1c52-8d0e-4b7a-9c11-5e12aed04a63';
const rest = { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Tea' };
const text = `${id}${rest.number}${rest.amount}${rest.currency}${rest.description}`;

describe('the ids that a signed text begins with', () => {
  it('are none for an order number of the merchant’s own, found in any case', () => {
    expect(leadingIds('session', rest)).toEqual([]);
    expect(leadingIds('session', { ...rest, number: `${id.toUpperCase()}x` })).toEqual([id]);
    expect(leadingIds('session_without_amount', { ...rest, number: id })).toEqual([id]);
  });

  it('are found behind a letter that upper-casing makes two of', () => {
    const ligature = `\uFB00${id.slice(2)}`;
    expect(leadingIds('status_by_order', { order_id: ligature })).toEqual([`ff${id.slice(2)}`]);
    expect(leadingIdsOfCommand('transaction', { trans_id: ligature })).toEqual([`ff${id.slice(2)}`]);
  });

  it('are none where the id alone is named, and are found where more is', () => {
    expect(leadingIds('void', { payment_id: id })).toEqual([]);
    expect(leadingIds('refund', { payment_id: id, amount: '1.00' })).toEqual([]);
    expect(leadingIds('void', { payment_id: `${id}x` })).toEqual([id]);
    expect(leadingIdsOfCommand('transaction', { trans_id: id })).toEqual([]);
    expect(leadingIdsOfCommand('transaction', { trans_id: `${id}x` })).toEqual([id]);
  });

  it('are found wherever the text of a return is cut into the fields of another request', () => {
    const cuts = fc.array(fc.nat(text.length), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(cuts, fc.constantFrom('ascii', 'unicode'), (at, dialect) => {
        const [first = 0, second = 0, third = 0] = at.toSorted((left, right) => left - right);
        const fields = {
          number: text.slice(0, first).toUpperCase(),
          amount: text.slice(first, second),
          currency: text.slice(second, third),
          description: text.slice(third),
        };
        const issued = signRequest('return', { payment_id: id, ...rest }, 'password', { dialect });
        expect(signRequest('session', fields, 'password', { dialect })).toBe(issued);
        expect(leadingIds('session', fields)).toEqual([id]);
      }),
    );
  });

  it('are found wherever the text of a callback of a command is cut into a payout', () => {
    const signed = { trans_id: id, order_id: 'payout-1', status: 'SETTLED' };
    const whole = Object.values(signed).join('');
    const cuts = fc.array(fc.nat(whole.length), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(cuts, fc.constantFrom('ascii', 'unicode'), (at, dialect) => {
        const [first = 0, second = 0] = at.toSorted((left, right) => left - right);
        const fields = {
          order_id: whole.slice(0, first),
          order_amount: whole.slice(first, second),
          order_currency: whole.slice(second),
        };
        const issued = signCommand('payout_callback', signed, 'password', { dialect });
        expect(signCommand('payout', fields, 'password', { dialect })).toBe(issued);
        expect(leadingIdsOfCommand('payout', fields)).toEqual([id]);
      }),
    );
  });
});
