import { type Connector, type Method, moneyOfMinor } from '@railyard/core';
import { signSession } from '@railyard/core/protocol';
import { english, limitFor, OPERATIONS } from '@railyard/core/registry';
import type { Simulation } from '@railyard/core/simulation';
import { createServer } from 'node:net';
import { UsageError } from '../commands/command.ts';
import type { Found } from '../connectors/find-connectors.ts';
import { sampleDefaults, sampleSettings } from '../connectors/sample-settings.ts';

/** The merchant of a trial. The password is shown, because it protects nothing. */
const MERCHANT = { key: '11111111-2222-4333-8444-555555555555', password: 'password-of-the-trial' } as const;

export interface TrialSession {
  readonly method: string;
  /** Where the payer pays; absent where no request could be made up. */
  readonly url?: string;
  readonly problem?: string;
}

export interface Trial {
  readonly checkoutUrl: string;
  readonly simulatorUrl: string;
  readonly merchant: typeof MERCHANT;
  readonly sessions: readonly TrialSession[];
  /** Connectors without a simulation. */
  readonly skipped: readonly string[];
  stop(): Promise<void>;
}

interface Played {
  readonly connector: Connector;
  readonly simulation: Simulation;
}

/** Starts simulator and checkout on 127.0.0.1. @throws UsageError where the checkout is not installed, or there is nothing to play */
export async function startTrial(
  { connectors }: Found,
  ports: { readonly checkout: number; readonly simulator: number },
): Promise<Trial> {
  const checkoutPackage = await import('@railyard/checkout').catch(() => {
    throw new UsageError(
      'The hosted checkout is not installed here: npm install @railyard/checkout @electric-sql/pglite',
    );
  });
  const played = connectors.flatMap(({ connector, simulation }): Played[] =>
    simulation === undefined ? [] : [{ connector, simulation }],
  );
  const skipped = connectors.filter(({ simulation }) => simulation === undefined).map(({ connector }) => connector.id);
  if (played.length === 0)
    throw new UsageError(
      'None of the connectors has a simulation. Export one from the entry ./simulation of its package.',
    );
  const port = ports.checkout === 0 ? await freePort() : ports.checkout;
  const publicUrl = `http://127.0.0.1:${port}`;
  const { createSimulator } = await import('@railyard/simulator');
  const simulator = await createSimulator({
    port: ports.simulator,
    connectors: played.map((each) => ({
      ...each,
      settings: sampleSettings(each.connector),
      notifyUrl: `${publicUrl}/notify/${each.connector.id}`,
    })),
  });
  const mids = played.map(({ connector }) => ({
    id: connector.id,
    connector: connector.id,
    settings: plain(sampleSettings(connector, simulator.baseUrl(connector.id))),
    defaults: sampleDefaults(connector),
  }));
  const served = servedBy(played);
  const methods = served.filter(({ method }) => !isWallet(method));
  const titles = methods.map(({ method }) => english(method.title));
  const wallets = served.filter(({ method }) => isWallet(method)).map(withoutVendor);
  try {
    const checkout = await checkoutPackage.startCheckout(
      {
        publicUrl,
        port,
        dataDir: 'memory',
        connectors: played.map(({ connector }) => connector),
        mids,
        merchants: [
          {
            ...MERCHANT,
            name: 'Trial',
            // Recorded clients are tried here as they are, from this machine alone.
            moneyOut: true,
            legacySignatures: 'money-out',
            legacyAddresses: ['127.0.0.0/8', '::1'],
            methods: methods.map(({ key, method, mid }) => ({
              key,
              method: method.key,
              mid,
              // Payers tell methods apart by title; two connectors may serve one.
              ...(titles.filter((each) => each === english(method.title)).length > 1 && {
                title: `${english(method.title)} (${key})`,
              }),
            })),
          },
        ],
      },
      { log: SILENT },
    );
    const sessions = [...wallets];
    for (const each of methods) sessions.push(await trySession(checkout.url, each));
    return {
      checkoutUrl: checkout.url,
      simulatorUrl: simulator.url,
      merchant: MERCHANT,
      sessions,
      skipped,
      async stop() {
        await checkout.stop();
        await simulator.close();
      },
    };
  } catch (error) {
    await simulator.close();
    throw error;
  }
}

interface Served {
  /** The key by which a request names it. */
  readonly key: string;
  readonly method: Method;
  readonly mid: string;
}

/** The methods of the connectors. One that an earlier connector serves too gets a key of its own, as an alias has. */
function servedBy(played: readonly Played[]): Served[] {
  const taken = new Set<string>();
  return played.flatMap(({ connector }) =>
    connector.serves.map(({ method }): Served => {
      const key = taken.has(method.key) ? `${method.key}-${connector.id}` : method.key;
      taken.add(key);
      return { key, method, mid: connector.id };
    }),
  );
}

const isWallet = ({ operations }: Method): boolean => operations.purchase?.wallet === true;

/** Its button needs certificates or keys of the wallet's vendor, which no trial has. */
const withoutVendor = ({ key }: Served): TrialSession => ({
  method: key,
  problem: 'it needs keys of the wallet’s vendor',
});

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

const plain = (settings: unknown): Record<string, unknown> =>
  typeof settings === 'object' && settings !== null ? { ...settings } : {};

/** A port that was free a moment ago; the checkout must know its own address before it listens. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 8080));
    });
  });
}

/** A session with nothing but what every request has; methods that need more say what. */
async function trySession(checkoutUrl: string, { key, method }: Served): Promise<TrialSession> {
  const operation = OPERATIONS.find((each) => method.operations[each] !== undefined) ?? 'purchase';
  const currency = method.currencies?.includes('USD') === false ? (method.currencies[0] ?? 'USD') : 'USD';
  const few = moneyOfMinor(1000n, currency);
  const least = method.limits && limitFor(method.limits, { operation, amount: few })?.min;
  const order = {
    number: `trial-${key}-${Date.now()}`,
    amount: least !== undefined && Number(least) > 10 ? least : few.text,
    currency,
    description: 'A trial',
  };
  const reply = await fetch(`${checkoutUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchant_key: MERCHANT.key,
      operation,
      methods: [key],
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
      error_url: 'https://shop.example/sorry',
      order,
      hash: signSession(order, MERCHANT.password),
    }),
  });
  const answer: {
    readonly redirect_url?: string;
    readonly errors?: readonly { readonly error_message: string }[];
    readonly error_message?: string;
  } = await reply.json();
  if (answer.redirect_url !== undefined) return { method: key, url: answer.redirect_url };
  return {
    method: key,
    problem: answer.errors?.map((each) => each.error_message).join(' ') ?? answer.error_message ?? String(reply.status),
  };
}
