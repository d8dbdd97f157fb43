/** Four bits at the top of the CRC, shifted out over the polynomial 0x1021, by their value. */
const OF_FOUR_BITS = new Uint16Array([
  0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7, 0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad,
  0xe1ce, 0xf1ef,
]);

/**
 * CRC16-CCITT-FALSE over the UTF-8 bytes of the text, as four upper-case hexadecimal digits: polynomial 0x1021, start
 * 0xFFFF, no reflection, no final exclusive or.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint < 0x80) crc = withByte(crc, codePoint);
    else for (const byte of utf8Bytes(codePoint)) crc = withByte(crc, byte);
    if (codePoint > 0xffff) at += 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const withByte = (crc: number, byte: number): number => withFourBits(withFourBits(crc, byte >> 4), byte & 0xf);

const withFourBits = (crc: number, bits: number): number =>
  ((crc << 4) & 0xffff) ^ (OF_FOUR_BITS[(crc >> 12) ^ bits] ?? 0);

/** By hand, because the language itself has no encoder and this package names no platform's. */
function utf8Bytes(codePoint: number): number[] {
  const tail = (shift: number): number => 0x80 | ((codePoint >> shift) & 0x3f);
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), tail(0)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), tail(6), tail(0)];
  return [0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0)];
}
