import { obUkConnector } from '@railyard/connector-open-banking';
import { obUkSimulation } from '@railyard/connector-open-banking/simulation';
import { createSimulator } from '@railyard/simulator';
import { freePort } from './listen.ts';
import { obUkConfig, obUkSettings } from './ob-uk-config.ts';
import { receiver } from './receiver.ts';
import { sessionBody, startOn, type StartOptions } from './service.ts';

/** A bank of Open Banking UK, played by the simulator. */
export function simulatedBank(options: { readonly port?: number; readonly clock?: () => number } = {}) {
  const settings = obUkConnector.settings.parse(obUkSettings('http://127.0.0.1:1'));
  return createSimulator({
    connectors: [{ connector: obUkConnector, simulation: obUkSimulation, settings }],
    ...options,
  });
}

/** A session in pounds to an account with a sort code. */
export const inPounds = () =>
  sessionBody(
    {
      methods: ['open-banking'],
      parameters: {
        'open-banking': {
          payee_name: 'Ann Lee',
          payee_country: 'GB',
          payee_identifications: [
            { type: 'SORT_CODE', identification: '04-00-04' },
            { type: 'ACCOUNT_NUMBER', identification: '12345678' },
          ],
        },
      },
    },
    { currency: 'GBP' },
  );

/**
 * Agrees or refuses at the bank, to which a page of the service leads.
 *
 * @param bank where the bank's page is, whatever the address that stands on the page
 * @returns the way back
 */
export async function atBank(page: string, bank: string, press: '/pay' | '/decline' = '/pay'): Promise<string> {
  const left = await (await fetch(page)).text();
  const way = new URL(/data-leave="([^"]+)"/.exec(left)?.[1]?.replaceAll('&amp;', '&') ?? '');
  const shown = await (await fetch(`${bank}/${way.search}`)).text();
  const id = /name="id" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const pressed = await (await fetch(bank + press, { method: 'POST', body })).text();
  return /<a href="([^"]+)"/.exec(pressed)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** The running service with an account at the bank, and the bank, where payers agree when a test says so. */
export async function obUkService(options: StartOptions = {}, settings: object = {}) {
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${obUkConnector.id}`;
  const service = await startOn((own) => obUkConfig(url, shop.url, own, settings), options);
  const simulator = await simulatedBank({ port, ...(options.clock && { clock: options.clock }) });
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
