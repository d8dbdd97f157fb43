import { gsmaConnector } from '@railyard/connector-mobile-money';
import { gsmaSimulation } from '@railyard/connector-mobile-money/simulation';
import { createSimulator } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { gsmaConfig, gsmaSettings } from './gsma-config.ts';
import { receiver } from './receiver.ts';
import { startOn, type StartOptions } from './service.ts';

/** A simulated provider of the API, where payers pay when a test says so. */
export function gsma(options: Omit<Parameters<typeof createSimulator>[0], 'connectors'> = {}) {
  const settings = gsmaConnector.settings.parse(gsmaSettings('http://127.0.0.1:1'));
  const connectors = [{ connector: gsmaConnector, simulation: gsmaSimulation, settings }];
  return createSimulator({ connectors, scenario: 'manual', ...options });
}

/** The running service with the adapter of the GSMA Mobile Money API, and its provider, where payers pay when a test says so. */
export async function gsmaService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${gsmaConnector.id}`;
  const service = await startOn((own) => gsmaConfig(url, shop.url, own), options);
  const simulator = await gsma({ port, ...(options.clock && { clock: options.clock }) });
  return {
    ...service,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
