import type { Simulation } from '@railyard/core';
import type { Mount } from './mount.ts';
import { textAt } from './places.ts';
import type { HeldPayment } from './records.ts';

/** What a provider with a page of its own also knows of a payment. */
export interface PayerPage {
  /** Where the creating request carries the address that the payer goes back to, for example `body.return_url`. */
  readonly returnUrl: string;
}

/** A simulation, and where the provider shows pages, where these lead back to. */
export type PlayedSimulation = Simulation & { readonly page?: PayerPage };

/** The address that the creating request carried, if it is one that a browser may be sent to. */
export function returnAddress(mount: Mount | undefined, { request }: HeldPayment): string | undefined {
  const text = textAt({ body: request, headers: {}, params: {}, query: {} }, mount?.simulation.page?.returnUrl);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** What the shop said that is paid for: the first text in the creating request that is called a description. */
export function descriptionOf(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const own: unknown = Reflect.get(request, 'description');
  if (typeof own === 'string' && own !== '') return own;
  for (const each of Object.values(request)) {
    const found = descriptionOf(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
