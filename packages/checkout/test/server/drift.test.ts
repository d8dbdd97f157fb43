import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDriftLine } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { runBin } from '../support/run-bin.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { spawnService } from '../support/spawn-service.ts';

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => readDriftLine(JSON.parse(line)) ?? []);

/** `railyard-checkout drift` with a configuration of its own on the same database. */
async function askDatabase(databaseUrl: string, args: readonly string[] = []) {
  // Below the package, so that the configuration finds the connector as an installed one.
  const folder = mkdtempSync(fileURLToPath(new URL('../fixtures/bin-', import.meta.url)));
  writeFileSync(
    join(folder, 'railyard.config.mjs'),
    `import { instantConnector } from '@railyard/connector-pix';
     export default { publicUrl: 'http://127.0.0.1:1', connectors: [instantConnector] };`,
  );
  const env = { DATABASE_URL: databaseUrl, RAILYARD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
  const ran = await runBin(['drift', ...args], folder, env);
  rmSync(folder, { recursive: true });
  return ran;
}

test(
  'two processes on one server add up what they counted, and the logs of both have as many',
  { timeout: 120_000 },
  async () => {
    const [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
    provider.reshape = (status, json) => ({ status, json: { ...Object(json), risk_level: 'low' } });
    const ports = await Promise.all([freePort(), freePort()]);
    const given = { provider, callbackUrl: shop.url, place: directory.place, kill: 'never' } as const;
    const processes = ports.map((port) => spawnService({ ...given, port }));
    await Promise.all(processes.map(({ ready }) => ready));
    const payAt = async (url: string) => pressPay(await createPage(url, sessionBody()));
    await Promise.all(processes.flatMap(({ url }, at) => Array.from({ length: 3 + at }, () => payAt(url))));
    for (const each of processes) each.kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
    const asked = await askDatabase(directory.place.databaseUrl ?? expect.fail());
    expect(asked).toMatchObject({ code: 0, complained: '' });
    const fields = linesOf(asked.said).filter(({ kind }) => kind === 'unnamed-field');
    expect(fields).toMatchObject([{ endpoint: 'create-charge', place: 'risk_level', form: 'string', seen: 7 }]);
    const lines = processes.map((each) => linesOf(each.said()).filter(({ place }) => place === 'risk_level'));
    expect(lines.map((each) => each.reduce((sum, { seen }) => sum + seen, 0))).toEqual([3, 4]);
    await Promise.all([shop.close(), provider.close()]);
    await directory.remove();
  },
);

test('railyard-checkout drift names an option that it does not have, and changes nothing', async () => {
  const refused = await askDatabase('postgres://127.0.0.1:1/none', ['--since']);
  expect(refused.code).toBe(2);
  expect(refused.complained).toContain("Unknown option '--since'");
});
