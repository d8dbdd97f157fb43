import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { cpuMilliseconds, slowness } from '../../../../test/support/cpu.ts';
import { cardConfig } from '../support/card-config.ts';
import { useDatabase } from '../support/database.ts';
import { sessionBody } from '../support/service.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();

/** As for every request that is not signed; see `cpu-budget.test.ts`. */
const BUDGET_MS = 5;
const PATIENCE = 4;

const FORM_TYPE = 'application/x-www-form-urlencoded';
const long = 250_000;

/** What is typed into each field, as long as a form may be. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  'card.number': ['9'.repeat(long), '٩'.repeat(long / 2), '-'.repeat(long)],
  'card.expiry': ['9'.repeat(long), '/9'.repeat(long / 2), '٩/'.repeat(long / 3)],
  'card.cvv': ['9'.repeat(long), ' '.repeat(long)],
  'card.name': ['a '.repeat(long / 2), 'é'.repeat(long / 2), 'ﷺ'.repeat(long / 3)],
  'customer.name': ['é'.repeat(long / 2), 'ﷺ'.repeat(long / 3)],
  'billing_address.country': ['é'.repeat(long / 2)],
  'billing_address.state': ['é'.repeat(long / 2)],
  'order.amount': ['9'.repeat(long), '9,'.repeat(long / 2)],
};

let made: ReturnType<typeof serviceContext>;
let app: ReturnType<typeof createApp>;

beforeAll(() => {
  const callbackUrl = 'http://127.0.0.1:9';
  const config = cardConfig({ providerUrl: callbackUrl, callbackUrl, port: 0 });
  made = serviceContext(database.db, config, () => Date.parse('2026-11-21T12:00:00Z'));
  app = createApp(made.context, createChanges());
});

afterAll(() => made.close());

async function openPage(): Promise<string> {
  const body = JSON.stringify(sessionBody({ methods: ['card'] }));
  const reply = await app.fetch(
    new Request('http://shop.example/api/v1/session', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    }),
  );
  return new URL(z.object({ redirect_url: z.url() }).parse(await reply.json()).redirect_url).pathname;
}

test.each(['check', 'pay'])('no form of a payer to %s costs more than its budget of CPU', async (action) => {
  const page = await openPage();
  const dear: string[] = [];
  for (const [name, texts] of Object.entries(TYPED))
    for (const text of texts) {
      const body = Buffer.from(`method=card&${name}=${text}`);
      const limit = BUDGET_MS * slowness() * PATIENCE;
      const cost = await cpuMilliseconds(limit, async () => {
        const { status } = await app.fetch(
          new Request(`http://shop.example${page}/${action}`, {
            method: 'POST',
            body,
            headers: { 'content-type': FORM_TYPE },
          }),
        );
        // The page is there, and the form is answered.
        expect([200, 303, 413, 422]).toContain(status);
      });
      if (cost > limit) dear.push(`${name} of ${text.slice(0, 4)}…: ${cost.toFixed(1)} ms`);
    }
  expect(dear).toEqual([]);
});
