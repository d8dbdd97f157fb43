import type { Connector } from '@railyard/core';
import { english } from '@railyard/core/registry';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator } from '@railyard/simulator';
import type { CheckoutConfig } from '../../src/index.ts';
import { freePort } from './listen.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { startOn } from './service.ts';

/** An adapter with the account that a merchant has there. */
export interface Family {
  readonly connector: Connector;
  readonly simulation: Simulation;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Keys that the merchant offers; all of the adapter’s unless given. */
  readonly methods?: readonly string[];
  /** Parameters that the account supplies, by method. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The provider’s private key in PEM, where its notifications are signed by one. */
  readonly privateKey?: string;
}

interface Ports {
  readonly callbackUrl: string;
  readonly port: number;
  /** Of the simulator that plays the providers. */
  readonly providerPort: number;
}

const settingsOf = ({ connector: { id }, settings }: Family, port: number) => ({
  ...settings,
  base_url: `http://127.0.0.1:${port}/${id}`,
});

/** The key of a method whose name another of these has, too: payers would read it twice. */
function titleOf(families: readonly Family[], key: string): { readonly title?: string } {
  const methods = families.flatMap(({ connector }) => connector.serves.map((served) => served.method));
  const name = methods.find((each) => each.key === key)?.title ?? '';
  return methods.filter(({ title }) => english(title) === english(name)).length > 1 ? { title: key } : {};
}

/** A deployment with an account at each of these adapters, whose methods the merchant offers. */
export function familyConfig(families: readonly Family[], { callbackUrl, port, providerPort }: Ports): CheckoutConfig {
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: families.map(({ connector }) => connector),
    mids: families.map((family) => ({
      id: family.connector.id,
      connector: family.connector.id,
      settings: settingsOf(family, providerPort),
      ...(family.defaults && { defaults: family.defaults }),
    })),
    merchants: [
      {
        ...merchant,
        name: 'Corner shop',
        callbackUrl,
        callbackSecret,
        methods: families.flatMap(({ connector: { id, serves }, methods = serves.map(({ method: { key } }) => key) }) =>
          methods.map((key) => ({ key, mid: id, ...titleOf(families, key) })),
        ),
      },
    ],
  };
}

/** The providers of these adapters, where payers pay when a test says so. */
export const familyProviders = (families: readonly Family[], serviceUrl: string, port: number, clock = Date.now) =>
  createSimulator({
    port,
    clock,
    scenario: 'manual',
    connectors: families.map((family) => ({
      connector: family.connector,
      simulation: family.simulation,
      ...(family.privateKey !== undefined && { privateKey: family.privateKey }),
      settings: family.connector.settings.parse(settingsOf(family, port)),
      notifyUrl: `${serviceUrl}/notify/${family.connector.id}`,
    })),
  });

/** The running service with an account at each of these adapters, their providers, and the merchant who is called back. */
export async function familyService(families: readonly Family[], clock: () => number = Date.now) {
  const shop = await receiver();
  const providerPort = await freePort();
  const service = await startOn((port) => familyConfig(families, { callbackUrl: shop.url, port, providerPort }), {
    clock,
  });
  const simulator = await familyProviders(families, service.url, providerPort, clock);
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
