import type { OperationDeps } from './deps.ts';

/**
 * Executes what is stored. It takes place whatever goes wrong here: its run is taken over. After an error the merchant would ask again, and
 * money move twice.
 *
 * @returns undefined after an error
 */
export async function executeStored<T>(
  context: OperationDeps,
  paymentId: string,
  execute: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await execute();
  } catch (error) {
    logUnclear(context, paymentId, error);
    return undefined;
  }
}

export function logUnclear({ log }: OperationDeps, payment: string, error: unknown): void {
  log.error({ event: 'charge-unclear', payment, error: error instanceof Error ? error.message : 'unknown' });
}
