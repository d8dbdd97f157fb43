/**
 * Other writings of our references, which are UUIDs, for providers that take none. Each is the same every time, and says whether the
 * reference can be read back from it.
 */

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** 128 bits as 32 hexadecimal digits. BCB's `txid` (26 to 35 letters and digits) takes it. Read back by `fromCompactId`. */
export function compactId(uuid: string): string {
  if (!form.test(uuid)) throw new RangeError(`"${uuid.slice(0, 40)}" is not a UUID in lower case`);
  return uuid.replaceAll('-', '');
}

/** The UUID of 32 hexadecimal digits in either case, or nothing where the text is no such id. */
export function fromCompactId(text: string): string | undefined {
  const hex = text.toLowerCase();
  return /^[0-9a-f]{32}$/.test(hex) ? uuidOf(hex) : undefined;
}

/** 36^25 is the first power above 2^128. */
const SHORTEST = 25;

/**
 * Digits and small letters, with zeros in front up to `length`: BCB's `txid`, references of 26 characters. Read back by
 * `fromAlphanumericId`.
 *
 * @throws RangeError for fewer than 25 characters, which do not hold 128 bits
 */
export function alphanumericId(uuid: string, length: number): string {
  if (length < SHORTEST) throw new RangeError(`${length} characters do not hold a UUID: ${SHORTEST} are the fewest`);
  return bitsOf(uuid).toString(36).padStart(length, '0');
}

/** The UUID that `alphanumericId` wrote, in either case, or nothing where the text is no such id. */
export function fromAlphanumericId(text: string): string | undefined {
  if (!/^[0-9a-z]{25,255}$/i.test(text)) return undefined;
  let bits = 0n;
  for (const digit of text) bits = bits * 36n + BigInt(Number.parseInt(digit, 36));
  return ofBits(bits);
}

/** 10^39 is the first power above 2^128. */
const WHOLE = 39;

/**
 * Decimal digits alone, with zeros in front up to `length`. 39 and more hold the whole reference, which `fromNumericId` reads back.
 * Fewer hold its end, and two references may share it: among k of them the odds are about k² / (2 · 10^length). One in a hundred is
 * reached with 4,500 references of 9 digits, 141,000 of 12, 4.5 million of 15, 141 million of 18, so let the provider's own reference decide
 * whose payment an event is.
 *
 * @throws RangeError for fewer than 9 digits
 */
export function numericId(uuid: string, length: number): string {
  if (length < FEWEST_DIGITS)
    throw new RangeError(`References of ${length} digits soon meet twice: ${FEWEST_DIGITS} are the fewest`);
  const bits = bitsOf(uuid);
  return (length < WHOLE ? bits % 10n ** BigInt(length) : bits).toString().padStart(length, '0');
}

const FEWEST_DIGITS = 9;

/** The UUID of 39 digits or more that `numericId` wrote, or nothing where the text is no such id. */
export function fromNumericId(text: string): string | undefined {
  return /^\d{39,255}$/.test(text) ? ofBits(BigInt(text)) : undefined;
}

const bitsOf = (uuid: string): bigint => BigInt(`0x${compactId(uuid)}`);

function ofBits(bits: bigint): string | undefined {
  return bits < 1n << 128n ? uuidOf(bits.toString(16).padStart(32, '0')) : undefined;
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
