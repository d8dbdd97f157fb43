import { JsonNumberLiteral, readPath } from '@railyard/core';
import type { SimulatedWhere } from '@railyard/core/simulation';

/** A request as the simulation's places see it. Header names are lower case. */
export interface Received {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The text at a place such as `body.amount`, or nothing. */
export function textAt(received: Received, place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  const value = readPath(received, place);
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether a request has the texts that are wanted of it. */
export function fits(received: Received, where: SimulatedWhere = {}): boolean {
  return Object.entries(where).every(([place, wanted]) => {
    const text = textAt(received, place);
    return wanted === true ? text !== undefined : text !== undefined && [wanted].flat().includes(text);
  });
}

/** Every text and number in plain data. */
export function leaves(value: unknown): string[] {
  if (JsonNumberLiteral.is(value)) return [value.literal];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
