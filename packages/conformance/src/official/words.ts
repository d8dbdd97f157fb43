import type { Facts } from './facts.ts';
import { isRecord, resolve } from './pointer.ts';

/**
 * The words of an enumeration, for a test that compares a status table with the description.
 *
 * @param place below the schemas: `CobrancaStatus`, `Refund/properties/status`
 * @throws Error where the description has no such place, or no enumeration there
 */
export function wordsIn(facts: Facts, place: string): readonly string[] {
  const schema = resolve(facts, `#/schemas/${place}`);
  const words = isRecord(schema) ? schema['enum'] : undefined;
  if (!Array.isArray(words)) throw new Error(`The schema at ${place} of ${facts.source} enumerates nothing.`);
  return words.map(String);
}
