import { signSession } from '@railyard/core/protocol';
import {
  type CheckoutConfig,
  type GivenCatalogue,
  type CheckoutOptions,
  createLog,
  startCheckout,
} from '../../src/index.ts';
import { newDataDir, type Place } from './data-dir.ts';
import { freePort } from './listen.ts';
import { merchant, pixConfig, trial } from './pix-config.ts';
import type { PixProvider } from './pix-provider.ts';

export { merchant, pixConfig, trial };

/** The Pix deployment in this process, with its log kept. */
export async function startService(
  provider: PixProvider,
  callbackUrl: string,
  options: Omit<CheckoutOptions, 'log'> = {},
) {
  const service = await startOn((port) => pixConfig(provider, callbackUrl, port), options);
  return { ...service, notifyUrl: `${service.url}/notify/pix-main` };
}

export interface StartOptions extends Omit<CheckoutOptions, 'log'> {
  /** Puts something into the new data before the service starts. */
  readonly prepare?: (place: Place) => Promise<void>;
}

/**
 * A service in this process with a data directory of its own, unless the configuration names one; its log is kept.
 *
 * @param configOn makes the configuration for a free port
 */
export async function startOn(configOn: (port: number) => CheckoutConfig, { prepare, ...options }: StartOptions = {}) {
  const lines: string[] = [];
  const config = configOn(await freePort());
  const made = config.dataDir === 'memory' ? await newDataDir() : undefined;
  if (made !== undefined) await prepare?.(made.place);
  const log = createLog({ write: (line) => lines.push(line) });
  const checkout = await startCheckout({ ...config, ...made?.place }, { ...options, log });
  return {
    url: checkout.url,
    lines,
    payments: checkout.payments,
    drift: () => checkout.drift(),
    /** Changes the merchants of the running service. */
    configure(change: (merchants: GivenCatalogue['merchants']) => GivenCatalogue['merchants']) {
      const { mids = [], merchants = [] } = config;
      return checkout.configure({ mids, merchants: change(merchants) });
    },
    async stop() {
      await checkout.stop();
      await made?.remove();
    },
  };
}

let orders = 0;

/** A signed session request; `change` replaces top-level fields before it is signed. */
export function sessionBody(
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) {
  orders += 1;
  const signed = {
    number: `order-${process.pid}-${orders}`,
    amount: '10.00',
    currency: 'BRL',
    description: 'Important gift',
    ...order,
  };
  return {
    merchant_key: merchant.key,
    operation: 'purchase',
    methods: ['pix'],
    order: signed,
    success_url: 'https://shop.example/success?a=1',
    cancel_url: 'https://shop.example/cancel',
    expiry_url: 'https://shop.example/expiry',
    hash: signSession(signed, (change['merchant_key'] === trial.key ? trial : merchant).password),
    ...change,
  };
}

export async function post(url: string, body: unknown): Promise<{ status: number; json: unknown }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: reply.status, json: await reply.json() };
}

/** Creates a session. @returns the address of its page */
export async function createPage(serviceUrl: string, body: unknown): Promise<string> {
  const { status, json } = await post(`${serviceUrl}/api/v1/session`, body);
  if (status !== 200 || typeof json !== 'object' || json === null || !('redirect_url' in json))
    throw new Error(`${status} ${JSON.stringify(json)}`);
  return String(json.redirect_url);
}

/** Presses the page's button. */
export async function pressPay(
  page: string,
  fields: Readonly<Record<string, string>> = { method: 'pix' },
): Promise<Response> {
  return fetch(`${page}/pay`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
