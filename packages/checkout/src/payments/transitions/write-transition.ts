import type { TransitionDeps } from './deps.ts';
import type { Transition, TransitionResult } from '../../storage/index.ts';

/** Writes a transition. @param withoutReference the transition in its place where its reference belongs to another payment */
export async function writeTransition(
  context: TransitionDeps,
  transition: Transition,
  withoutReference?: () => Transition,
): Promise<TransitionResult> {
  const written = await write(context, transition);
  return written.result === 'foreign-reference' && withoutReference !== undefined
    ? write(context, withoutReference())
    : written;
}

function write(context: TransitionDeps, transition: Transition): Promise<TransitionResult> {
  return context.stores.payments.applyTransition(transition);
}
