/** An error of a connector's own code. Everything else that is thrown during a drive is the host's: its journal, its memory. */
export class ConnectorFault extends Error {
  readonly fault: Error;

  constructor(thrown: unknown) {
    super('A connector threw.', { cause: thrown });
    this.fault = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** Runs code of a connector, so that its errors are distinguished from the host's. */
export function inConnector<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ConnectorFault(error);
  }
}
