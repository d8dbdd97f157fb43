import { btcpayConnector } from '@railyard/connector-crypto';
import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator, type SimulatorOptions } from '@railyard/simulator';
import { btcpayConfig, btcpaySettings } from './btcpay-config.ts';
import { signedPayout } from './commands.ts';
import { freePort } from './listen.ts';
import { receiver } from './receiver.ts';
import { merchant, sessionBody, startOn, type StartOptions } from './service.ts';

export const METHOD = 'bitcoin-btcpay';

/** A BTCPay Server, played by the simulator: it notifies at the address that stands in its store. */
export function btcpay(
  serviceUrl: string,
  options: Omit<SimulatorOptions, 'connectors'>,
  simulation: Simulation = btcpaySimulation,
) {
  const settings = btcpayConnector.settings.parse(btcpaySettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/store`;
  return createSimulator({
    connectors: [{ connector: btcpayConnector, simulation, settings, notifyUrl }],
    scenario: 'manual',
    ...options,
  });
}

export const inEuro = () => sessionBody({ methods: [METHOD] }, { currency: 'EUR' });

/** A payout of bitcoin, as a command. */
export const bitcoinOut = (order_id: string) =>
  signedPayout(
    {
      action: 'CREDIT2VIRTUAL',
      client_key: merchant.key,
      brand: METHOD,
      order_id,
      order_amount: '0.25000000',
      order_currency: 'BTC',
      'parameters[address]': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      payee_first_name: 'Ada',
      payee_last_name: 'Lovelace',
      payee_email: 'ada@example.com',
    },
    merchant.password,
  );

/** The running service with the adapter of BTCPay Server, and a server, where payers pay when a test says so. */
export async function btcpayService(options: StartOptions = {}, simulation?: Simulation) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${btcpayConnector.id}`;
  const service = await startOn((own) => btcpayConfig(url, shop.url, own), options);
  const simulator = await btcpay(service.url, { port, ...(options.clock && { clock: options.clock }) }, simulation);
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
