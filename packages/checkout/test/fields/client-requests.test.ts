import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirerService, type AcquirerService } from '../support/acquirer-service.ts';
import { postRaw } from '../support/any-method-service.ts';
import { hostedFields } from '../support/hosted-fields.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly id: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly secret: string;
  readonly body: string;
}

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8'),
);
const at = (path: string) => recorded.find((each) => each.path === `/api/v1${path}`) ?? expect.fail(path);
const asksForToken = at('/session/token');

let now = Date.parse('2026-11-21T10:00:00Z');
let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService({ password: asksForToken.secret }, undefined, { clock: () => now });
});
afterAll(() => service.stop());

const send = ({ path, headers, body }: Recorded, change: { readonly token?: string; readonly body?: string }) => {
  const own = Object.fromEntries(
    headers.map(([name, value]) => [name, name === 'Token' ? (change.token ?? '') : value]),
  );
  return postRaw(`${service.url}${path}`, change.body ?? body, own);
};

test.each(['purchase', 'debit'])(
  'the recorded client of hosted fields takes a %s as it sends it',
  async (operation) => {
    // The orders of both have one number, and the hash covers it but not the operation.
    now += 16_000;
    const asked = await send(asksForToken, { body: asksForToken.body.replace('"purchase"', `"${operation}"`) });
    expect([asked.status, asked.json]).toEqual([200, { token: expect.stringMatching(/^[\w-]{43}$/) }]);
    const { token } = Object(asked.json);
    await hostedFields(service.url).enter(token);
    const pays = at(`/processing/${operation}/card`);
    expect((await send(pays, { token: 'tok-1' })).status).toBe(401);
    const { status, json } = await send(pays, { token });
    expect([status, json]).toEqual([
      200,
      {
        result: 'success',
        public_id: expect.any(String),
        return_url_query_params: {
          payment_id: Object(json).public_id,
          trans_id: expect.any(String),
          order_id: 'ord-2001',
          hash: expect.any(String),
        },
      },
    ]);
    const type = operation === 'debit' ? 'debit' : 'sale';
    const told = await service.shop.until(({ fields }) => fields.type === type && fields.order_status === 'settled');
    expect(told.fields).toMatchObject({ customer_ip: '203.0.113.7', recurring_token: expect.any(String) });
  },
);
