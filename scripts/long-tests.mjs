/** Tests of which `npm test` takes a part and `npm run test:crash` all: their projects, and words that the paths of their files contain. */
export const CRASH = { projects: ['checkout', 'checkout-server'], files: ['test/crash', 'kill'] };
