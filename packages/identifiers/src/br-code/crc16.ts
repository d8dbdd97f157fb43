/**
 * CRC16-CCITT-FALSE over the UTF-8 bytes of the text, as four upper-case hexadecimal digits: polynomial 0x1021, start
 * 0xFFFF, no reflection, no final exclusive or.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const character of text) {
    for (const byte of utf8Bytes(character.codePointAt(0) ?? 0)) {
      crc ^= byte << 8;
      for (let bit = 0; bit < 8; bit += 1) {
        crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
      crc &= 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** By hand, because the language itself has no encoder and this package names no platform's. */
function utf8Bytes(codePoint: number): number[] {
  const tail = (shift: number): number => 0x80 | ((codePoint >> shift) & 0x3f);
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), tail(0)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), tail(6), tail(0)];
  return [0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0)];
}
