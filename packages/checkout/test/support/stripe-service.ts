import { stripeConnector } from '@railyard/connector-card';
import { stripeSimulation } from '@railyard/connector-card/simulation';
import { createSimulator } from '@railyard/simulator';
import { CARD } from './card-service.ts';
import { freePort } from './listen.ts';
import { receiver } from './receiver.ts';
import { startOn } from './service.ts';
import { stripeConfig, stripeSettings } from './stripe-config.ts';

/** Stripe as the simulator plays it; its webhook goes to the service at this address. */
export function simulatedStripe(serviceUrl: string, options: { readonly port?: number } = {}) {
  const settings = stripeConnector.settings.parse(stripeSettings('http://127.0.0.1:1'));
  const notifyUrl = `${serviceUrl}/notify/stripe`;
  const connectors = [{ connector: stripeConnector, simulation: stripeSimulation, settings, notifyUrl }];
  return createSimulator({ connectors, scenario: 'settled', ...options });
}

/** The running service with an account at Stripe, which the simulator plays; its webhook goes to the address that was entered there. */
export async function stripeService() {
  const shop = await receiver();
  const port = await freePort();
  const service = await startOn((own) => stripeConfig(`http://127.0.0.1:${port}/${stripeConnector.id}`, shop.url, own));
  const notifyUrl = `${service.url}/notify/stripe`;
  const simulator = await simulatedStripe(service.url, { port });
  return {
    ...service,
    notifyUrl,
    simulator,
    shop,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}

/** The card of docs.stripe.com/testing that goes by way of its bank. */
export const REDIRECTED = { ...CARD, 'card.number': '4000 0027 6000 3184' };
