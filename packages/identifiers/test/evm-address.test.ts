import { describe, expect, it } from 'vitest';
import { checkEvmAddress } from '../src/evm-address.ts';
import published from './fixtures/eip55.json' with { type: 'json' };

const { valid, invalidChecksum } = published;

describe('the published vectors of EIP-55', () => {
  it.each([...valid.allUpper, ...valid.mixed])('%s has the capitals of its checksum', (address) => {
    expect(checkEvmAddress(address)).toEqual({ ok: true, address, checksum: 'valid' });
    expect(checkEvmAddress(address.toLowerCase())).toEqual({ ok: true, address, checksum: 'none' });
  });
  // Those of the list need no capitals, so they are their own checksum.
  it.each(valid.allLower)('%s is accepted', (address) => {
    expect(checkEvmAddress(address)).toEqual({ ok: true, address, checksum: 'valid' });
  });
  it('a prefix in capitals is none, and lower-case text carries no checksum', () => {
    expect(invalidChecksum.map((text) => checkEvmAddress(text))).toEqual([
      { ok: false, reason: 'format' },
      { ok: true, address: valid.mixed[3], checksum: 'none' },
    ]);
  });
});

describe('an EVM address', () => {
  it.each([
    // One digit changed, and one letter in the wrong case.
    ['0x52908400098527886E0F7030069857D2E4169EE8', 'checksum'],
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'checksum'],
    ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'checksum'],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'format'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'format'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n', 'format'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'format'],
    ['', 'format'],
  ])('%j is refused', (text, reason) => {
    expect(checkEvmAddress(text)).toEqual({ ok: false, reason });
  });
});
