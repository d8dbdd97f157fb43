import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { DirectoryInUseError, openDatabase } from '../../src/storage/index.ts';
import type { Db } from '../../src/storage/index.ts';

const WRITER = fileURLToPath(new URL('../support/writing-process.ts', import.meta.url));
const ROUNDS = 6;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Lets a process write until it has acknowledged `writes`, then kills it. @returns the newest acknowledged version per payment */
async function writeAndKill(
  dataDir: string,
  writes: number,
  whileOpen?: () => Promise<void>,
): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  const writer = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  writer.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const ended = once(writer, 'exit');
  for await (const line of createInterface({ input: writer.stdout })) {
    if (line === 'open') await whileOpen?.();
    else acknowledged.set(line.slice(0, 36), Number(line.slice(37)));
    if (acknowledged.size >= writes) writer.kill('SIGKILL');
  }
  await ended;
  expect(writer.signalCode, complaint).toBe('SIGKILL');
  return acknowledged;
}

/** Payments whose row, history, callback or session tell different things. */
async function tornPayments(db: Db): Promise<number> {
  const torn = await sql<{ torn: number }>`
    SELECT count(*)::integer AS torn FROM payments p JOIN sessions s ON s.id = p.session_id
    WHERE (SELECT max(version) FROM payment_events e WHERE e.payment_id = p.id) IS DISTINCT FROM p.version
      OR (SELECT count(*) FROM payment_events e WHERE e.payment_id = p.id) <> p.version
      OR (SELECT count(*) FROM callbacks c WHERE c.payment_id = p.id) <> p.callbacks
      OR (SELECT count(*) FROM flow_runs r WHERE r.payment_id = p.id) <> 1
      OR (p.state = 'settled') <> (p.version = 2)
      OR (p.state = 'settled') <> (s.state = 'completed')`.execute(db);
  return torn.rows[0]?.torn ?? -1;
}

describe('a process killed while it writes', () => {
  it('loses nothing it acknowledged, leaves no half of a statement, and is followed by the next process at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'checkout-kill-'));
    folders.push(folder);
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const refuse = async () => {
        await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DirectoryInUseError);
      };
      // Prime numbers, so that the kill meets different points of the write-ahead log.
      const writes = [1, 7, 31, 61, 113, 211][round] ?? 1;
      for (const [id, version] of await writeAndKill(folder, writes, refuse)) acknowledged.set(id, version);
    }
    const { db, close } = await openDatabase({ dataDir: folder });
    const stored = new Map(
      (await db.selectFrom('payments').select(['id', 'version']).execute()).map(({ id, version }) => [id, version]),
    );
    const lost = [...acknowledged].filter(([id, version]) => (stored.get(id) ?? 0) < version);
    expect(lost).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(1 + 7 + 31 + 61 + 113 + 211);
    // At most the statement under way at each kill is there without having been acknowledged.
    expect(stored.size).toBeLessThanOrEqual(acknowledged.size + ROUNDS);
    expect(await tornPayments(db)).toBe(0);
    await close();
  });
});
