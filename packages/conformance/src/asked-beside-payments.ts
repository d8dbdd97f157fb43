import type { Steps } from '@railyard/core';
import { proofHeaders, rawNotification } from '@railyard/core/driver';
import { BEGINNING, URLS } from './host/world.ts';
import type { Subject } from './subject.ts';
import { exampleReply, walkedRequest } from './walk.ts';

/** The endpoints that no flow of a payment needs: asked by the check of an account, or whether a notification is the provider's own. */
export function askedBesidePayments(subject: Pick<Subject, 'connector' | 'settings'>): ReadonlySet<string> {
  const { connector, settings } = subject;
  const check = connector.check?.({ settings, now: new Date(BEGINNING).toISOString(), urls: URLS });
  return new Set([check, proofOf(subject)].flatMap((steps) => (steps === undefined ? [] : askedBy(steps, settings))));
}

/** The proof of the documented notification, where the provider itself is asked for it. */
function proofOf({ connector: { notifications }, settings }: Pick<Subject, 'connector' | 'settings'>) {
  const { verify, examples: [example] = [] } = notifications ?? {};
  if (verify?.scheme !== 'call') return undefined;
  const headers = Object.fromEntries(proofHeaders(verify).map((name) => [name, 'a proof']));
  return verify.steps(rawNotification({ headers, body: JSON.stringify(example?.body ?? {}) }), { settings });
}

function askedBy(steps: Steps<unknown>, settings: unknown): readonly string[] {
  const names: string[] = [];
  let next = steps.next();
  while (!next.done) {
    const effect = next.value;
    if (effect.kind !== 'call' && effect.kind !== 'credential') break;
    const { name: step } = effect.endpoint;
    names.push(step);
    next = steps.next(exampleReply(walkedRequest(effect, { step, settings, key: '' }))?.value);
  }
  return names;
}
