import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CheckoutConfig, ConfigError, createLog, startCheckout } from '../../src/index.ts';
import { DirectoryInUseError } from '../../src/storage/index.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { pixConfig } from '../support/pix-config.ts';

const provider = { url: 'http://127.0.0.1:1', apiKey: 'test-api-key', webhookSecret: 'test-webhook-secret' };
const start = (config: CheckoutConfig) => startCheckout(config, { log: createLog({ write: () => undefined }) });

let directory: DataDir;
beforeEach(async () => {
  directory = await newDataDir();
});
afterEach(() => directory.remove());

const configOn = (port: number) => pixConfig(provider, 'http://127.0.0.1:1', port, directory.place);

describe('a start that fails', () => {
  test('on a directory in use leaves the one that runs alone', async () => {
    const service = await start(configOn(0));
    await expect(start(configOn(0))).rejects.toBeInstanceOf(DirectoryInUseError);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    await service.stop();
  });

  test('on a port in use lets its directory go', async () => {
    const other = await newDataDir();
    const port = await freePort();
    const holder = await start({ ...configOn(port), ...other.place });
    await expect(start(configOn(port))).rejects.toThrow(/^127\.0\.0\.1:\d+ is in use by another program.*EADDRINUSE/);
    const free = await start(configOn(0));
    await Promise.all([free.stop(), holder.stop()]);
    await other.remove();
  });

  test('on a configuration that cannot be run touches nothing', async () => {
    const dataDir = join(await mkdtemp(join(tmpdir(), 'checkout-start-')), 'data');
    await expect(start({ ...configOn(0), dataDir, mids: [] })).rejects.toBeInstanceOf(ConfigError);
    expect(existsSync(dataDir)).toBe(false);
    await rm(join(dataDir, '..'), { recursive: true });
  });

  test('on an address of a database that is none does not repeat it', async () => {
    const failed = await start({ ...configOn(0), databaseUrl: 'mysql://user:hush-hush@db/railyard' }).catch(String);
    expect(failed).toContain('databaseUrl: Use "postgres://');
    expect(failed).not.toContain('hush-hush');
  });
});
