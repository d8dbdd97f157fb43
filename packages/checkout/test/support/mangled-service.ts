import { kyTransport, type Transport } from '@railyard/runtime';
import { type Mangle, manglingProvider } from './mangling-provider.ts';
import { pixConfig } from './pix-config.ts';
import { pixProvider } from './pix-provider.ts';
import { receiver } from './receiver.ts';
import { createPage, pressPay, sessionBody, startOn } from './service.ts';

/** The running service with an account for each way in which replies of a Pix provider are mangled; one merchant has all of them. */
export async function mangledService<N extends string>(
  ways: Readonly<Record<N, Mangle>>,
  through: (http: Transport) => Transport = (http) => http,
) {
  const [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  const mangling = await manglingProvider(provider, ways);
  const http = kyTransport();
  const time = { passed: 0 };
  const names = Object.keys(ways).filter((name): name is N => name in ways);
  const idOf = (name: N) => `way-${names.indexOf(name)}`;
  const service = await startOn(
    (port) => {
      const config = pixConfig(provider, shop.url, port);
      const [mid] = config.mids;
      const [merchant] = config.merchants;
      if (mid === undefined || merchant === undefined) throw new Error('The deployment is empty.');
      const mids = names.map((name) => ({
        ...mid,
        id: idOf(name),
        settings: { ...mid.settings, base_url: mangling.urlOf(name) },
      }));
      const methods = mids.map(({ id }) => ({ key: `pix-${id}`, method: 'pix', title: `Pix ${id}`, mid: id }));
      return { ...config, mids, merchants: [{ ...merchant, methods }] };
    },
    {
      clock: () => Date.now() + time.passed,
      monotonic: () => performance.now() + time.passed,
      transport: through(http),
    },
  );
  return {
    ...service,
    provider,
    shop,
    mangling,
    time,
    names,
    notifyUrlOf: (name: N) => `${service.url}/notify/${idOf(name)}`,
    told: (number: string, status: string) =>
      shop.until(({ fields }) => fields.order_number === number && fields.status === status),
    /** Begins a payment at the account of one way. */
    async pay(name: N) {
      const body = sessionBody({ methods: [`pix-${idOf(name)}`] });
      const page = await createPage(service.url, body);
      const pressed = await pressPay(page, { method: `pix-${idOf(name)}` });
      return { page, number: body.order.number, status: pressed.status, charge: provider.ledger.at(-1) };
    },
    async stop() {
      await service.stop();
      await Promise.all([mangling.close(), provider.close(), shop.close(), http.close()]);
    },
  };
}
