import { paypalConnector } from '@railyard/connector-wallet';
import { paypalSimulation } from '@railyard/connector-wallet/simulation';
import { readPath } from '@railyard/core';
import { createSimulator, type Simulator, type SimulatorOptions } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { paypalConfig, paypalSettings } from './paypal-config.ts';
import { receiver } from './receiver.ts';
import { createPage, pressPay, sessionBody, startOn, type StartOptions } from './service.ts';

/** PayPal, played by the simulator: its webhook goes to the address that was entered at the app. */
export function simulatedPaypal(serviceUrl: string, options: Omit<SimulatorOptions, 'connectors'> = {}) {
  const settings = paypalConnector.settings.parse(paypalSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/paypal`;
  const connectors = [{ connector: paypalConnector, simulation: paypalSimulation, settings, notifyUrl }];
  return createSimulator({ connectors, scenario: 'settled', ...options });
}

/** A payer whom the page has sent to PayPal. @returns the order there, and where the payer comes back to */
export async function sentToPaypal(serviceUrl: string, simulator: Simulator, change: object = {}) {
  const body = sessionBody({ methods: ['redirect'], ...change }, { currency: 'USD' });
  const page = await createPage(serviceUrl, body);
  const { status, headers } = await pressPay(page, { method: 'redirect' });
  const order = simulator.payments().at(-1);
  if (status !== 303 || order === undefined) throw new Error(`${status}: PayPal has no order.`);
  const back = String(readPath(order.request, 'payment_source.paypal.experience_context.return_url'));
  return { number: body.order.number, page: new URL(headers.get('location') ?? '', page).href, order, back };
}

/** The running service with an account at PayPal, whose payers approve when a test says so. */
export async function paypalService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${paypalConnector.id}`;
  const service = await startOn((own) => paypalConfig(url, shop.url, own), options);
  const simulator = await simulatedPaypal(service.url, { port, ...(options.clock && { clock: options.clock }) });
  return {
    ...service,
    notifyUrl: `${service.url}/notify/paypal`,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
