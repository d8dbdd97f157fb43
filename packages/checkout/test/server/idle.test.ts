import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, sessionBody, startOn } from '../support/service.ts';
import { type StatementLog, statementLog } from '../support/statement-log.ts';

/** Queries of an idle process on a server, per second. */
const MOST_PER_SECOND = 2;
const WINDOW_MS = 10_000;
/** What a start or a new page asks for is over by then. */
const SETTLE_MS = 7000;
const PAGES = 30;

let provider: PixProvider;
let directory: DataDir;
let log: StatementLog;
let service: Awaited<ReturnType<typeof startOn>>;

beforeEach(async () => {
  [provider, directory] = await Promise.all([pixProvider(), newDataDir()]);
  log = await statementLog(directory.place.databaseUrl ?? expect.fail());
  const place = { ...directory.place, databaseUrl: log.url };
  service = await startOn((port) => pixConfig(provider, 'http://127.0.0.1:9', port, place));
});

afterEach(async () => {
  await service.stop();
  await log.close();
  await provider.close();
  await directory.remove();
});

/** The queries of a while in which nothing happens. */
async function idleQueries(): Promise<readonly string[]> {
  await sleep(SETTLE_MS);
  const from = log.statements.length;
  await sleep(WINDOW_MS);
  return log.statements.slice(from).map((statement) => statement.slice(0, 120));
}

function expectAtMost(most: number, queries: readonly string[]): void {
  const kinds = [...new Set(queries)];
  const list = kinds.map((kind) => `${queries.filter((each) => each === kind).length} × ${kind}`).join('\n');
  process.stdout.write(`${queries.length} queries in ${WINDOW_MS} ms:\n${list}\n`);
  expect(queries.length, list).toBeLessThanOrEqual(most);
}

describe('a service without work', () => {
  test('asks its server at most twice a second', async () => {
    expectAtMost((MOST_PER_SECOND * WINDOW_MS) / 1000, await idleQueries());
  });

  test('asks no more often for thirty pages that wait than for one', async () => {
    const gone = new AbortController();
    for (let page = 0; page < PAGES; page += 1) {
      const { body } = await fetch(`${await createPage(service.url, sessionBody())}/events`, { signal: gone.signal });
      body?.pipeTo(new WritableStream(), { signal: gone.signal }).catch(() => undefined);
    }
    const queries = await idleQueries();
    gone.abort();
    expect(queries.filter((query) => query.includes('concat_ws')).length).toBeGreaterThan(1);
    // All pages together are compared with what was seen every three seconds.
    expectAtMost((MOST_PER_SECOND * WINDOW_MS) / 1000 + 4, queries);
  });
});
