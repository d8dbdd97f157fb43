import { text } from '@railyard/core';
import { inSet } from './card-set.ts';

/** Set 3 of the protocol. */
export const descriptor = {
  descriptor: inSet('descriptor')(text({ max: 20 }), {
    label: 'Text on the payer’s statement',
    sources: ['mid'],
    example: 'SHOP BOOKS',
  }).optional(),
};
