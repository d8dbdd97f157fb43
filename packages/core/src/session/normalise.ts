import { countriesWithStates, countryCodes } from '../country-codes.ts';
import { isPlainObject } from './fields.ts';
import { dropIdle } from './not-built.ts';

/**
 * Takes away what counts as not sent, before anything is checked:
 * - `birth_date: ""`, which real clients send for "unknown";
 * - an empty `methods`, which leaves the choice to the channel (reference: methods);
 * - the state of a country that has none in an address (protocol: billing_address.state);
 * - `false` and `null` in a field that is not built or names a schedule: they ask for nothing.
 */
export function normalise(body: Record<string, unknown>): Record<string, unknown> {
  const cleaned = { ...body };
  if (Array.isArray(body.methods) && body.methods.length === 0) delete cleaned.methods;
  if (isPlainObject(body.customer) && body.customer.birth_date === '')
    cleaned.customer = without(body.customer, 'birth_date');
  for (const name of ['billing_address', 'payee_billing_address']) {
    const address = body[name];
    if (isPlainObject(address) && address.state !== undefined && ignoresState(address.country))
      cleaned[name] = without(address, 'state');
  }
  dropIdle(cleaned);
  return cleaned;
}

function ignoresState(country: unknown): boolean {
  return typeof country === 'string' && countryCodes.has(country) && !countriesWithStates.has(country);
}

function without(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _ignored, ...rest } = value;
  return rest;
}
