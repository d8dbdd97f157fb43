import type { OperationDeps } from './deps.ts';

/**
 * Executes what is stored. It takes place whatever goes wrong here: its run is taken over. After an error the merchant would ask again, and
 * money move twice.
 */
export async function executeStored(
  context: OperationDeps,
  paymentId: string,
  execute: () => Promise<unknown>,
): Promise<void> {
  try {
    await execute();
  } catch (error) {
    logUnclear(context, paymentId, error);
  }
}

export function logUnclear({ log }: OperationDeps, payment: string, error: unknown): void {
  log.error({ event: 'charge-unclear', payment, error: error instanceof Error ? error.message : 'unknown' });
}
