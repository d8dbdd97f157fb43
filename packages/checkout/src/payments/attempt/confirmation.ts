import type { NextAction } from '@railyard/runtime';
import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { AttemptDeps } from './deps.ts';

/** The step at which a run waits for its merchant's word before anything else. No flow has a step of this name, which holds a colon. */
export const CONFIRMATION = 'merchant:confirmation';

/** Nothing is asked of the payer, and no money moves before the merchant's word: with its session it ends. */
const ASKS: NextAction = { kind: 'collect', step: CONFIRMATION, fields: [], resend: false, mayTurnBack: true };

/** Where a run waits that its merchant confirms later. */
export const awaitsConfirmation = ({ sealer }: Pick<AttemptDeps, 'sealer'>, runId: string) => ({
  step: CONFIRMATION,
  asks: sealJson(sealer, ASKS, sealedAt.runAsks(runId)),
});
