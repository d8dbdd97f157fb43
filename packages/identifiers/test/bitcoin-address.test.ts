import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { checkBitcoinAddress } from '../src/bitcoin-address.ts';
import { readBech32, readSegwit } from '../src/crypto/segwit.ts';
import bip from './fixtures/bech32.json' with { type: 'json' };
import published from './fixtures/tron-btc-base58.json' with { type: 'json' };

describe('the text encodings of BIP-173 and BIP-350', () => {
  it.each(bip.bech32.valid)('%s is bech32', (text) => {
    expect(readBech32(text)).toMatchObject({ ok: true, encoding: 'bech32' });
  });
  it.each(bip.bech32m.valid)('%s is bech32m', (text) => {
    expect(readBech32(text)).toMatchObject({ ok: true, encoding: 'bech32m' });
  });
  it.each(bip.bech32.invalid)('$s is no bech32: $why', ({ s }) => {
    expect(readBech32(s)).not.toMatchObject({ encoding: 'bech32' });
  });
  it.each(bip.bech32m.invalid)('$s is no bech32m: $why', ({ s }) => {
    expect(readBech32(s)).not.toMatchObject({ encoding: 'bech32m' });
  });
});

describe('segwit addresses', () => {
  it.each(bip.segwit.valid)('$address pays to $scriptPubKeyHex', ({ address, scriptPubKeyHex }) => {
    const read = readSegwit(address);
    const script = read.ok ? [read.version === 0 ? 0 : read.version + 0x50, read.program.length, ...read.program] : [];
    expect(bytesToHex(Uint8Array.from(script))).toBe(scriptPubKeyHex);
    const network = address.toLowerCase().startsWith('tb') ? 'test' : 'main';
    const expected = { ok: true, network, kind: 'segwit', address: address.toLowerCase() };
    expect(checkBitcoinAddress(address)).toEqual(expected);
  });
  it.each(bip.segwit.invalid)('$address is refused: $why', ({ address }) => {
    expect(checkBitcoinAddress(address).ok).toBe(false);
  });
  it.each(Object.entries(bip.bip173Examples))('the example %s is one', (name, address) => {
    expect(checkBitcoinAddress(address)).toMatchObject({ network: name.startsWith('test') ? 'test' : 'main' });
  });
});

describe('base58 addresses', () => {
  it.each(published.btc.valid)('$a is $kind', ({ a, kind }) => {
    const [form, network] = kind.split(' ');
    expect(checkBitcoinAddress(a)).toEqual({
      ok: true,
      network,
      kind: form === 'P2SH' ? 'script' : 'key',
      address: a,
    });
  });
  it.each(published.btc.invalid)('%s is mistyped', (text) => {
    expect(checkBitcoinAddress(text)).toEqual({ ok: false, reason: 'checksum' });
  });
});

describe('no Bitcoin address', () => {
  it.each([
    '',
    ' ',
    'bc1',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    '1'.repeat(30),
  ])('%j is none', (text) => expect(checkBitcoinAddress(text)).toEqual({ ok: false, reason: 'format' }));
  it('is a text of any length, and it is not decoded', () => {
    expect(checkBitcoinAddress('z'.repeat(1_000_000))).toEqual({ ok: false, reason: 'format' });
    expect(checkBitcoinAddress(`bc1${'q'.repeat(1_000_000)}`)).toEqual({ ok: false, reason: 'format' });
  });
  it('has one character changed', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    for (let at = 3; at < address.length; at += 1) {
      const other = address[at] === 'q' ? 'p' : 'q';
      expect(checkBitcoinAddress(address.slice(0, at) + other + address.slice(at + 1)).ok).toBe(false);
    }
  });
});
