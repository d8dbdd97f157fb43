import { openedWhenUsed } from './opened-when-used.ts';
import type { ClosableTransport } from './transport.ts';

export interface KyTransport extends ClosableTransport {
  /** Loads what the first request would load. */
  load(): Promise<void>;
}

/**
 * Requests by ky over undici (ky-client.ts). The first request loads them: together they take longer than core with a connector, and a
 * service starts without them.
 */
export function kyTransport(): KyTransport {
  const client = openedWhenUsed(async () => (await import('./ky-client.ts')).kyClient());
  return {
    async send(request) {
      const ready = await client.get().catch(() => undefined);
      return ready === undefined
        ? { kind: 'not-sent', why: 'The HTTP client could not be loaded.' }
        : ready.send(request);
    },
    load: async () => void (await client.get()),
    close: client.close,
  };
}
