import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly client: string;
  readonly id: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly key: string;
  readonly secret: string;
  readonly body: string;
  readonly follows_formula: boolean;
}

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8'),
);
const sessions = recorded.filter(({ path }) => path === '/api/v1/session');
const statuses = recorded.filter(({ path }) => path === '/api/v1/payment/status');

/** The keys that these clients use, and the method behind each. */
const OFFERS = [
  { key: 'card', mid: 'any' },
  { key: 'num-googlepay', method: 'google-pay', mid: 'any' },
  { key: 'awcc', method: 'crypto-receive', mid: 'any' },
  { key: 'buzapay', method: 'redirect', mid: 'any' },
];

let at = Date.now();
let service: Awaited<ReturnType<typeof anyMethodService>>;

const [secret = '', ...otherSecrets] = new Set(recorded.map((each) => each.secret));

beforeAll(async () => {
  service = await anyMethodService(OFFERS, { clock: () => at, password: secret });
}, 60_000);

afterAll(() => service.stop());

/** The body as it was sent, under the headers it was sent with. Some repeat an order number, so each comes in its own window. */
function replay({ path, body, headers }: Recorded) {
  at += 16_000;
  return postRaw(`${service.url}${path}`, body, Object.fromEntries(headers));
}

test('all recorded requests of these two addresses are here', () => {
  expect(otherSecrets).toEqual([]);
  expect([sessions.length, statuses.length]).toEqual([23, 5]);
});

describe('session requests of real clients', () => {
  test.each(sessions.filter((each) => each.follows_formula))('$client $id is accepted', async (request) => {
    const answer = await replay(request);
    expect(answer.status).toBe(200);
    // Clients read an absolute address at the top level.
    const page = new URL(String(Reflect.get(Object(answer.json), 'redirect_url')));
    expect((await fetch(page)).status).toBe(200);
  });

  test.each(sessions)('$client $id is refused when its hash is not that of its merchant', async (request) => {
    const answer = await replay({ ...request, body: request.body.replace(/("hash": ?")[0-9a-f]{4}/, '$10000') });
    expect(answer.status).toBe(400);
    expect(errorLines(answer.json)).toEqual(['hash: Hash is not valid.']);
  });

  test('sent twice within the window are refused as clients expect', async () => {
    const [request] = sessions;
    if (request === undefined) throw new Error('There are no requests.');
    await replay(request);
    const again = await postRaw(`${service.url}${request.path}`, request.body);
    expect(again.json).toEqual({ http_code: 400, error_code: '400', error_message: 'Duplicate request.' });
  });
});

describe('status requests of real clients', () => {
  const byPayment = statuses.filter(({ body }) => body.includes('payment_id'));

  test.each(byPayment)('$client $id is understood', async (request) => {
    const answer = await replay(request);
    expect(answer).toMatchObject({ status: 400, json: { error_message: 'Payment does not exist.' } });
  });

  // A lookup by order is not built yet; the answer says what is missing.
  test.each(statuses.filter((each) => !byPayment.includes(each)))(
    '$client $id is told what is missing',
    async (request) => {
      expect(errorLines((await replay(request)).json)).toEqual(['payment_id: This value should not be blank.']);
    },
  );
});
