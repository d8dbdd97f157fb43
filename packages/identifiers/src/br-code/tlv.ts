/** The objects of one level of an EMV code in the order of the text, by their two-digit id. */
export type TlvObjects = ReadonlyMap<string, string>;

/** Two halves of one character. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Reads two-digit id, two-digit length, value, again and again to the end. Lengths count characters, not bytes (EMVCo
 * worked example). Anything left over, a length of zero and an id met twice give `undefined`.
 */
export function readTlv(text: string): TlvObjects | undefined {
  // Only a text with a pair has fewer characters than code units.
  const characters = PAIR.test(text) ? Array.from(text) : undefined;
  const { length } = characters ?? text;
  const piece = (from: number, to: number) => characters?.slice(from, to).join('') ?? text.slice(from, to);
  const objects = new Map<string, string>();
  for (let at = 0; at < length;) {
    const header = piece(at, at + 4);
    if (!/^\d{4}$/.test(header)) return undefined;
    const id = header.slice(0, 2);
    const end = at + 4 + Number(header.slice(2));
    if (end === at + 4 || end > length || objects.has(id)) return undefined;
    objects.set(id, piece(at + 4, end));
    at = end;
  }
  return objects;
}

/** Writes one object, or `undefined` when its value is not 1 to 99 characters long. */
export function writeTlv(id: string, value: string): string | undefined {
  const length = Array.from(value).length;
  if (length < 1 || length > 99) return undefined;
  return `${id}${String(length).padStart(2, '0')}${value}`;
}
