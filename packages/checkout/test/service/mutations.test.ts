import * as fc from '../../../../test/support/properties.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOperations, materialise, sessionInputs } from '../../../core/test/support/bad-inputs.ts';
import { anyMethodService, postRaw } from '../support/any-method-service.ts';
import { mutatedTexts } from '../support/mutations.ts';
import { sessionBody } from '../support/service.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env.RAILYARD_SOAK ?? 300);
const SECONDS_EACH = 0.5;

let service: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  service = await anyMethodService();
});

afterAll(() => service.stop());

/** The list of bad inputs and a good one, as texts of at most a few kilobytes. */
const corpus = [
  JSON.stringify(sessionBody({ methods: ['card'] }, { currency: 'USD' })),
  ...sessionInputs
    .filter(({ patch }) => patch.every(({ op }) => bodyOperations.has(op)))
    .map(materialise)
    .filter((text) => text.length < 20_000),
];

const request = mutatedTexts(corpus);

test(
  `${RUNS} requests at random around the list of bad inputs are answered, none with 5xx, and a good one after them`,
  { timeout: 60_000 + RUNS * SECONDS_EACH * 1000 },
  async () => {
    const good = async () => {
      const body = sessionBody({ methods: ['card'] }, { currency: 'USD' });
      return (await postRaw(`${service.url}/api/v1/session`, JSON.stringify(body))).status;
    };
    await fc.assert(
      fc.asyncProperty(request, fc.constantFrom('session', 'payment/status', 'payment/refund'), async (text, path) => {
        const answer = await postRaw(`${service.url}/api/v1/${path}`, text);
        expect([200, 400, 413]).toContain(answer.status);
        if (answer.status !== 200)
          expect(answer.json).toMatchObject({ http_code: answer.status, request_id: expect.any(String) });
      }),
      { numRuns: RUNS },
    );
    expect(await good()).toBe(200);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  },
);
