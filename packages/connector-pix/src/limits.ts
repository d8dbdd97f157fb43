import { limitsTable } from '@railyard/core';

/** The largest amount of a Pix code: its amount field holds 13 characters, so ten digits before the point. */
export const pixLimits = limitsTable('BR Code manual, object 54: at most 13 characters', [
  { currency: 'BRL', min: '0.01', max: '9999999999.99' },
]);
