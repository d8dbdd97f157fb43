import type { WalletRead } from '@railyard/core';
import { refuse, orRefuse, WalletTokenRefused } from './refusals.ts';

/** The result of an opener, or its refusal, as a value. */
export function reading<T>(read: () => T): WalletRead<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (error instanceof WalletTokenRefused) return { ok: false, reason: error.reason, says: error.message };
    throw error;
  }
}

/** A token as a page or a merchant's server sends it: its JSON as text, or parsed already. */
export function parsedToken(token: unknown): unknown {
  if (typeof token !== 'string') return token ?? refuse('malformed');
  return orRefuse('malformed', (): unknown => JSON.parse(token));
}
