import { bcbConnector } from '@railyard/connector-pix';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { createSimulator } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { startOn, type StartOptions } from './service.ts';

/** The running service with the adapter of the API Pix, and a bank that the simulator plays: it notifies at the registered address and `/pix`. */
export async function pixBcbService(options: StartOptions = {}) {
  const shop = await receiver();
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}/${bcbConnector.id}`;
  const settings = {
    base_url,
    oauth_url: base_url,
    client_id: 'the-client',
    client_secret: 'the-client-secret',
    chave: 'loja@example.com',
    expiracao: 600,
  };
  const service = await startOn(
    (own) => ({
      publicUrl: `http://127.0.0.1:${own}`,
      port: own,
      dataDir: 'memory',
      callbackNetwork: 'any',
      connectors: [bcbConnector],
      mids: [{ id: 'bcb', connector: bcbConnector.id, settings }],
      merchants: [
        {
          ...merchant,
          name: 'Loja Exemplo',
          callbackUrl: shop.url,
          callbackSecret,
          methods: [{ key: 'pix-charge', mid: 'bcb' }],
        },
      ],
    }),
    options,
  );
  const notifyUrl = `${service.url}/notify/bcb/pix`;
  const simulator = await createSimulator({
    connectors: [
      {
        connector: bcbConnector,
        simulation: bcbSimulation,
        settings: bcbConnector.settings.parse(settings),
        notifyUrl,
      },
    ],
    port,
    scenario: 'manual',
    ...(options.clock && { clock: options.clock }),
  });
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
