import { paystackConnector } from '@railyard/connector-mobile-money';
import { paystackSimulation } from '@railyard/connector-mobile-money/simulation';
import { createSimulator, type SimulatorOptions } from '@railyard/simulator';
import { signedPayout } from './commands.ts';
import { freePort } from './listen.ts';
import { paystackConfig, paystackSettings } from './paystack-config.ts';
import { receiver } from './receiver.ts';
import { merchant, sessionBody, startOn, type StartOptions } from './service.ts';

export const METHOD = 'mobile-money-paystack';

/** Paystack, played by the simulator: it notifies at the address that stands in its dashboard. */
export function paystack(serviceUrl: string, options: Omit<SimulatorOptions, 'connectors'>) {
  const settings = paystackConnector.settings.parse(paystackSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/ghana`;
  return createSimulator({
    connectors: [{ connector: paystackConnector, simulation: paystackSimulation, settings, notifyUrl }],
    scenario: 'manual',
    ...options,
  });
}

/** A session in cedis whose payer need not be asked for anything but a code. */
export const inCedis = (network: 'mtn' | 'atl' | 'vod') =>
  sessionBody(
    {
      methods: [METHOD],
      customer: { name: 'Ama Mensah', email: 'ama@example.com' },
      parameters: { [METHOD]: { mobile_number: '233551234987', network } },
    },
    { currency: 'GHS' },
  );

/** A payout to a wallet of MTN, as a command. */
export const wages = (order_id: string) =>
  signedPayout(
    {
      action: 'CREDIT2VIRTUAL',
      client_key: merchant.key,
      brand: METHOD,
      order_id,
      order_amount: '10.00',
      order_currency: 'GHS',
      'parameters[mobile_number]': '233551234987',
      'parameters[network]': 'mtn',
      payee_first_name: 'Kofi',
      payee_last_name: 'Owusu',
      payee_email: 'kofi@example.com',
    },
    merchant.password,
  );

/** The running service with the adapter of Paystack, and Paystack, where payers pay when a test says so. */
export async function paystackService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${paystackConnector.id}`;
  const service = await startOn((own) => paystackConfig(url, shop.url, own), options);
  const simulator = await paystack(service.url, { port, ...(options.clock && { clock: options.clock }) });
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
