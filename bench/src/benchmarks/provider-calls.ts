import { kyTransport } from '@railyard/runtime';
import ky from 'ky';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import type { Benchmark } from '../benchmark.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { withCleanup } from '../places.ts';

const CALLERS = 32;
const body = JSON.stringify({ external_id: 'reference', amount: '10.00', description: 'Important gift' });
const headers = { 'content-type': 'application/json', 'x-api-key': 'bench' };
const reply = JSON.stringify({ qr_code_id: 'qr_1', status: 'PENDING', amount: '10.00', currency: 'BRL' });

export const providerCalls: Benchmark = {
  name: 'provider-calls',
  title:
    'Processor time of one provider call, 32 at once, with what the runtime uses (ky over undici), undici alone, global fetch, and ky over global fetch.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const count = quick ? 20 : 3000;
    return withCleanup(async (cleanup) => {
      const server = createServer((asked, answer) => {
        asked.resume();
        asked.once('end', () => answer.end(reply));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/charges`;
      const dispatcher = new Agent();
      const transport = kyTransport();
      cleanup.add(async () => {
        await Promise.all([dispatcher.destroy(), transport.close()]);
        server.closeAllConnections();
        server.close();
      });
      const ways: Readonly<Record<string, () => Promise<unknown>>> = {
        runtime: () => transport.send({ method: 'POST', url, headers, body, timeoutMs: 5000, maxReplyBytes: 65_536 }),
        undici: async () => (await request(url, { method: 'POST', headers, body, dispatcher })).body.text(),
        fetch: async () => (await fetch(url, { method: 'POST', headers, body })).text(),
        kyFetch: () => ky(url, { method: 'POST', headers, body, retry: 0, timeout: false }).text(),
      };
      const found = await measure(ways, rounds, count);
      const undici = found.undici ?? [];
      const row = (what: string, values: readonly number[] = []) => ({
        what,
        unit: 'µs',
        value: spreadOf(values),
        against: { what: 'undici alone', value: spreadOf(undici) },
        ratio: ratioOf(undici, values),
      });
      return {
        rounds,
        rows: [
          row('ky over undici, as the runtime uses it', found.runtime),
          row('Global fetch', found.fetch),
          row('ky over global fetch', found.kyFetch),
        ],
        notes: [
          'The answering server runs in the same process: its share is in every number, so that real ratios are further apart.',
        ],
      };
    });
  },
};

async function measure(ways: Readonly<Record<string, () => Promise<unknown>>>, rounds: number, count: number) {
  const found: Record<string, number[]> = {};
  for (const call of Object.values(ways)) await many(call, count);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, call] of Object.entries(ways)) (found[name] ??= []).push(await many(call, count));
  return found;
}

/** Microseconds of processor time for each of many calls. */
async function many(call: () => Promise<unknown>, count: number): Promise<number> {
  let left = count;
  const caller = async () => {
    while (left-- > 0) await call();
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
