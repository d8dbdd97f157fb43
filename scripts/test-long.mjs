// The test files that `npm test` leaves out because they take long: real browsers on every page, the programs' commands, processes that
// are started and stopped, weeks on a clock of the test's own, connectors with planted faults. Usage: npm run test:long
import { LONG } from './long-tests.mjs';

process.argv.splice(2, Infinity, ...LONG);
await import('./test.mjs');
