import { readText } from '../plain-data.ts';
import type { FactName, PaymentFacts } from '../payment/facts.ts';

/**
 * The facts of a reply, by the dotted paths at which the provider writes them. A fact never decides about money: one that is absent or
 * no text is left out, and the reply still counts; its form is checked where it is stored.
 *
 * @example facts: factsAt({ arn: 'arn', 'issuer.bank': 'issuer_bank' }, answer.body)
 */
export function factsAt(places: Readonly<Record<string, FactName>>, reply: unknown): PaymentFacts {
  return Object.fromEntries(
    Object.entries(places).flatMap(([path, name]) => {
      const value = readText(reply, path);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
