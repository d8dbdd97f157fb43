import { describe, expect, it } from 'vitest';
import type { Parameters } from './session-of.ts';

/** A request that every rule of a method takes. */
export interface Good {
  readonly key: string;
  readonly currency: string;
  readonly operation?: 'credit';
  readonly parameters: Parameters;
  /** More fields of the session. */
  readonly session?: object;
}

/** A parameter, or a path within one, with values that are taken and values that are refused: both sides of each limit. */
export type Limit = readonly [path: string, taken: readonly unknown[], refused: readonly unknown[]];

interface Package {
  /** As `sessionWith` makes it. */
  readonly sessionOf: (key: string, parameters: Parameters, more: object) => unknown;
  /** As `answersOf` makes it. */
  readonly answer: (session: unknown) => readonly string[];
}

const order = (currency: string) => ({
  number: 'order-1',
  amount: ['CLP', 'PYG', 'VND'].includes(currency) ? '10' : '10.00',
  currency,
  description: 'Two books',
});

function replaced(object: Parameters, [name = '', ...rest]: readonly string[], value: unknown): Parameters {
  const inner = rest.length === 0 ? value : replaced(Object(object[name]), rest, value);
  return { ...object, [name]: inner };
}

/** The tests of limits for the methods of a package. */
export function limitsWith({ sessionOf, answer }: Package) {
  /** Every problem with a request, with this value at that path, or without it. */
  function answerWith({ key, currency, operation, parameters, session }: Good, path?: string, value?: unknown) {
    const changed = path === undefined ? parameters : replaced(parameters, path.split('.'), value);
    return answer(
      sessionOf(key, changed, {
        order: order(currency),
        ...(operation && { operation, payee: { name: 'Ana Torres' } }),
        ...session,
      }),
    );
  }

  /** What every method has in common: the good request, each limit, and the wrong country, currency and operation; the operation alone where it has no country. */
  function limitsOf(good: Good, limits: readonly Limit[], elsewhere?: { country: string; place?: string }): void {
    const { key, currency, operation = 'purchase' } = good;
    const at = (more: object) => answerWith({ ...good, session: { ...good.session, ...more } });
    describe(`${key}, ${operation} in ${currency}`, () => {
      it('takes a good request', () => {
        expect(answerWith(good)).toEqual([]);
      });

      const rows = limits.flatMap(([path, taken, refused]) => [
        ...taken.map((value) => ({ path, value, shown: JSON.stringify(value), says: 'takes' })),
        ...refused.map((value) => ({ path, value, shown: JSON.stringify(value), says: 'refuses' })),
      ]);
      it.each(rows)('$says $path $shown', ({ path, value, says }) => {
        const answers = answerWith(good, path, value);
        expect(answers).toEqual(says === 'takes' ? [] : [expect.stringContaining(`parameters.${key}.${path}`)]);
        // A warning would let the value pass.
        expect(answers.filter((each) => each.startsWith('warning '))).toEqual([]);
      });

      it('refuses a parameter that it does not have', () => {
        expect(answerWith(good, 'surprise', 'x')).toEqual([expect.stringContaining(`parameters.${key}.surprise`)]);
      });

      it('refuses another operation', () => {
        expect(at({ operation: 'debit' })).toContainEqual(expect.stringContaining('methods: '));
      });

      if (elsewhere === undefined) return;
      it('refuses another currency and country', () => {
        const { country, place = 'billing_address' } = elsewhere;
        expect(at({ order: order('SEK') })).toContainEqual(expect.stringContaining('order.currency: '));
        expect(at({ [place]: { ...Object(Object(good.session)[place]), country } })).toContainEqual(
          expect.stringContaining(`${place}.country: `),
        );
      });
    });
  }

  return { answerWith, limitsOf };
}
