import { type Condition, field, type FieldInfo, text } from '@railyard/core';
import * as z from 'zod';

/** The parameter sets of the protocol, 1 to 6, by what they are about. */
export const CARD_SETS = ['installments', 'tax-document', 'descriptor', 'delivery', 'parties', 'order'] as const;
export type CardSet = (typeof CARD_SETS)[number];

/** The account's word on which sets its acquirer takes; without it all are taken. */
export const setsInUse = field(z.array(z.enum(CARD_SETS)), {
  label: 'Parameter sets in use',
  help: 'All unless given.',
  sources: ['mid'],
  request: false,
}).optional();

/** A text of a set that has no length of its own in the protocol. */
export const anyText = text({ max: 255 });

/**
 * Declares the parameters of a set.
 *
 * @param required names that belong together: each is required where the account uses the set, or, where nothing is known of the
 * account, where the request carries one of them (protocol: a set is sent only when the connector needs it)
 * @example const inDelivery = inSet('delivery');
 */
export function inSet(set: CardSet, required: readonly string[] = []) {
  const uses: Condition = { path: 'parameters.sets', in: [set] };
  const only: Condition = { any: [uses, { path: 'parameters.sets', present: false }] };
  const begun = required.map((name): Condition => ({ path: `parameters.${name}`, present: true }));
  return <S extends z.ZodType>(schema: S, info: FieldInfo): S =>
    field(schema, {
      ...info,
      only,
      ...(required.length > 0 && { when: { any: [uses, ...begun], says: `the set ${set} is used` } }),
    });
}
