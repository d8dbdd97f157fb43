import { createLog, startCheckout } from '@railyard/checkout';
import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator } from '@railyard/simulator';
import { freePort } from './servers.ts';

export const merchant = { key: '11111111-2222-4333-8444-555555555555', name: 'Books', password: 'only-for-an-example' };
export const requestKey = { id: 'shop', secret: 'whsec_YW4tZXhhbXBsZS1vZi1hLXJlcXVlc3Qta2V5LTAwMDE=' };
export const callbackSecret = 'whsec_YW4tZXhhbXBsZS1zZWNyZXQtb2YtdGhlLWRvY3MtMDE=';

interface Account {
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly methods: readonly string[];
}

/** Every credential that a connector asks for; a simulated provider takes any. */
export function anySettings({ settings }: Connector, base_url: string): Record<string, unknown> {
  const names = Object.keys(settings.shape).filter((name) => !settings.shape[name]?.safeParse(undefined).success);
  return { ...Object.fromEntries(names.map((name) => [name, `an-example-of-${name}`])), base_url };
}

/** Providers that the simulator plays. */
export function simulated(accounts: readonly Account[]) {
  return createSimulator({
    connectors: accounts.map(({ connector, simulation }) => ({
      connector,
      simulation,
      settings: connector.settings.parse(anySettings(connector, 'http://127.0.0.1:1')),
    })),
    scenario: 'settled',
  });
}

/** A checkout in memory, its providers played by the simulator. */
export async function deployment(given: { readonly accounts: readonly Account[]; readonly callbackUrl: string }) {
  const { accounts, callbackUrl } = given;
  const simulator = await simulated(accounts);
  const port = await freePort();
  const checkout = await startCheckout(
    {
      publicUrl: `http://127.0.0.1:${port}`,
      port,
      dataDir: 'memory',
      callbackNetwork: 'any',
      connectors: accounts.map(({ connector }) => connector),
      mids: accounts.map(({ connector }) => ({
        id: connector.id,
        connector: connector.id,
        settings: anySettings(connector, simulator.baseUrl(connector.id)),
      })),
      merchants: [
        {
          ...merchant,
          callbackUrl,
          callbackSecret,
          requestKeys: [{ ...requestKey, permissions: ['create', 'read'] }],
          methods: accounts.flatMap(({ connector, methods }) => methods.map((key) => ({ key, mid: connector.id }))),
        },
      ],
    },
    { log: createLog({ write: () => undefined }) },
  );
  return {
    url: checkout.url,
    profile: () => checkout.profile(merchant.key),
    simulator,
    async stop() {
      await checkout.stop();
      await simulator.close();
    },
  };
}

/** Presses the button of a payment page. */
export async function pressPay(page: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const reply = await fetch(`${page}/pay`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return reply.status;
}
