import type * as z from 'zod';
import { readPath } from '../plain-data.ts';
import type { Tls } from './wire.ts';

const textIn = (settings: unknown, name: string): string | undefined => {
  const value = readPath(settings, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * The address that the setting `base_url` holds.
 *
 * @throws Error where the settings have no such field
 */
export function baseUrlIn(id: string, settings: z.ZodObject): (settings: unknown) => string {
  if (!Object.hasOwn(settings.shape, 'base_url'))
    throw new Error(`Connector ${id} has no setting "base_url". Give it one, or declare baseUrl.`);
  return (values) => textIn(values, 'base_url') ?? '';
}

/** The certificate, its key and the bank's authority that the settings `certificate`, `certificate_key` and `ca` hold. */
export function tlsIn(settings: z.ZodObject): ((settings: unknown) => Tls) | undefined {
  if (!Object.hasOwn(settings.shape, 'certificate')) return undefined;
  return (values) => {
    const [cert, key, ca] = ['certificate', 'certificate_key', 'ca'].map((name) => textIn(values, name));
    return { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) };
  };
}
