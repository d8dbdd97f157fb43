import type { Benchmark } from '../benchmark.ts';
import { handPath } from '../by-hand/path.ts';
import { interleaved, ratioOf, spreadOf } from '../measure.ts';
import { ourPath, ourPlainPath } from '../our-path.ts';
import { typicalSession } from '../typical.ts';

const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const notify = 'https://pay.example/notify/pix-main';

export const validation: Benchmark = {
  name: 'validation',
  title:
    'From the text of a typical Pix session to the provider’s first request: JSON, fields, signature, method, route, limits, mapping; against the same work written by hand without a schema library.',
  run(quick) {
    const text = JSON.stringify(typicalSession('order-1234567'));
    const rounds = quick ? 3 : 401;
    const ways = {
      compiled: () => ourPath(text, reference, notify),
      byHand: () => handPath(text, reference, notify, 'bench'),
      plain: () => ourPlainPath(text, reference, notify),
    };
    if (Object.values(ways).some((run) => run() === undefined)) throw new Error('The typical session is refused.');
    const { compiled = [], byHand = [], plain = [] } = interleaved(ways, rounds, quick ? 20 : 250);
    const against = { what: 'by hand', value: spreadOf(byHand) };
    return Promise.resolve({
      rounds,
      rows: [
        {
          what: 'Compiled schemas',
          unit: 'µs',
          value: spreadOf(compiled),
          against,
          ratio: ratioOf(byHand, compiled),
          target: { atLeast: 0.7 },
        },
        { what: 'Plain schemas', unit: 'µs', value: spreadOf(plain), against, ratio: ratioOf(byHand, plain) },
      ],
      notes: [
        'Both compute the signatures of the protocol (two passwords, two digests, two ways of upper-casing) with Node’s digests until one is right, and refuse the same requests; a test compares them.',
      ],
    });
  },
};
