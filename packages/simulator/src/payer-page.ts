import { textAt } from './places.ts';
import type { HeldPayment } from './records.ts';
import type { SimulatorControl } from './simulator-control.ts';

/**
 * The address that the creating request or the page's own address carried, if it is one that a browser may be sent to, with what the payer
 * brings back.
 */
export function returnAddress(
  simulator: SimulatorControl,
  { id, connector, request }: HeldPayment,
): string | undefined {
  const page = simulator.mounts.get(connector)?.simulation.page;
  const query = simulator.arrivedWith(id);
  const text = textAt({ body: request, headers: {}, params: {}, query }, page?.returnUrl);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return undefined;
  const values = simulator.broughtBack(id);
  if (page?.inFragment?.(query) === true) address.hash = new URLSearchParams(values).toString();
  else for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value);
  return address.href;
}

/** The shop's description of the purchase: the first text in the creating request that is called a description. */
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
