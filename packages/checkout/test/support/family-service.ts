import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { startOn } from './service.ts';

/** An adapter with the account that a merchant has there. */
export interface Family {
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Parameters that the account supplies, by method. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The running service with an account at each of these adapters, all methods of which the merchant offers, and their providers. */
export async function familyService(families: readonly Family[], clock: () => number) {
  const shop = await receiver();
  const port = await freePort();
  const accounts = families.map(({ connector, simulation, settings, defaults }) => ({
    connector,
    simulation,
    defaults,
    settings: { ...settings, base_url: `http://127.0.0.1:${port}/${connector.id}` },
  }));
  const service = await startOn(
    (own) => ({
      publicUrl: `http://127.0.0.1:${own}`,
      port: own,
      dataDir: 'memory',
      callbackNetwork: 'any',
      connectors: families.map(({ connector }) => connector),
      mids: accounts.map(({ connector: { id }, settings, defaults }) => ({
        id,
        connector: id,
        settings,
        ...(defaults && { defaults }),
      })),
      merchants: [
        {
          ...merchant,
          name: 'Corner shop',
          callbackUrl: shop.url,
          callbackSecret,
          methods: families.flatMap(({ connector: { id, serves } }) =>
            serves.map(({ method: { key } }) => ({ key, mid: id })),
          ),
        },
      ],
    }),
    { clock },
  );
  const simulator = await createSimulator({
    port,
    clock,
    scenario: 'manual',
    connectors: accounts.map(({ connector, simulation, settings }) => ({
      connector,
      simulation,
      settings: connector.settings.parse(settings),
      notifyUrl: `${service.url}/notify/${connector.id}`,
    })),
  });
  return {
    ...service,
    shop,
    simulator,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
