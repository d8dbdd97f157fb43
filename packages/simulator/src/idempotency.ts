import { createHash } from 'node:crypto';
import type { RoutedReply, RoutedRequest } from './routed-request.ts';
import type { Bank } from './bank.ts';
import { textAt } from './places.ts';
import type { HeldModification, HeldPayment } from './records.ts';
import { refuse } from './refuse.ts';
import { jsonReply, paymentReply } from './reply.ts';
import { courseOf } from './scenarios.ts';

/** One effect per key: a repeat is answered with how the payment stands now, or refused where its scenario says so. */
export function withIdempotency(
  bank: Bank,
  routed: RoutedRequest,
  handle: (key: string | undefined) => RoutedReply,
): RoutedReply {
  const { mount, endpoint, declared, received } = routed;
  const key = textAt(received, declared.request.key);
  if (declared.request.key !== undefined && key === undefined)
    return { reply: jsonReply(400, { error: `${declared.request.key} is missing.` }) };
  if (!routed.isLate && isKnown(bank, routed)) return refuseRepeat(routed);
  if (key === undefined) return handle(undefined);
  // Not the body itself: a card number in it is kept nowhere.
  const body = createHash('sha256').update(routed.text).digest('hex');
  const earlier = bank.recall(mount.name, endpoint.name, key, endpoint.keyed?.forHours);
  const held = earlier === undefined ? undefined : bank.find(earlier.id);
  if (earlier === undefined || held === undefined) {
    const routedReply = handle(key);
    const { changed, modification } = routedReply;
    if (changed !== undefined)
      bank.remember({
        connector: mount.name,
        endpoint: endpoint.name,
        key,
        body,
        id: changed.id,
        ...(modification && { modification: modification.id }),
      });
    return routedReply;
  }
  if (earlier.body !== body) return { reply: jsonReply(409, { error: 'The key was used for another request.' }) };
  const modification =
    earlier.modification === undefined ? undefined : bank.findModification(mount.name, { id: earlier.modification });
  if (refusesRepeats(modification ?? held)) return refuseRepeat(routed);
  return { reply: paymentReply(mount, endpoint, declared, held, modification) };
}

/** Keeps in mind what its caller gave up, where a repeat is refused meanwhile, and lets it arrive. */
export function untilItArrives(
  bank: Bank,
  routed: RoutedRequest,
  routedReply: RoutedReply,
  handleLate: () => RoutedReply,
): RoutedReply {
  const names = routedReply.refusesRepeats === true ? namesOf(routed) : [];
  for (const name of names) bank.underway.add(name);
  return {
    ...routedReply,
    arrive: () => {
      for (const name of names) bank.underway.delete(name);
      return handleLate();
    },
  };
}

/** Whether the reference was used, at a provider that then refuses it, or the same request is on its way. */
function isKnown(bank: Bank, routed: RoutedRequest): boolean {
  if (namesOf(routed).some((name) => bank.underway.has(name))) return true;
  const reference = ownReference(routed);
  if (reference === undefined) return false;
  const { mount } = routed;
  const earlier = opens(routed)
    ? bank.findPayment(mount.name, { reference })
    : bank.findModification(mount.name, { reference });
  return earlier !== undefined && refusesRepeats(earlier);
}

/** The names by which a provider that refuses repeats recognises a request. */
function namesOf(routed: RoutedRequest): string[] {
  const { mount, endpoint, declared, received } = routed;
  const texts = [textAt(received, declared.request.key), ownReference(routed)];
  return texts.flatMap((text) => (text === undefined ? [] : [JSON.stringify([mount.name, endpoint.name, text])]));
}

/** The reference of the payment or modification that the request makes. */
function ownReference(routed: RoutedRequest): string | undefined {
  const { merchantReference: reference, modificationReference } = routed.declared.request;
  return textAt(routed.received, opens(routed) ? reference : modificationReference);
}

const opens = ({ declared: { effect } }: RoutedRequest) =>
  effect === 'charge' || effect === 'payout' || effect === 'authorize';

const refusesRepeats = ({ scenario }: Pick<HeldPayment, 'scenario'> | HeldModification): boolean =>
  scenario !== undefined && courseOf(scenario).repeats === 'refused';

function refuseRepeat(routed: RoutedRequest): RoutedReply {
  return refuse(routed, 'The key or reference is in use.', routed.declared.used);
}
