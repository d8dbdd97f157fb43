import type { CourierPlace, TransitionDeps } from './deps.ts';
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
  const written = await writeClaiming(context, transition, place);
  if (url === undefined || written.result !== 'applied' || written.claimed !== undefined) return written;
  if (context.courier?.isSending(transition.paymentId) !== true) context.wake('callbacks');
  return written;
}

async function writeClaiming(
  { stores }: TransitionDeps,
  transition: Transition,
  place: CourierPlace | undefined,
): Promise<TransitionResult> {
  let isTaken = false;
  try {
    const written = await stores.payments.applyTransition({ ...transition, claimMs: place?.claimMs });
    if (place !== undefined && written.result === 'applied' && written.claimed !== undefined) {
      isTaken = true;
      place.start(written.claimed);
    }
    return written;
  } finally {
    if (!isTaken) place?.release();
  }
}
