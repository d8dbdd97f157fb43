/** Values that survive JSON unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * JSON as it is kept in a text column.
 *
 * @throws TypeError for what JSON cannot carry: undefined at the top, a bigint, a cycle
 */
export function toJsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('This value cannot be written as JSON.');
  return text;
}

/** Reads what `toJsonText` wrote. */
export function fromJsonText(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}
