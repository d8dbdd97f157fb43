import { readPath } from '@railyard/core';
import { REFERENCE, URLS } from './host/world.ts';
import type { CaseRun } from './runs.ts';
import type { Subject } from './subject.ts';

/** Puts what the kit made up where a golden has places for it. */
export function filler(subject: Subject, { run }: CaseRun, key: string | undefined) {
  const reference = readPath(run.context, 'payment.merchantReference') ?? REFERENCE;
  const modification = readPath(run.context, 'id') ?? readPath(run.context, 'modification.id');
  const places: Readonly<Record<string, unknown>> = {
    reference,
    modification,
    compact_reference: compact(reference),
    compact_modification: compact(modification),
    provider_reference: readPath(run.context, 'payment.providerReference'),
    provider_modification: readPath(run.context, 'modification.providerReference'),
    notify_url: URLS.notify,
    return_url: URLS.return,
    key,
  };
  const text = (value: string) =>
    value
      .replaceAll(/\{([a-z_]+(?:\.[\w.]+)?)\}/g, (whole: string, name: string) => {
        const found = name.startsWith('settings.') ? readPath({ settings: subject.settings }, name) : places[name];
        return typeof found === 'string' || typeof found === 'number' ? String(found) : whole;
      })
      .replace(/\{base64:([^{}]*)\}/, (_whole, of: string) => Buffer.from(of).toString('base64'));
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]));
  };
  return fill;
}

/** As `compactId` of core's formats writes references. */
const compact = (reference: unknown) => (typeof reference === 'string' ? reference.replaceAll('-', '') : undefined);
