import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import * as fc from '../../../../test/support/properties.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { kyselyOver } from '../../src/storage/open-database.ts';
import { emptyTables } from '../support/database.ts';
import { problemsOf } from './model-checks.ts';
import {
  comeToRest,
  happen,
  type Happening,
  happening,
  type Known,
  trouble,
  type Trouble,
} from './model-operations.ts';
import { World } from './model-world.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env.RAILYARD_SOAK ?? 100);

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create({ loadDataDir: await openAsBlob(inject('databaseTemplate')) });
}, 60_000);
afterAll(() => pglite.close());

type Story = readonly (readonly [Happening, Partial<Trouble>?])[];

/** Plays a story, lets all come to rest, and says what is wrong then. */
async function play(story: Story): Promise<{ world: World; problems: string[] }> {
  await emptyTables(kyselyOver(pglite));
  const world = new World(pglite);
  const known: Known = { tokens: [] };
  for (const [what, when] of story)
    await happen(world, known, what, { behaviours: [], killAt: undefined, alone: false, ...when });
  await comeToRest(world);
  return { world, problems: await problemsOf(world) };
}

const states = ({ db }: World) => db.selectFrom('payments').select('state').execute();

/** Places in the list of rounds. */
const RUNS_ROUND = 1;
const LOOKUPS_ROUND = 2;
const ONCE = 0;
const KEYED = 1;

test('a lookup says nothing about a payment whose request is still to be sent again', async () => {
  const { world, problems } = await play([
    [{ do: 'buy', method: KEYED, auth: false }, { behaviours: ['lost-before'] }],
    [{ do: 'work', after: 65_000, only: LOOKUPS_ROUND }],
    [{ do: 'work', after: 0, only: RUNS_ROUND }],
  ]);
  expect(problems).toEqual([]);
  expect(await states(world)).toEqual([{ state: 'settled' }]);
});

test('what was held and captured can be taken back', async () => {
  const { world, problems } = await play([
    [{ do: 'buy', method: ONCE, auth: true }, {}],
    [{ do: 'act', which: 0, action: 'capture', amount: '10.00' }, {}],
    [{ do: 'work', after: 0, only: undefined }, {}],
    [{ do: 'resolve', which: 0, to: 'done' }, {}],
    [{ do: 'work', after: 0, only: undefined }, {}],
    [{ do: 'act', which: 0, action: 'void', amount: '10.00' }, {}],
  ]);
  expect(problems).toEqual([]);
  expect(await states(world)).toEqual([{ state: 'voided' }]);
});

test('a void that ends after the payer disputed the payment leaves nothing open', async () => {
  const { world, problems } = await play([
    [{ do: 'buy', method: ONCE, auth: false }],
    [{ do: 'act', which: 0, action: 'void', amount: '10.00' }, { behaviours: ['pending'] }],
    [{ do: 'bank', which: 0, news: 'chargeback' }],
    [{ do: 'work', after: 0, only: undefined }],
    [{ do: 'notify', which: 27, forged: false }],
  ]);
  expect(problems).toEqual([]);
  expect(await states(world)).toEqual([{ state: 'charged_back' }]);
});

test('a capture that is told after the whole payment was taken back leaves nothing open, and what it took is known', async () => {
  const { world, problems } = await play([
    [{ do: 'buy', method: ONCE, auth: true }],
    [{ do: 'act', which: 0, action: 'capture', amount: '10.00' }, { behaviours: ['pending'] }],
    [{ do: 'resolve', which: 0, to: 'done' }],
    [{ do: 'bank', which: 0, news: 'reversal' }],
    [{ do: 'notify', which: 1, forged: false }],
  ]);
  expect(problems).toEqual([]);
  expect(await states(world)).toEqual([{ state: 'reversed' }]);
});

test(
  'whatever happens in whatever order, and wherever the process is killed, the books agree with the provider',
  { timeout: RUNS * 5000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(happening, trouble), { minLength: 4, maxLength: 24 }), async (story) => {
        const { problems } = await play(story);
        expect(problems).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
);
