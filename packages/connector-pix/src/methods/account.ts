import { field, text } from '@railyard/core';
import * as z from 'zod';

/** The merchant's account at the provider, shared by payin and payout. */
export function branchIdentifier() {
  return field(z.string().regex(/^\d{4}$/, 'This value should have exactly 4 digits.'), {
    label: 'Branch of the account',
    help: 'Four digits.',
    sources: ['mid'],
    example: '0001',
  });
}

export function sourceAccountNumber() {
  return field(text({ max: 255 }), { label: 'Account number', sources: ['mid'], example: '123456' });
}
