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
    const compiled = () => ourPath(text, reference, notify);
    const byHand = () => handPath(text, reference, notify, 'bench');
    const plain = () => ourPlainPath(text, reference, notify);
    const compare = (ours: () => unknown) => {
      if (ours() === undefined || byHand() === undefined) throw new Error('The typical session is refused.');
      const found = interleaved({ ours, byHand }, rounds, quick ? 20 : 250);
      const { ours: own = [], byHand: others = [] } = found;
      const against = { what: 'by hand', value: spreadOf(others) };
      return { unit: 'µs', value: spreadOf(own), against, ratio: ratioOf(others, own) };
    };
    // One after the other: a process has compiled schemas or plain ones, and code that runs with both is optimised for neither.
    const first = compare(compiled);
    const second = compare(plain);
    return Promise.resolve({
      rounds,
      rows: [
        { what: 'Compiled schemas', ...first },
        { what: 'Plain schemas', ...second },
      ],
      notes: [
        'Both compute the signatures of the protocol (two passwords, two digests, two ways of upper-casing) with Node’s digests until one is right, and refuse the same requests; a test compares them.',
      ],
    });
  },
};
