import { type KeyObject, X509Certificate } from 'node:crypto';
import { field, secret } from '@railyard/core';
import * as z from 'zod';
import { readPrivateKey } from './private-key.ts';

const keyOf = (text: string): KeyObject | undefined => {
  try {
    return readPrivateKey(text);
  } catch {
    return undefined;
  }
};

const KEY_HINT = 'This is no private key: give PEM, or the one line between its markers.';

/** Which keys tokens of a wallet can be opened with, and what to say of others. */
interface Opens {
  readonly with: (key: KeyObject) => boolean;
  readonly hint: string;
}

const ANY: Opens = { with: () => true, hint: '' };

/** One check of both, so that of a text and of a list of texts the one that was given is complained about. */
const keyText = (opens: Opens) =>
  z.string().superRefine((text, context) => {
    const key = keyOf(text);
    if (key === undefined) context.addIssue({ code: 'custom', message: KEY_HINT });
    else if (!opens.with(key)) context.addIssue({ code: 'custom', message: opens.hint });
  });

export const privateKey = (label: string) => secret(keyText(ANY), label);

/** One text, or several while one replaces another. */
export const privateKeys = (label: string, opens: Opens) =>
  secret(z.union([keyText(opens), z.array(keyText(opens)).min(1).max(3)]), label);

/** Certificates are shown and logged, so a file that holds their key as well is none. */
export const certificateText = () =>
  z
    .string()
    .refine((text) => readCertificatePem(text) !== undefined, {
      error: 'This is no certificate: give PEM.',
      abort: true,
    })
    .refine((text) => !text.includes('PRIVATE KEY'), 'There is a private key in it: give the certificate alone.');

export const certificate = (label: string) => field(certificateText(), { label });

export function readCertificatePem(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}
