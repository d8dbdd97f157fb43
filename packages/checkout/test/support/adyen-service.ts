import { adyenConnector } from '@railyard/connector-card';
import { adyenSimulation } from '@railyard/connector-card/simulation';
import { createSimulator, type SimulatorOptions } from '@railyard/simulator';
import { adyenConfig, adyenSettings } from './adyen-config.ts';
import { CARD } from './card-service.ts';
import { freePort } from './listen.ts';
import { receiver } from './receiver.ts';
import { startOn, type StartOptions } from './service.ts';

/** Adyen, played by the simulator: its webhook goes to the registered address of a service. */
export function simulatedAdyen(serviceUrl: string, options: Omit<SimulatorOptions, 'connectors'> = {}) {
  const settings = adyenConnector.settings.parse(adyenSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/adyen`;
  return createSimulator({
    connectors: [{ connector: adyenConnector, simulation: adyenSimulation, settings, notifyUrl }],
    scenario: 'settled',
    ...options,
  });
}

/** The running service with an account at Adyen. */
export async function adyenService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${adyenConnector.id}`;
  const service = await startOn((own) => adyenConfig(url, shop.url, own), options);
  const simulator = await simulatedAdyen(service.url, { port, ...(options.clock && { clock: options.clock }) });
  return {
    ...service,
    notifyUrl: `${service.url}/notify/adyen`,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}

/** The card of the description's example of 3-D Secure by redirect. */
export const REDIRECTED = { ...CARD, 'card.number': '4212 3456 7890 1237', 'card.expiry': '03 / 30' };

/** Confirms at the payer's bank, to which a page of the service leads. @returns the way back */
export async function confirmedAt(page: string): Promise<string> {
  const left = await (await fetch(page)).text();
  const bank = /data-leave="([^"]+)"/.exec(left)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const id = /name="id" value="([^"]+)"/.exec(await (await fetch(bank)).text())?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const confirmed = await (await fetch(new URL('/pay', bank), { method: 'POST', body })).text();
  return /<a href="([^"]+)"/.exec(confirmed)?.[1]?.replaceAll('&amp;', '&') ?? '';
}
