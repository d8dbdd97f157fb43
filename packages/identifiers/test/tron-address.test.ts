import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { readBase58Address } from '../src/crypto/base58-check.ts';
import { checkTronAddress } from '../src/tron-address.ts';
import published from './fixtures/tron-btc-base58.json' with { type: 'json' };

describe('a TRON address', () => {
  it.each(published.tron.pairs)('$base58 is $hex', ({ base58, hex }) => {
    const read = readBase58Address(base58);
    expect(read.ok && [read.version, ...read.hash]).toEqual([...hexToBytes(hex)]);
    expect(checkTronAddress(base58)).toEqual({ ok: true, address: base58 });
  });
  it.each(published.tron.valid)('%s is one', (text) => {
    expect(checkTronAddress(text)).toEqual({ ok: true, address: text });
  });
  it.each(published.tron.invalid)('%s is none', (text) => {
    expect(checkTronAddress(text).ok).toBe(false);
  });
  it.each(['', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'T'.repeat(34)])(
    '%j is none',
    (text) => expect(checkTronAddress(text).ok).toBe(false),
  );
});
