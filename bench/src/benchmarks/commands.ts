import * as z from 'zod';
import type { Benchmark } from '../benchmark.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { startPayers } from '../payers.ts';
import { newServer, startService, withCleanup } from '../places.ts';

const COMMANDS = { apm: 'S2S APM `SALE`, Pix', card: 'S2S CARD `SALE`' } as const;
const millisecondsSchema = z.object({ milliseconds: z.number() });

export const commands: Benchmark = {
  name: 'commands',
  title:
    'A payment by one server-to-server command, against a session and the button of its page, one after another, on a PostgreSQL server and with a provider that answers at once.',
  async run(quick) {
    const rounds = quick ? 1 : 5;
    const count = quick ? 4 : 200;
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const payers = await startPayers(cleanup);
      const place = await server.newDatabase('commands');
      const service = await startService(cleanup, place, { ...payers.provider, takesCards: true });
      const time = async (way: 'hosted' | keyof typeof COMMANDS, prefix: string) => {
        const answer = await payers.process.ask({ url: service.url, way, prefix, count });
        return millisecondsSchema.parse(answer).milliseconds;
      };
      const found = { hosted: [0], apm: [0], card: [0] };
      for (const each of Object.values(found)) each.length = 0;
      for (const way of ['hosted', 'apm', 'card'] as const) await time(way, `warm-${way}`);
      for (let round = 0; round < rounds; round += 1)
        for (const way of ['hosted', 'apm', 'card'] as const) found[way].push(await time(way, `${way}-${round}`));
      return {
        rounds,
        rows: (['apm', 'card'] as const).map((way) => ({
          what: `Time of a ${COMMANDS[way]}, from the request to its answer, half of them below`,
          unit: 'ms',
          value: spreadOf(found[way]),
          against: { what: 'hosted, session and button', value: spreadOf(found.hosted) },
          // More is better.
          ratio: ratioOf(found.hosted, found[way]),
        })),
        notes: [],
      };
    });
  },
};
