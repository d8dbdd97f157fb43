import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, sessionBody, startOn } from '../support/service.ts';
import { type StatementLog, statementLog } from '../support/statement-log.ts';

/** Queries of an idle process on a server, per second. */
const MOST_PER_SECOND = 2;
/** All that is done once a minute is in it, whenever it begins. */
const WINDOW_MS = 60_000;
/** What is done once in five or ten minutes may fall into the window: the job library's care of its tables, and housekeeping. */
const SELDOM = 15;
/** Sessions of waiting pages are compared so often. */
const COMPARED_MS = 3000;
/** What a start or a new page asks for is over by then. */
const SETTLE_MS = 7000;
/** Pages that wait: ten thousand in a whole `npm run test:soak`, which has that many stories, and a thousand in each. */
const STORIES = Number(process.env['RAILYARD_SOAK'] ?? 0);
const PAGES = STORIES >= 10_000 ? 10_000 : STORIES > 0 ? 1000 : 30;
const USUAL = (MOST_PER_SECOND * WINDOW_MS) / 1000 + SELDOM;
const READERS = fileURLToPath(new URL('../support/page-readers.ts', import.meta.url));

let provider: PixProvider;
let directory: DataDir;
let log: StatementLog;
let service: Awaited<ReturnType<typeof startOn>>;

beforeEach(async () => {
  [provider, directory] = await Promise.all([pixProvider(), newDataDir()]);
  log = await statementLog(directory.place.databaseUrl ?? expect.fail());
  const place = { ...directory.place, databaseUrl: log.url };
  service = await startOn((port) => ({ ...pixConfig(provider, 'http://127.0.0.1:9', port, place), rateLimits: false }));
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
    expectAtMost(USUAL, await idleQueries());
  });

  test(`asks no more often for ${PAGES} pages that wait than for one`, async () => {
    const pages = await pagesOf(service.url);
    const { readers, said } = await listenTo(pages);
    await untilAllAreRead();
    const queries = await idleQueries();
    readers.kill();
    expect(said()).toBe('open\n');
    expect(queries.filter((query) => query.includes('concat_ws')).length).toBeGreaterThan(0);
    // All pages together are compared with what was seen every three seconds.
    expectAtMost(USUAL + WINDOW_MS / COMPARED_MS, queries);
  });
});

/** A page that begins to wait is read once more, in case it changed since it was shown: of ten thousand that takes a while. */
async function untilAllAreRead(): Promise<void> {
  for (let looks = 0, from = -1; looks < 20 && from !== reads(); looks += 1) {
    from = reads();
    await sleep(SETTLE_MS);
  }
}
const reads = () => log.statements.filter((statement) => statement.includes('"token_hash"')).length;

async function pagesOf(url: string): Promise<readonly string[]> {
  const pages: string[] = [];
  while (pages.length < PAGES) {
    const made = Array.from({ length: Math.min(32, PAGES - pages.length) }, () => createPage(url, sessionBody()));
    pages.push(...(await Promise.all(made)));
  }
  return pages;
}

/** @returns the process that listens to the updates of all pages, and its words so far */
async function listenTo(pages: readonly string[]): Promise<{ readers: ChildProcess; said: () => string }> {
  const readers = spawn(process.execPath, [READERS], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  readers.stdout.setEncoding('utf8').on('data', (words: string) => (said += words));
  readers.stdin.end(pages.join('\n'));
  await once(readers.stdout, 'data');
  return { readers, said: () => said };
}
