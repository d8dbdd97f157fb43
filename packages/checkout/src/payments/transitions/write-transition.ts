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

/** The first callback is sent by this process at once, if it has a place for it; a poll finds the others. */
async function write(context: TransitionDeps, transition: Transition): Promise<TransitionResult> {
  const url = transition.callbacks?.[0]?.url;
  const place = url === undefined ? undefined : context.courier?.reserve(url);
  let sent = false;
  try {
    const written = await context.stores.payments.applyTransition({ ...transition, claimMs: place?.claimMs });
    if (written.result !== 'applied') return written;
    if (place !== undefined && written.claimed !== undefined) {
      sent = true;
      place.start(written.claimed);
    } else if (url !== undefined) context.wake('callbacks');
    return written;
  } finally {
    if (!sent) place?.release();
  }
}
