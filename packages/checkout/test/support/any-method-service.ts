import type { GivenCatalogue } from '../../src/index.ts';
import { anyMethodConfig } from './any-method-config.ts';
import { anyMethodProvider } from './any-method-connector.ts';
import { receiver } from './receiver.ts';
import { startOn, type StartOptions } from './service.ts';

type Offers = GivenCatalogue['merchants'][number]['methods'];

/** The running service with methods that take anything, their provider, and the merchant who is called back. */
export async function anyMethodService(
  offers?: Offers,
  { password, ...options }: StartOptions & { readonly password?: string } = {},
) {
  const provider = await anyMethodProvider();
  const shop = await receiver();
  const given = { providerUrl: provider.url, callbackUrl: shop.url, ...(password !== undefined && { password }) };
  const service = await startOn((port) => anyMethodConfig({ ...given, port }, offers), options);
  return {
    ...service,
    provider,
    shop,
    async stop() {
      await service.stop();
      await shop.close();
      await provider.close();
    },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

/** Sends bytes as they are. */
export async function postRaw(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<RawAnswer> {
  const reply = await fetch(url, { method: 'POST', headers, body });
  const text = await reply.text();
  return { status: reply.status, text, json: JSON.parse(text) };
}

/** The lines of a validation answer. */
export function errorLines(json: unknown): string[] {
  const errors: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'errors') : undefined;
  return Array.isArray(errors) ? errors.map((each) => String(Reflect.get(Object(each), 'error_message'))) : [];
}
