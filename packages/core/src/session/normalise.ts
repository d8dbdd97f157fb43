import { countriesWithStates, countryCodes } from '../country-codes.ts';
import { protocolState } from '../iso-states.ts';
import { isPlainObject } from './fields.ts';
import { dropIdle } from './idle-fields.ts';

/**
 * Takes away what counts as not sent, and writes a state as the protocol does, before anything is checked:
 * - an empty field of the payer, of who is paid or of an address, which real clients send for "unknown";
 * - an empty `methods`, which leaves the choice to the channel (reference: methods);
 * - the state of a country that has none in an address (protocol: billing_address.state);
 * - `false` and `null` in an optional feature such as `form_id` or a schedule: they ask for nothing.
 */
export function normalise(body: Record<string, unknown>): Record<string, unknown> {
  const cleaned = { ...body };
  if (Array.isArray(body.methods) && body.methods.length === 0) delete cleaned.methods;
  for (const name of ['customer', 'billing_address', 'payee', 'payee_billing_address']) {
    const block = body[name];
    if (isPlainObject(block) && Object.values(block).includes('')) cleaned[name] = withoutEmpty(block);
  }
  for (const name of ['billing_address', 'payee_billing_address']) {
    const address = cleaned[name];
    if (!isPlainObject(address) || address.state === undefined) continue;
    const { country, state } = address;
    if (ignoresState(country)) cleaned[name] = without(address, 'state');
    else if (typeof country === 'string' && typeof state === 'string')
      cleaned[name] = { ...address, state: protocolState(country, state) };
  }
  dropIdle(cleaned);
  return cleaned;
}

function ignoresState(country: unknown): boolean {
  return typeof country === 'string' && countryCodes.has(country) && !countriesWithStates.has(country);
}

function withoutEmpty(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== ''));
}

function without(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _ignored, ...rest } = value;
  return rest;
}
