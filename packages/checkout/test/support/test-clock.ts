import { signRequest } from '@railyard/core/protocol';
import { post, trial } from './service.ts';

/** Moves the test clock of a merchant, as their server does. */
export const moveClock = (
  serviceUrl: string,
  advance: string,
  { key, password }: { readonly key: string; readonly password: string } = trial,
) =>
  post(`${serviceUrl}/api/v1/test/clock`, {
    merchant_key: key,
    advance,
    hash: signRequest('test_clock', { advance }, password),
  });
