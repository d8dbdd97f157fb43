/** The values that a journal can hold: JSON without surprises. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson };

/**
 * The JSON form of a value, so that the first run of a flow and its resume from the journal see the same.
 *
 * @throws Error when something would change on the way: a bigint, a function, a date.
 */
export function plainJson(value: unknown, what: string): PlainJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((each, index) => plainJson(each, `${what}[${index}]`));
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const copy: Record<string, PlainJson> = {};
    for (const [name, each] of Object.entries(value))
      if (each !== undefined) copy[name] = plainJson(each, `${what}.${name}`);
    return copy;
  }
  throw new Error(
    `${what} is ${typeof value === 'object' ? 'an object with methods' : `a ${typeof value}`}: a reply must be plain JSON, so that it can be written down. Convert it in the flow.`,
  );
}
