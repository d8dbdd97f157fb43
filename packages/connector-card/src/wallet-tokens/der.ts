/** Lengths of more bytes than this are longer than anything that is read here. */
const MAX_LENGTH_BYTES = 3;
const MAX_DEPTH = 32;
const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/** An element as it was written, in its one form of DER, and where the next one begins. */
interface Element {
  readonly der: Buffer;
  readonly next: number;
}

/**
 * Rewrites BER with open lengths, in which signatures of Apple Pay come, as DER: the same elements in their one form.
 *
 * @throws RangeError for what is neither
 */
export function asDer(ber: Uint8Array): Buffer {
  const bytes = Buffer.from(ber);
  const { der, next } = element(bytes, 0, MAX_DEPTH);
  if (next !== bytes.length) throw new RangeError('There is more behind the element.');
  return der;
}

function element(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes.readUInt8(at);
  if ((tag & 0x1f) === 0x1f || depth === 0) throw new RangeError('An element of a form that is not read.');
  const length = lengthAt(bytes, at + 1);
  const constructed = (tag & CONSTRUCTED) !== 0;
  if (length.value === undefined && !constructed) throw new RangeError('Only elements of elements may be open.');
  const end = length.value === undefined ? undefined : length.next + length.value;
  if (end !== undefined && end > bytes.length) throw new RangeError('An element is cut off.');
  const inner = constructed
    ? elements(bytes, length.next, end, depth - 1)
    : { der: bytes.subarray(length.next, end), next: end ?? length.next };
  return { der: Buffer.concat([Buffer.from([tag, ...derLength(inner.der.length)]), inner.der]), next: inner.next };
}

/** @param end nothing: until two bytes of zero */
function elements(bytes: Buffer, from: number, end: number | undefined, depth: number): Element {
  const found: Buffer[] = [];
  let at = from;
  while (end === undefined ? bytes.readUInt16BE(at) !== 0 : at < end) {
    const { der, next } = element(bytes, at, depth);
    found.push(der);
    at = next;
  }
  if (end !== undefined && at !== end) throw new RangeError('An element is longer than what it stands in.');
  return { der: Buffer.concat(found), next: end ?? at + 2 };
}

function lengthAt(bytes: Buffer, at: number): { readonly value: number | undefined; readonly next: number } {
  const first = bytes.readUInt8(at);
  if (first < INDEFINITE) return { value: first, next: at + 1 };
  const count = first - INDEFINITE;
  if (count === 0) return { value: undefined, next: at + 1 };
  if (count > MAX_LENGTH_BYTES) throw new RangeError('A length of a form that is not read.');
  const value = bytes.readUIntBE(at + 1, count);
  if (derLength(value).length !== count + 1) throw new RangeError('A length is not written in its shortest form.');
  return { value, next: at + 1 + count };
}

/** A length in its shortest form. */
export function derLength(length: number): readonly number[] {
  if (length < INDEFINITE) return [length];
  const bytes =
    length < 0x1_00 ? [length] : length < 0x1_00_00 ? [length >> 8, length] : [length >> 16, length >> 8, length];
  return [INDEFINITE + bytes.length, ...bytes.map((each) => each & 0xff)];
}
