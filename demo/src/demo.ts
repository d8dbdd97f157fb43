import { createWriteStream, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createLog, startCheckout } from '@railyard/checkout';
import { createSimulator } from '@railyard/simulator';
import { demoKey } from './demo-key.ts';
import { deployment, type Ports } from './deployment.ts';
import { openOrders, type Order, type Orders } from './orders.ts';
import { sampleOrder } from './sample-order.ts';
import { createShop } from './shop.ts';

export interface DemoOptions {
  readonly ports: Ports;
  /** Everything that survives a restart is in it. */
  readonly dataDir: string;
  /** Where the checkout sends the merchant's callbacks. Default: the demo's shop. Test callbacks go to the shop. */
  readonly callbackUrl?: string;
  /** A PostgreSQL server for the checkout; the embedded database unless given. */
  readonly databaseUrl?: string;
  /** Of what is sealed in the database: 32 bytes in Base64. For a server one is made and kept in `dataDir` unless given. */
  readonly encryptionKey?: string;
}

export interface Demo {
  readonly checkoutUrl: string;
  readonly shopUrl: string;
  readonly simulatorUrl: string;
  readonly logFile: string;
  /** The order of the request that is printed; the shop knows it. */
  readonly sample: Order;
  stop(): Promise<void>;
}

/** Until a code that is not paid at the payer's bank is paid by itself. */
const SETTLE_AFTER_MS = 20_000;

/** Starts simulator, checkout and shop. What was started before a failure is stopped again. */
export async function startDemo({ ports, dataDir, callbackUrl, ...database }: DemoOptions): Promise<Demo> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    const {
      checkout: config,
      simulated,
      scenarios,
    } = deployment(ports, join(dataDir, 'checkout'), callbackUrl ?? `http://127.0.0.1:${ports.shop}/callbacks`);
    const simulator = await createSimulator({
      connectors: simulated,
      port: ports.simulator,
      dataFile: join(dataDir, 'simulator.jsonl'),
      times: { settleAfterMs: SETTLE_AFTER_MS },
    });
    stops.push(() => simulator.close());
    for (const rule of scenarios) simulator.setRule(rule);
    const logFile = join(dataDir, 'checkout.log');
    const lines = createWriteStream(logFile, { flags: 'a' });
    const key = database.databaseUrl !== undefined && { encryptionKey: demoKey(dataDir) };
    const checkout = await startCheckout({ ...config, ...key, ...database }, { log: createLog(lines) });
    stops.push(async () => {
      await checkout.stop();
      lines.end();
    });
    const orders = openOrders(join(dataDir, 'shop.jsonl'));
    const sample = sampleOrder(Date.now());
    orders.add(sample);
    const shop = await serveShop(ports.shop, checkout.url, orders);
    stops.push(shop.stop);
    return { checkoutUrl: checkout.url, shopUrl: shop.url, simulatorUrl: simulator.url, logFile, sample, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function serveShop(port: number, checkoutUrl: string, orders: Orders) {
  const url = `http://127.0.0.1:${port}`;
  const app = createShop(orders, { shop: url, checkout: checkoutUrl });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address: AddressInfo | string | null = server.address();
  return {
    url: typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
