import { BEGINNING, URLS } from './host/world.ts';
import type { Subject } from './subject.ts';
import { exampleReply } from './walk.ts';

/** The endpoints that the connector's own check of an account asks. No flow of a payment needs to. */
export function askedByCheck({ connector, settings }: Pick<Subject, 'connector' | 'settings'>): ReadonlySet<string> {
  const names = new Set<string>();
  const steps = connector.check?.({ settings, now: new Date(BEGINNING).toISOString(), urls: URLS });
  let next = steps?.next();
  while (steps !== undefined && next?.done === false) {
    const effect = next.value;
    if (effect.kind !== 'call' && effect.kind !== 'credential') break;
    const { endpoint, input } = effect;
    names.add(endpoint.name);
    const wire = endpoint.request(input, { settings, key: '' });
    next = steps.next(exampleReply({ step: endpoint.name, endpoint, input, key: '', settings, wire })?.value);
  }
  return names;
}
