import { createHash } from 'node:crypto';
import type { Answered, Asked } from './asked.ts';
import type { Bank } from './bank.ts';
import { textAt } from './places.ts';
import type { HeldAction, HeldPayment } from './records.ts';
import { refuse } from './refuse.ts';
import { jsonReply, paymentReply } from './reply.ts';
import { courseOf } from './scenarios.ts';

/** One effect per key: a repeat is answered with how the payment stands now, or refused where its scenario says so. */
export function once(bank: Bank, asked: Asked, act: (key: string | undefined) => Answered): Answered {
  const { mount, endpoint, declared, received } = asked;
  const key = textAt(received, declared.request.key);
  if (declared.request.key !== undefined && key === undefined)
    return { reply: jsonReply(400, { error: `${declared.request.key} is missing.` }) };
  if (!asked.isLate && isKnown(bank, asked)) return refuseRepeat(asked);
  if (key === undefined) return act(undefined);
  // Not the body itself: a card number in it is kept nowhere.
  const body = createHash('sha256').update(asked.text).digest('hex');
  const earlier = bank.recall(mount.name, endpoint.name, key);
  const held = earlier === undefined ? undefined : bank.find(earlier.id);
  if (earlier === undefined || held === undefined) {
    const answered = act(key);
    const { changed, action } = answered;
    if (changed !== undefined)
      bank.remember({
        connector: mount.name,
        endpoint: endpoint.name,
        key,
        body,
        id: changed.id,
        ...(action && { action: action.id }),
      });
    return answered;
  }
  if (earlier.body !== body) return { reply: jsonReply(409, { error: 'The key was used for another request.' }) };
  const action = earlier.action === undefined ? undefined : bank.lookUpAction(mount.name, { id: earlier.action });
  if (refusesRepeats(action ?? held)) return refuseRepeat(asked);
  return { reply: paymentReply(mount, endpoint, declared, held, action) };
}

/** Keeps in mind what its caller gave up, where a repeat is refused meanwhile, and lets it arrive. */
export function untilItArrives(bank: Bank, asked: Asked, answered: Answered, again: () => Answered): Answered {
  const names = answered.refusesRepeats === true ? namesOf(asked) : [];
  for (const name of names) bank.underway.add(name);
  return {
    ...answered,
    arrive: () => {
      for (const name of names) bank.underway.delete(name);
      return again();
    },
  };
}

/** Whether the reference was used, at a provider that then refuses it, or the same request is on its way. */
function isKnown(bank: Bank, asked: Asked): boolean {
  if (namesOf(asked).some((name) => bank.underway.has(name))) return true;
  const reference = ownReference(asked);
  if (reference === undefined) return false;
  const { mount } = asked;
  const earlier = opens(asked) ? bank.lookUp(mount.name, { reference }) : bank.lookUpAction(mount.name, { reference });
  return earlier !== undefined && refusesRepeats(earlier);
}

/** The names by which a provider that refuses repeats recognises a request. */
function namesOf(asked: Asked): string[] {
  const { mount, endpoint, declared, received } = asked;
  const texts = [textAt(received, declared.request.key), ownReference(asked)];
  return texts.flatMap((text) => (text === undefined ? [] : [JSON.stringify([mount.name, endpoint.name, text])]));
}

/** The reference of what the request makes: a payment, or an action on one. */
function ownReference(asked: Asked): string | undefined {
  const { merchantReference: reference, actionReference } = asked.declared.request;
  return textAt(asked.received, opens(asked) ? reference : actionReference);
}

const opens = ({ declared: { effect } }: Asked) => effect === 'charge' || effect === 'payout' || effect === 'authorize';

const refusesRepeats = ({ scenario }: Pick<HeldPayment, 'scenario'> | HeldAction): boolean =>
  scenario !== undefined && courseOf(scenario).repeats === 'refused';

function refuseRepeat(asked: Asked): Answered {
  return refuse(asked, 'The key or reference is in use.', asked.declared.used);
}
