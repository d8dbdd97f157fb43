import type { Money } from '@railyard/core';
import type { Payment } from '../../storage/index.ts';

/** Whether a refund lets go of the hold: nothing was taken yet (reference: S2S CARD, CREDITVOID, AUTH to REVERSAL). */
export const isHeld = ({ state, received }: Payment): boolean => received === null && state === 'authorized';

/** Why a hold is not released by this amount: it is released whole (reference: Errors of S2S CARD, 208008 and 208009). */
export function releaseProblem({ authorizedMinor }: Payment, amount: Money): 'part' | 'too-much' | undefined {
  if (amount.minor < authorizedMinor) return 'part';
  return amount.minor > authorizedMinor ? 'too-much' : undefined;
}
