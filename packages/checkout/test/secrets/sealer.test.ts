import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSealer, isSealed, keyIdOf, SealError, UnknownKeyError } from '../../src/secrets/index.ts';

const key = randomBytes(32);
const sealer = createSealer([key]);
const place = { table: 'sessions', column: 'request_text', row: 'a' };

/** The sealed bytes changed by `change`, under the same key id. */
function tampered(sealed: string, change: (bytes: Buffer) => Buffer): string {
  const [version, id, base64 = ''] = sealed.split('.');
  return `${version}.${id}.${change(Buffer.from(base64, 'base64')).toString('base64')}`;
}

describe('a sealed text', () => {
  test.each([
    ['nothing', ''],
    ['JSON', '{"order":{"number":"1"}}'],
    ['any characters', 'é 日本 \u{1f600} \0\n'],
    ['256 KB', 'x'.repeat(262_144)],
  ])('of %s opens as it was', (_, text) => {
    const sealed = sealer.seal(text, place);
    expect(sealer.open(sealed, place)).toBe(text);
    expect(isSealed(sealed)).toBe(true);
    expect(keyIdOf(sealed)).toBe(sealer.keyId);
  });

  test('can be any bytes', () => {
    const bytes = randomBytes(100);
    expect(Buffer.from(sealer.openBytes(sealer.seal(bytes, place), place))).toEqual(bytes);
  });

  test('is never sealed the same way twice', () => {
    const all = Array.from({ length: 10_000 }, () => sealer.seal('', place).slice(0, 28));
    expect(new Set(all).size).toBe(10_000);
  });

  test.each([
    ['table', { ...place, table: 'payments' }],
    ['column', { ...place, column: 'other' }],
    ['row', { ...place, row: 'b' }],
    ['split between column and row', { ...place, column: 'request_text","a', row: '' }],
  ])('does not open in another %s', (_, elsewhere) => {
    expect(() => sealer.open(sealer.seal('text', place), elsewhere)).toThrow(SealError);
  });

  test.each([
    ['a changed IV', (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte)))],
    ['a changed text', (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === 12 ? byte ^ 1 : byte)))],
    [
      'a changed tag',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte))),
    ],
    ['a tag of four bytes', (bytes: Buffer) => bytes.subarray(0, -12)],
    ['no tag', (bytes: Buffer) => bytes.subarray(0, 12)],
    ['nothing in it', () => Buffer.from('x')],
  ])('does not open with %s', (_, change) => {
    expect(() => sealer.open(tampered(sealer.seal('text', place), change), place)).toThrow(SealError);
  });

  test('that is none does not open', () => {
    expect(() => sealer.open('{"plain":true}', place)).toThrow(SealError);
    expect(isSealed('{"plain":true}')).toBe(false);
  });
});

describe('keys', () => {
  const newest = randomBytes(32);
  const rotated = createSealer([newest, key]);

  test('all open, the newest seals', () => {
    expect(rotated.open(sealer.seal('old', place), place)).toBe('old');
    expect(keyIdOf(rotated.seal('new', place))).toBe(createSealer([newest]).keyId);
  });

  test('that are missing are named by their id', () => {
    const sealed = rotated.seal('new', place);
    const missing = () => sealer.open(sealed, place);
    expect(missing).toThrow(UnknownKeyError);
    expect(missing).toThrow(rotated.keyId);
    expect(missing).toThrow(new RegExp(`this process has ${sealer.keyId}`));
  });

  test('of another length are refused', () => {
    expect(() => createSealer([randomBytes(16)])).toThrow(/32 bytes/);
  });
});
