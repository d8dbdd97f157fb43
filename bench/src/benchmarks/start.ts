import * as z from 'zod';
import type { Benchmark } from '../benchmark.ts';
import { spreadOf } from '../measure.ts';
import { newFolder, newServer, type Place, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';
import { type Started, startProgram } from '../start-program.ts';

const importsSchema = z.object({ zod: z.number(), ours: z.number() });

export const start: Benchmark = {
  name: 'start',
  title: 'Loading core with one connector in a new process, and starting the service.',
  async run(quick) {
    const rounds = quick ? 1 : 11;
    return withCleanup(async (cleanup) => {
      const imports: z.output<typeof importsSchema>[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const child = startChild('imports');
        imports.push(importsSchema.parse(await child.ask('imports')));
        await child.end();
      }
      const starts = async (place: Place) => {
        const found: Started[] = [];
        // Once more than is counted: the first makes the tables.
        for (let round = 0; round <= (quick ? 0 : 5); round += 1) {
          found.push(await startProgram(place));
        }
        const counted = found.length > 1 ? found.slice(1) : found;
        const spread = (of: (started: Started) => number) => spreadOf(counted.map(of));
        return { address: spread(({ address }) => address), session: spread(({ session }) => session) };
      };
      const embedded = await starts({ dataDir: await newFolder(cleanup) });
      const server = await starts(await (await newServer(cleanup)).newDatabase('started'));
      return {
        rounds,
        rows: [
          {
            what: 'Loading core and the Pix connector, zod loaded before',
            unit: 'ms',
            value: spreadOf(imports.map(({ ours }) => ours)),
          },
          { what: 'Loading zod', unit: 'ms', value: spreadOf(imports.map(({ zod }) => zod)) },
          {
            what: 'Starting the service, embedded database, from process to address',
            unit: 'ms',
            value: embedded.address,
          },
          { what: 'Its first session is answered, embedded database', unit: 'ms', value: embedded.session },
          {
            what: 'Starting the service, PostgreSQL server, from process to address',
            unit: 'ms',
            value: server.address,
          },
          { what: 'Its first session is answered, PostgreSQL server', unit: 'ms', value: server.session },
        ],
        notes: [
          'A start: the program that is shipped, with a configuration as an operator writes it; after the first one, which makes the tables.',
          'A session is asked for as soon as the address is known: what a start leaves for later delays it. Counted from the process, too.',
        ],
      };
    });
  },
};
