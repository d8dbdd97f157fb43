import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig } from '../support/service.ts';
import { hostileBodies } from './bodies.ts';
import { cpuMilliseconds, slowness } from '../../../../test/support/cpu.ts';

const database = useDatabase();

/** The CPU time that a request that is not signed may cost on a machine of which `slowness` is 1. */
const BUDGET_MS = 5;
/**
 * Beside other work the caches of a machine are cold. Alone on a machine all pass without patience; a request that costs more than in
 * proportion to its size misses this by far.
 */
const PATIENCE = 2;

const SENT = [
  '/api/v1/session',
  '/api/v1/payment/status',
  '/api/v1/payment/capture',
  '/api/v1/payment/recurring',
  '/api/v1/payment/card/credit',
  '/post',
  '/notify/pix-main',
  '/auth/no-such-page/pay',
];

const bodies = hostileBodies();

let made: ReturnType<typeof serviceContext>;
let app: ReturnType<typeof createApp>;

beforeAll(() => {
  const provider = { url: 'http://127.0.0.1:9', apiKey: 'key', webhookSecret: 'secret' };
  const at = Date.parse('2026-11-21T12:00:00Z');
  made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:9', 0), () => at);
  app = createApp(made.context, createChanges());
});

afterAll(() => made.close());

test.each(SENT)('no unsigned request of allowed size to %s costs more than its budget of CPU', async (path) => {
  const dear: string[] = [];
  for (const { what, type, body } of bodies) {
    const bytes = Buffer.from(body);
    const limit = BUDGET_MS * slowness() * PATIENCE;
    const cost = await cpuMilliseconds(limit, async () => {
      const headers = { 'content-type': type };
      const { status } = await app.fetch(
        new Request(`http://shop.example${path}`, { method: 'POST', body: bytes, headers }),
      );
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    });
    if (cost > limit) dear.push(`${what}: ${cost.toFixed(1)} ms`);
  }
  expect(dear).toEqual([]);
});
