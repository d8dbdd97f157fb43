import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The engines that tests run on. A PostgreSQL server needs two fifths of the processor time that the embedded database needs, so tests of the
 * service run there. On both engines run the stores, and the flows that lean on what differs between them: transactions at once, claims,
 * restarts.
 */
export const ON_BOTH_ENGINES = [
  'test/storage/*.test.ts',
  'test/callbacks/deliver.test.ts',
  'test/service/sessions.test.ts',
  'test/service/modifications.test.ts',
  'test/service/parallel-refunds.test.ts',
  'test/service/pix-payment.test.ts',
  'test/service/notifications.test.ts',
  'test/service/foreign-text.test.ts',
  'test/service/restart.test.ts',
  'test/service/drift.test.ts',
  'test/service/{jobs,reconcile,housekeeping,partial-approval}.test.ts',
  'test/charges/late-{facts,results}.test.ts',
  'test/schedules/{crashes,three-years}.test.ts',
  'test/signatures/request-ids.test.ts',
  'test/crash/crash-points.test.ts',
  // On a server each of its tests waits for the lease of a killed service, a minute: only where all points are run.
  ...(process.env['RAILYARD_CRASH_POINTS'] === 'all' ? ['test/service/flow-shapes-kill.test.ts'] : []),
];

const OF_THE_SERVICE =
  'test/{callbacks,cards,charges,config,crypto,families,hostile,open-banking,s2s,schedules,service,signatures,ways-out,wallets}/*.test.ts';

const ON_EMBEDDED = [
  // They look for secrets in the files of the data directory.
  'test/*/*canar*.test.ts',
  // They look at the process, its files and its start.
  'test/service/{page-requests,shutdown,start-fails,start-loads,set-clock}.test.ts',
  'test/{cards/rotation,config/configure,hostile/cpu-budget}.test.ts',
  // A killed service is followed at once; on a server by the end of its lease.
  'test/*/*kill*.test.ts',
  // Their services are processes of their own, and the browser takes most of the time.
  'test/*/*in-{browser,firefox}.test.ts',
  // They have projects of their own.
  'test/hostile/{walls,second-walls}.test.ts',
  // They have no database.
  'test/{callbacks/{addresses,sender},cards/card-rules,families/catalogue,schedules/time-zones,wallets/wallet-flow}.test.ts',
  'test/service/{log-writer,log,place-names,pollers,postman,serve,spans,typed-amount}.test.ts',
];

const cwd = fileURLToPath(new URL('.', import.meta.url));
const elsewhere = new Set(globSync([...ON_BOTH_ENGINES, ...ON_EMBEDDED], { cwd }));

/** The tests of the service that run on a PostgreSQL server only. */
export const ON_SERVER = globSync(OF_THE_SERVICE, { cwd }).filter((path) => !elsewhere.has(path));
