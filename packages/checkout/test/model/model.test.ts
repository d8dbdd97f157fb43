import * as fc from '../../../../test/support/properties.ts';
import { expect, test } from 'vitest';
import { happening, trouble } from './model-operations.ts';
import { storyteller } from './play.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env.RAILYARD_SOAK ?? 10);

const play = storyteller();

/** Places in the list of rounds. */
const RUNS_ROUND = 1;
const LOOKUPS_ROUND = 2;
const ONCE = 0;
const KEYED = 1;
const HINTED = 3;

test('a lookup says nothing about a payment whose request is still to be sent again', async () => {
  const ended = await play([
    [{ do: 'buy', method: KEYED, auth: false }, { behaviours: ['lost-before'] }],
    [{ do: 'work', after: 65_000, only: LOOKUPS_ROUND }],
    [{ do: 'work', after: 0, only: RUNS_ROUND }],
  ]);
  expect(ended).toEqual({ problems: [], states: ['settled'] });
});

test('what was held and captured can be taken back', async () => {
  const ended = await play([
    [{ do: 'buy', method: ONCE, auth: true }, {}],
    [{ do: 'act', which: 0, modification: 'capture', amount: '10.00' }, {}],
    [{ do: 'work', after: 0, only: undefined }, {}],
    [{ do: 'resolve', which: 0, to: 'done' }, {}],
    [{ do: 'work', after: 0, only: undefined }, {}],
    [{ do: 'act', which: 0, modification: 'void', amount: '10.00' }, {}],
  ]);
  expect(ended).toEqual({ problems: [], states: ['voided'] });
});

test('a void that ends after the payer disputed the payment leaves nothing open', async () => {
  const ended = await play([
    [{ do: 'buy', method: ONCE, auth: false }],
    [{ do: 'act', which: 0, modification: 'void', amount: '10.00' }, { behaviours: ['pending'] }],
    [{ do: 'bank', which: 0, news: 'chargeback' }],
    [{ do: 'work', after: 0, only: undefined }],
    [{ do: 'notify', which: 27, forged: false }],
  ]);
  expect(ended).toEqual({ problems: [], states: ['charged_back'] });
});

test('a capture that is reported after the whole payment was taken back leaves nothing open, and what it took is known', async () => {
  const ended = await play([
    [{ do: 'buy', method: ONCE, auth: true }],
    [{ do: 'act', which: 0, modification: 'capture', amount: '10.00' }, { behaviours: ['pending'] }],
    [{ do: 'resolve', which: 0, to: 'done' }],
    [{ do: 'bank', which: 0, news: 'reversal' }],
    [{ do: 'notify', which: 1, forged: false }],
  ]);
  expect(ended).toEqual({ problems: [], states: ['reversed'] });
});

test('a code that is paid after another method has paid is given back, also where the process is killed meanwhile', async () => {
  for (let killAt = 1; killAt <= 24; killAt += 1) {
    const ended = await play([
      [{ do: 'buy', method: HINTED, auth: false }, { behaviours: ['pending'] }],
      [{ do: 'beside', which: 0 }],
      [{ do: 'resolve', which: 0, to: 'done' }],
      [{ do: 'notify', which: 2, forged: false }, { killAt }],
      [{ do: 'work', after: 65_000, only: undefined }, { killAt }],
    ]);
    expect(ended).toEqual({ problems: [], states: ['voided', 'settled'] });
  }
});

test(
  'whatever happens in whatever order, and wherever the process is killed, the books agree with the provider',
  { timeout: Math.max(180_000, RUNS * 5000) },
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
