import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { startOn } from '../support/service.ts';
import { statementLog } from '../support/statement-log.ts';

const SETTLE_MS = 3000;
const WINDOW_MS = 10_000;
/** Queries of an idle process on a server, per second. */
const MOST_PER_SECOND = 2;

test('a service without work asks its server at most twice a second', { timeout: 60_000 }, async () => {
  const [provider, directory] = await Promise.all([pixProvider(), newDataDir()]);
  const log = await statementLog(directory.place.databaseUrl ?? expect.fail());
  const place = { ...directory.place, databaseUrl: log.url };
  const service = await startOn((port) => pixConfig(provider, 'http://127.0.0.1:9', port, place));
  await sleep(SETTLE_MS);
  const from = log.statements.length;
  await sleep(WINDOW_MS);
  const asked = log.statements.slice(from);
  await service.stop();
  await log.close();
  await provider.close();
  await directory.remove();
  const kinds = Map.groupBy(asked, (statement) => statement.slice(0, 120));
  const list = [...kinds].map(([statement, all]) => `${all.length} × ${statement}`).join('\n');
  process.stdout.write(`${asked.length} queries in ${WINDOW_MS} ms:\n${list}\n`);
  expect(asked.length, list).toBeLessThanOrEqual((MOST_PER_SECOND * WINDOW_MS) / 1000);
});
