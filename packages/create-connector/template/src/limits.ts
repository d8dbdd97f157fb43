import { limitsTable } from '@railyard/core';

/** The provider's limits. The first argument is the source: say where these numbers stand. */
export const exampleMethodLimits = limitsTable('README.md, Limits', [
  { currency: 'EUR', min: '0.50', max: '10000.00' },
]);
