import type { OperationDeps } from './deps.ts';

/**
 * Drives what is stored. It takes place whatever goes wrong here: its run is taken over. After an error the merchant would ask again, and
 * money move twice.
 */
export async function driveStored(
  context: OperationDeps,
  paymentId: string,
  drive: () => Promise<unknown>,
): Promise<void> {
  try {
    await drive();
  } catch (error) {
    tellUnclear(context, paymentId, error);
  }
}

export function tellUnclear({ log }: OperationDeps, payment: string, error: unknown): void {
  log.error({ event: 'charge-unclear', payment, error: error instanceof Error ? error.message : 'unknown' });
}
