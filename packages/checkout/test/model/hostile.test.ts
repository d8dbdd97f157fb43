import { describe, expect, test } from 'vitest';
import type { Happening } from './model-operations.ts';
import { METHODS, type MethodKey } from './model-connector.ts';
import { storyteller } from './play.ts';

const play = storyteller();

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const buy = (key: MethodKey, auth = false): Happening => ({ do: 'buy', method: METHODS.indexOf(key), auth });
const work = (after = 0): Happening => ({ do: 'work', after, only: undefined });
const act = (modification: 'refund' | 'void'): Happening => ({ do: 'act', which: 0, modification, amount: '6.67' });
const well = (...states: string[]) => ({ problems: [], states });

describe.each(['refuses-repeats', 'declines-repeats'] as const)('a provider that %s', (refuses) => {
  test.each(['keyed', 'found'] as const)(
    'answers the repeat of a payment (%s) whose lookup lags: it is never told as declined',
    async (key) => {
      const ended = await play([
        [buy(key), { behaviours: ['lost-after'], traits: [refuses, 'lags'] }],
        [work(2 * SECOND)],
        [{ do: 'pay', which: 0 }],
        [work(5 * SECOND)],
        [{ do: 'catch-up' }],
      ]);
      expect(ended).toEqual(well('settled'));
    },
  );

  test.each(['keyed', 'found'] as const)(
    'is still at work on a payment (%s) when it is repeated: it is never told as declined',
    async (key) => {
      const ended = await play([
        [buy(key), { behaviours: ['late'], traits: [refuses] }],
        [work(2 * SECOND)],
        [{ do: 'pay', which: 0 }],
        [{ do: 'arrive', which: 0 }],
      ]);
      expect(ended).toEqual(well('settled'));
    },
  );

  test('answers the repeat of a refund: it is made once, and the merchant cannot make it again', async () => {
    const ended = await play([
      [buy('keyed')],
      [act('refund'), { behaviours: ['lost-after'], traits: [refuses, 'lags'] }],
      [work(2 * SECOND)],
      [act('refund')],
      [work(5 * SECOND)],
    ]);
    expect(ended).toEqual(well('settled'));
  });

  test('answers the repeat of a void: it is reported as made', async () => {
    const ended = await play([
      [buy('once')],
      [act('void'), { behaviours: ['lost-after'], traits: [refuses, 'lags'] }],
      [work(2 * SECOND)],
      [work(5 * SECOND)],
    ]);
    expect(ended).toEqual(well('voided'));
  });
});

describe('a request that arrives late', () => {
  test.each(['once', 'keyed', 'found', 'hinted'] as const)(
    'takes the money (%s) although lookups found nothing: the payment settles',
    async (key) => {
      const ended = await play([
        [buy(key), { behaviours: ['late'] }],
        [work(65 * SECOND), { behaviours: ['lost-before', 'lost-before'] }],
        [{ do: 'pay', which: 0 }],
        [work(2 * HOUR), { behaviours: ['lost-before'] }],
        [{ do: 'arrive', which: 0 }],
      ]);
      expect(ended).toEqual(well('settled'));
    },
  );

  test('takes the money after the last lookup: the payment was never reported as declined, and settles', async () => {
    const ended = await play([
      [buy('once'), { behaviours: ['late'] }],
      [work(2 * SECOND)],
      [{ do: 'tire' }],
      [work()],
      [{ do: 'arrive', which: 0 }],
    ]);
    expect(ended).toEqual(well('settled'));
  });

  test('refunds after lookups found nothing: the refund counts once', async () => {
    const ended = await play([
      [buy('once')],
      [act('refund'), { behaviours: ['late'] }],
      [work(2 * HOUR)],
      [act('refund')],
      [{ do: 'arrive', which: 0 }],
    ]);
    expect(ended).toEqual(well('settled'));
  });
});

describe.each(['fails-after', 'unauthorized-after', 'twice-named'] as const)(
  'work that is done, and then %s',
  (fault) => {
    test.each(['once', 'keyed', 'found', 'hinted'] as const)('is a payment (%s) that settles once', async (key) => {
      const ended = await play([
        [buy(key), { behaviours: [fault] }],
        [work(5 * SECOND)],
        [work(65 * SECOND)],
        [work(2 * HOUR)],
      ]);
      expect(ended).toEqual(well('settled'));
    });

    test.each(['keyed', 'found'] as const)(
      'is a payment (%s) that settles once, although its repeat is refused and no lookup shows it yet',
      async (key) => {
        const ended = await play([
          [buy(key), { behaviours: [fault], traits: ['refuses-repeats', 'lags'] }],
          [work(2 * SECOND)],
          [{ do: 'pay', which: 0 }],
          [work(5 * SECOND)],
          [{ do: 'catch-up' }],
        ]);
        expect(ended).toEqual(well('settled'));
      },
    );

    test.each(['once', 'keyed'] as const)('is a refund (%s) that is made once and told as made', async (key) => {
      const ended = await play([
        [buy(key)],
        [act('refund'), { behaviours: [fault], traits: ['refuses-repeats', 'lags'] }],
        [work(2 * SECOND)],
        [act('refund')],
        [work(5 * SECOND)],
      ]);
      expect(ended).toEqual(well('settled'));
    });

    test('is a void that is told as made', async () => {
      const ended = await play([
        [buy('once')],
        [act('void'), { behaviours: [fault], traits: ['refuses-repeats', 'lags'] }],
        [work(2 * SECOND)],
        [work(2 * HOUR)],
      ]);
      expect(ended).toEqual(well('voided'));
    });
  },
);

describe('a refund that the merchant makes at the provider', () => {
  const giveBack = (amount?: '4.00'): Happening => ({ do: 'give-back', which: 0, amount });

  test.each(METHODS)('of a payment (%s) is told, beside one of ours and up to the whole', async (key) => {
    const ended = await play([[buy(key)], [giveBack('4.00')], [act('refund')], [giveBack()]]);
    expect(ended).toEqual(well('refunded'));
  });

  test.each(METHODS)('of a payment (%s) whose reply was lost is told after the payment', async (key) => {
    const ended = await play([
      [buy(key), { behaviours: ['lost-after'], traits: ['lags'] }],
      [giveBack('4.00')],
      [{ do: 'notify', which: 1, forged: false }],
      [work(2 * SECOND)],
    ]);
    expect(ended).toEqual(well('settled'));
  });

  test('of a hold whose capture was not answered is told after the capture', async () => {
    const ended = await play([
      [buy('once', true)],
      [
        { do: 'act', which: 0, modification: 'capture', amount: '10.00' },
        { behaviours: ['lost-after'], traits: ['lags'] },
      ],
      [giveBack('4.00')],
      [{ do: 'notify', which: 1, forged: false }],
      [work(2 * SECOND)],
    ]);
    expect(ended).toEqual(well('settled'));
  });

  test.each(METHODS)(
    'of a payment (%s) leaves no room for ours: it is refused, and what went back counts',
    async (key) => {
      const ended = await play([[buy(key)], [giveBack()], [act('refund')]]);
      expect(ended).toEqual(well('refunded'));
    },
  );
});

describe('numbers with a fraction of zero, and times that are written three hours early', () => {
  const traits = ['zero-fraction', 'hours-early'] as const;

  test.each(METHODS)('come with a payment (%s) and its refund', async (key) => {
    const ended = await play([[buy(key), { traits }], [act('refund'), { traits }], [work(2 * HOUR)]]);
    expect(ended).toEqual(well('settled'));
  });

  test('come with a code that can be paid for a week: it is not told as declined before that', async () => {
    const ended = await play([
      [buy('hinted'), { behaviours: ['pending'], traits }],
      [work(166 * HOUR)],
      [work(HOUR / 2)],
      [{ do: 'resolve', which: 0, to: 'done' }],
    ]);
    expect(ended).toEqual(well('settled'));
  });
});

describe('genuine notifications that are none of ours, or that are not understood', () => {
  test.each(METHODS)('are acknowledged, and move nothing of a payment (%s) and its refund', async (key) => {
    const foreign = (['another-system', 'unknown-word', 'nothing'] as const).map((how): [Happening] => [
      { do: 'foreign', which: 0, how },
    ]);
    const ended = await play([
      [buy(key), { behaviours: ['pending'] }],
      ...foreign,
      [{ do: 'resolve', which: 0, to: 'done' }],
      ...foreign,
      [work(2 * SECOND)],
      [act('refund')],
      ...foreign,
    ]);
    expect(ended).toEqual(well('settled'));
  });
});

describe('less money than was asked for', () => {
  test.each(['once', 'keyed', 'found', 'hinted'] as const)(
    'is given back, and the payment (%s) is told as declined after that',
    async (key) => {
      expect(await play([[buy(key), { behaviours: ['partial'] }]])).toEqual(well('declined'));
      expect(await play([[buy(key, true), { behaviours: ['partial'] }]])).toEqual(well('declined'));
    },
  );

  test('is given back where a notification reports it', async () => {
    const ended = await play([
      [buy('once'), { behaviours: ['pending'] }],
      [{ do: 'resolve', which: 0, to: 'partial' }],
      [{ do: 'notify', which: 1, forged: false }],
      [work(25 * HOUR)],
    ]);
    expect(ended).toEqual(well('declined'));
  });

  test('is given back once where the answer to that is lost and its repeat refused', async () => {
    const ended = await play([
      [buy('keyed'), { behaviours: ['partial', 'lost-after'], traits: ['refuses-repeats', 'lags'] }],
      [work(2 * SECOND)],
      [work(2 * HOUR)],
    ]);
    expect(ended).toEqual(well('declined'));
  });
});

describe("a provider's text that no database keeps", () => {
  test.each(['done', 'pending', 'refused', 'partial'] as const)('comes with an answer that says %s', async (answer) => {
    const ended = await play([[buy('keyed'), { behaviours: [answer], traits: ['odd-text'] }]]);
    expect(ended.problems).toEqual([]);
  });

  test('comes with a notification and a refund', async () => {
    const ended = await play([
      [buy('once'), { behaviours: ['pending'], traits: ['odd-text'] }],
      [{ do: 'resolve', which: 0, to: 'done' }],
      [{ do: 'notify', which: 1, forged: false }],
      [act('refund'), { traits: ['odd-text'] }],
      [work(2 * HOUR)],
    ]);
    expect(ended).toEqual(well('settled'));
  });
});

describe('a code that can be paid for a week, at a provider whose notifications prove nothing', () => {
  test('is not reported as declined when the lookups are used up, and settles when it is paid', async () => {
    const ended = await play([
      [buy('hinted'), { behaviours: ['pending'] }],
      [{ do: 'tire' }],
      [work()],
      [work(20 * 60 * SECOND)],
      [{ do: 'resolve', which: 0, to: 'done' }],
      [{ do: 'notify', which: 1, forged: false }],
      [work(5 * SECOND)],
    ]);
    expect(ended).toEqual(well('settled'));
  });
});

describe('a clock that is set while a request is on its way', () => {
  test.each([-HOUR, -300 * SECOND, 120 * SECOND, HOUR])('by %i ms: the request is sent once', async (clockBy) => {
    for (const key of METHODS) {
      const ended = await play([[buy(key), { clockBy }], [act('refund'), { clockBy }], [work(2 * HOUR)]]);
      expect(ended).toEqual(well('settled'));
    }
  });
});
