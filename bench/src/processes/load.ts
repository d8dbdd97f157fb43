// Run by itself: sends requests over kept connections, as many at once as there are connections.
import { signRequest } from '@railyard/core/protocol';
import { Pool } from 'undici';
import * as z from 'zod';
import { merchant, typicalSession } from '../typical.ts';
import { serveRequests } from './serve-requests.ts';

const requestSchema = z.object({
  kind: z.enum(['create', 'status']),
  urls: z.array(z.string()),
  /** Order numbers begin with it. */
  prefix: z.string(),
  count: z.int(),
  connections: z.int(),
});

type Request = z.output<typeof requestSchema>;

/** The time of a run; `failed` counts answers other than 200. */
export interface LoadAnswer {
  readonly seconds: number;
  readonly failed: number;
}

/** By address and number of connections: they stay open from one run to the next, as those of a merchant's server do. */
const kept = new Map<string, Pool>();

serveRequests(
  async (request) => run(requestSchema.parse(request)),
  async () => void (await Promise.all([...kept.values()].map((pool) => pool.close()))),
);

async function run({ kind, urls, prefix, count, connections }: Request): Promise<LoadAnswer> {
  const path = kind === 'create' ? '/api/v1/session' : '/api/v1/payment/status';
  // Signed before the clock starts: the load generator's own work would be measured otherwise.
  const bodies = Array.from({ length: count }, (_, at) => JSON.stringify(bodyOf(kind, `${prefix}-${at}`)));
  const share = Math.ceil(connections / urls.length);
  const pools = urls.map((url) => poolOf(url, share));
  let next = 0;
  let failed = 0;
  const worker = async (pool: Pool) => {
    for (let at = next++; at < count; at = next++) {
      const reply = await pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodies[at] ?? '',
      });
      await reply.body.dump();
      if (reply.statusCode !== 200) failed += 1;
    }
  };
  const start = process.hrtime.bigint();
  await Promise.all(pools.flatMap((pool) => Array.from({ length: share }, () => worker(pool))));
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, failed };
}

function poolOf(url: string, connections: number): Pool {
  const key = `${connections} ${url}`;
  const pool = kept.get(key) ?? new Pool(url, { connections, pipelining: 1 });
  kept.set(key, pool);
  return pool;
}

function bodyOf(kind: Request['kind'], order_id: string) {
  if (kind === 'create') return typicalSession(order_id);
  return {
    merchant_key: merchant.key,
    order_id,
    hash: signRequest('status_by_order', { order_id }, merchant.password),
  };
}
