import { openedWhenUsed } from './opened-when-used.ts';
import type { ClosableTransport } from './transport.ts';

/**
 * Requests by ky over undici (ky-client.ts). The first request loads them: together they take longer than core with a connector, and a
 * service starts without them.
 */
export function kyTransport(): ClosableTransport {
  const client = openedWhenUsed(async () => (await import('./ky-client.ts')).kyClient());
  return {
    send: async (request) => (await client.get()).send(request),
    close: client.close,
  };
}
