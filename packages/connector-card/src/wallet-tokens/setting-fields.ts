import { X509Certificate } from 'node:crypto';
import { field, secret } from '@railyard/core';
import * as z from 'zod';
import { readPrivateKey } from './private-key.ts';

const isKey = (text: string): boolean => {
  try {
    readPrivateKey(text);
    return true;
  } catch {
    return false;
  }
};

const KEY_HINT = 'This is no private key: give PEM, or the one line between its markers.';

export const privateKey = (label: string) => secret(z.string().refine(isKey, KEY_HINT), label);

/** One text, or several while one replaces another. */
export const privateKeys = (label: string) =>
  secret(
    z.union([z.string().refine(isKey, KEY_HINT), z.array(z.string().refine(isKey, KEY_HINT)).min(1).max(3)]),
    label,
  );

export const certificate = (label: string) =>
  field(
    z.string().refine((text) => readCertificatePem(text) !== undefined, 'This is no certificate: give PEM.'),
    { label },
  );

export function readCertificatePem(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}
