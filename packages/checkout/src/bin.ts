#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Checkout, CheckoutConfig } from './index.ts';

const USAGE = `Usage: railyard-checkout [config file]

Starts the hosted checkout. The config file is a module whose default export is the configuration;
./railyard.config.js unless given.
`;

/** The configuration is code of the deployment; its content is checked by startCheckout. */
async function loadConfig(file: string): Promise<CheckoutConfig> {
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Write one, or name another: railyard-checkout my.config.js`);
  const module: { default?: CheckoutConfig } = await import(pathToFileURL(file).href);
  if (module.default === undefined)
    throw new Error(`${file} has no default export. Export the configuration as default.`);
  return module.default;
}

function stopOnSignal(checkout: Checkout): void {
  const stop = () => void checkout.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** Loaded late, so that a Node that is too old hears so instead of failing inside a dependency. */
async function start(file: string): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(`The checkout needs Node 22.19 or newer; this is ${process.versions.node}.`);
  const { startCheckout } = await import('./index.ts');
  const checkout = await startCheckout(await loadConfig(file));
  process.stderr.write(`The checkout listens on ${checkout.url}\n`);
  stopOnSignal(checkout);
}

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') process.stdout.write(USAGE);
else
  await start(resolve(argument ?? 'railyard.config.js')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
