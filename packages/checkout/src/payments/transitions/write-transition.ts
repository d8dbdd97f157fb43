import type { TransitionDeps } from './deps.ts';
import type { Transition, TransitionResult } from '../../storage/index.ts';

/** Two payments under one reference could take each other's money, so the database refuses the second. */
export async function writeTransition(
  context: TransitionDeps,
  transition: Transition,
): Promise<TransitionResult | 'foreign-reference'> {
  try {
    return await context.stores.payments.applyTransition(transition);
  } catch (error) {
    if (isForeignReference(error)) return 'foreign-reference';
    throw error;
  }
}

function isForeignReference(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === 'payment_references_pkey';
}
