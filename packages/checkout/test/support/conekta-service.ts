import { conektaConnector } from '@railyard/connector-voucher';
import { conektaSimulation } from '@railyard/connector-voucher/simulation';
import { createSimulator, type SimulatorOptions } from '@railyard/simulator';
import { conektaConfig, conektaSettings } from './conekta-config.ts';
import { freePort } from './listen.ts';
import { receiver } from './receiver.ts';
import { sessionBody, startOn, type StartOptions } from './service.ts';

/** Conekta, played by the simulator: it notifies at the address that stands in its panel. */
export function conekta(serviceUrl: string, options: Omit<SimulatorOptions, 'connectors'>) {
  const settings = conektaConnector.settings.parse(conektaSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/mexico`;
  return createSimulator({
    connectors: [{ connector: conektaConnector, simulation: conektaSimulation, settings, notifyUrl }],
    ...options,
  });
}

/** A session in pesos, unless the order says otherwise, whose payer need not be asked for anything. */
export const inPesos = (method: string, change: object = {}, order: Readonly<Record<string, string>> = {}) =>
  sessionBody(
    {
      methods: [method],
      customer: { name: 'Ana Torres', email: 'ana@example.com' },
      billing_address: { country: 'MX', phone: '+525522997233' },
      ...change,
    },
    { currency: 'MXN', ...order },
  );

/** The running service with the adapter of Conekta, and Conekta, where payers pay when a test says so. */
export async function conektaService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${conektaConnector.id}`;
  const service = await startOn((own) => conektaConfig(url, shop.url, own), options);
  const simulator = await conekta(service.url, {
    port,
    scenario: 'manual',
    ...(options.clock && { clock: options.clock }),
  });
  return {
    ...service,
    notifyUrl: `${service.url}/notify/mexico`,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
