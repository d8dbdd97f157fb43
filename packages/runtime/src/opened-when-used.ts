interface Closable {
  close(): Promise<unknown>;
}

export interface OpenedWhenUsed<C extends Closable> {
  /** Opens it where it is not open yet. Where that fails, the next use tries again. */
  readonly get: () => Promise<C>;
  /** Closes it, also where it is still being opened. What is got later is closed already. */
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
  const openOrForget = async () => {
    try {
      return await openNow();
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  return {
    get: () => (opened ??= openOrForget()),
    async close() {
      isClosed = true;
      // Its user is given the error where it cannot be opened.
      await (ready === undefined ? opened?.catch(() => undefined) : ready.close());
    },
  };
}
