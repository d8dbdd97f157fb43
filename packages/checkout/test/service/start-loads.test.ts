import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { freePort } from '../support/listen.ts';

/** Starts a service with Pix and prints the packages whose modules were loaded until it has its address. */
const STARTING = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const name = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name !== undefined) packages.add(name);
      return next(url, context);
    },
  });
  const { startCheckout } = await import('@railyard/checkout');
  const { instantConnector } = await import('@railyard/connector-pix');
  const port = Number(process.argv[1]);
  const checkout = await startCheckout({
    publicUrl: 'http://127.0.0.1:' + port,
    port,
    dataDir: 'memory',
    connectors: [instantConnector],
    mids: [{ id: 'm', connector: 'pix-instant', settings: { base_url: 'http://127.0.0.1:9', api_key: 'k', webhook_secret: 's' } }],
    merchants: [{ key: 'shop', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'm' }] }],
  });
  process.stderr.write(JSON.stringify([...packages]));
  await checkout.stop();`;

/** Each takes long to load, and nothing before the first request needs it (docs/decisions/how-it-is-fast.md). */
const LOADED_LATER = ['undici', 'ky', 'pg-boss'];

test('a start loads what it needs, neither an HTTP client nor the library of the calendar', async () => {
  const conditions = ['--conditions=@railyard/source', '--disable-warning=ExperimentalWarning'];
  const args = [...conditions, '--input-type=module', '--eval', STARTING, String(await freePort())];
  const said = execFileSync('/bin/sh', ['-c', '"$@" 2>&1 >/dev/null', 'sh', process.execPath, ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const packages = z.array(z.string()).parse(JSON.parse(said));
  expect(packages).toEqual(expect.arrayContaining(['hono', 'zod', '@electric-sql/pglite']));
  expect(packages.filter((name) => LOADED_LATER.includes(name))).toEqual([]);
});
