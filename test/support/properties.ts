import * as fc from 'fast-check';

const runs = process.env['RAILYARD_SOAK'];

/**
 * fast-check for the tests of this repository. An ordinary run tries the same values every time, so that a red run is the work
 * of the change and of nothing else; the long run (`npm run test:soak`) draws others each time, and many more of them.
 */
fc.configureGlobal(runs === undefined ? { seed: 1 } : { numRuns: Math.max(100, Number(runs)) });

export * from 'fast-check';
