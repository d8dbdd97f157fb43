interface Closable {
  close(): Promise<unknown>;
}

export interface OpenedWhenUsed<C extends Closable> {
  /** Opens it where it is not open yet. */
  readonly get: () => Promise<C>;
  /** Closes it. What is got later is closed already. */
  close(): Promise<void>;
}

/**
 * Opens something by its first use: an HTTP client, for example, whose code takes longer to load than the rest of a service.
 *
 * @example const client = openedWhenUsed(async () => (await import('./ky-client.ts')).kyClient());
 */
export function openedWhenUsed<C extends Closable>(open: () => Promise<C>): OpenedWhenUsed<C> {
  let opened: Promise<C> | undefined;
  let ready: C | undefined;
  let isClosed = false;
  const openNow = async () => {
    ready = await open();
    if (isClosed) await ready.close();
    return ready;
  };
  return {
    get: () => (opened ??= openNow()),
    async close() {
      isClosed = true;
      // One that is being opened is closed when it is open.
      await (ready === undefined ? opened : ready.close());
    },
  };
}
