import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Base64 in its one right spelling: a lenient reader would take several texts for the same bytes. */
export const base64 = () =>
  z
    .string()
    .min(1)
    .refine((text) => Buffer.from(text, 'base64').toString('base64') === text)
    .transform((text) => Buffer.from(text, 'base64'));

/** A hash of SHA-256 in hexadecimal digits of either case, as the bytes that it is. */
export const hash = () =>
  z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .transform((text) => Buffer.from(text, 'hex'));

export const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
