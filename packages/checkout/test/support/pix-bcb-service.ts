import { bcbConnector } from '@railyard/connector-pix';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { createSimulator, type SimulatorOptions } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { pixBcbConfig, pixBcbSettings } from './pix-bcb-config.ts';
import { receiver } from './receiver.ts';
import { startOn, type StartOptions } from './service.ts';

/** A bank with the API Pix, played by the simulator: it notifies at the registered address of a service and `/pix`. */
export function pixBank(serviceUrl: string, options: Omit<SimulatorOptions, 'connectors'>) {
  const settings = bcbConnector.settings.parse(pixBcbSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/bcb/pix`;
  return createSimulator({
    connectors: [{ connector: bcbConnector, simulation: bcbSimulation, settings, notifyUrl }],
    ...options,
  });
}

/** The running service with the adapter of the API Pix, and its bank, where payers pay when a test says so. */
export async function pixBcbService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${bcbConnector.id}`;
  const service = await startOn((own) => pixBcbConfig(url, shop.url, own), options);
  const simulator = await pixBank(service.url, {
    port,
    scenario: 'manual',
    ...(options.clock && { clock: options.clock }),
  });
  return {
    ...service,
    notifyUrl: `${service.url}/notify/bcb/pix`,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
