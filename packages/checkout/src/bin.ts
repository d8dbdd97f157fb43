#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Checkout, type CheckoutConfig, startCheckout } from './index.ts';

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

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') process.stdout.write(USAGE);
else
  try {
    const checkout = await startCheckout(await loadConfig(resolve(argument ?? 'railyard.config.js')));
    process.stderr.write(`The checkout listens on ${checkout.url}\n`);
    stopOnSignal(checkout);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
