/** Writes elements of ASN.1, as far as certificates and signatures in tests need them. */
export function tlv(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const inner = Buffer.concat(content);
  const size = inner.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), inner]);
}

export const sequence = (...content: readonly Uint8Array[]) => tlv(0x30, ...content);
export const set = (...content: readonly Uint8Array[]) => tlv(0x31, ...content);
export const integer = (value: number) => tlv(0x02, Buffer.from([value]));
export const octets = (...content: readonly Uint8Array[]) => tlv(0x04, ...content);
export const bits = (content: Uint8Array) => tlv(0x03, Buffer.from([0]), content);
export const text = (value: string) => tlv(0x0c, Buffer.from(value));
export const yes = tlv(0x01, Buffer.from([0xff]));
export const nothing = tlv(0x05);

/** @param at within this century's first half */
export const time = (at: number) =>
  tlv(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const low = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) low.unshift((left & 0x7f) | 0x80);
  return low;
}
