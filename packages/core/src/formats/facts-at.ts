import * as z from 'zod';
import { readText } from '../plain-data.ts';
import type { FactName, PaymentFacts } from '../payment/facts.ts';

/**
 * The facts of a reply, by the dotted paths at which the provider writes them. A fact never decides about money: a fact that is absent or
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

type FirstOf<Path> = Path extends `${infer First}.${string}` ? First : Path;

/**
 * The fields of a reply's schema in which its facts stand: as the provider writes them, whatever that is.
 *
 * @example z.object({ id: z.string(), ...factFields({ arn: 'arn', 'issuer.bank': 'issuer_bank' }) })
 */
export function factFields<Path extends string>(
  places: Readonly<Record<Path, FactName>>,
): { readonly [Field in FirstOf<Path>]: z.ZodOptional<z.ZodUnknown> };
export function factFields(places: Readonly<Record<string, FactName>>) {
  const names = Object.keys(places).map((path) => path.split('.', 1)[0] ?? path);
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
}
