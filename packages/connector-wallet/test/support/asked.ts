import { resolveMethod } from '@railyard/core/registry';
import type { Good } from './limits.ts';
import { registry, sessionOf, today } from './sessions.ts';

/** The paths of what the payer is asked for, or the method's values where nothing is missing. */
export function askedOf({ key, currency, parameters, session }: Good, more: object = {}): unknown {
  const order = { number: 'order-1', amount: '10.00', currency, description: 'Two books' };
  const validated = registry.validate(sessionOf(key, parameters, { order, ...session, ...more }), { today });
  if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
  const resolution = resolveMethod(registry, validated.session, key);
  if (resolution.kind === 'missing') return resolution.fields.map(({ path }) => path);
  return resolution.kind === 'complete' ? resolution.value : resolution.kind;
}
