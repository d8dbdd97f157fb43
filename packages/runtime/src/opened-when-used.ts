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
  let isClosed = false;
  const openNow = async () => {
    const made = await open();
    if (isClosed) await made.close();
    return made;
  };
  return {
    get: () => (opened ??= openNow()),
    async close() {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
