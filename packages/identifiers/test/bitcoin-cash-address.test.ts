import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { checkBitcoinCashAddress } from '../src/bitcoin-cash-address.ts';
import { readBase58Address } from '../src/crypto/base58-check.ts';
import { cashWords, readCashText } from '../src/crypto/cash-text.ts';
import bip from './fixtures/bech32.json' with { type: 'json' };
import published from './fixtures/cashaddr.json' with { type: 'json' };

describe('the published vectors of the cash address specification', () => {
  it.each(published.checksumOnlyValid)('%s has a right checksum', (text) => {
    const [prefix = '', payload = ''] = text.split(':');
    expect(cashWords(prefix, payload)).toBeDefined();
    expect(cashWords(`${prefix}x`, payload)).toBeUndefined();
  });

  it.each(published.payloads)('$cashaddr carries $hex', ({ cashaddr, type, size, hex }) => {
    const read = readCashText(cashaddr);
    expect(read).toMatchObject({ ok: true, type });
    const hash = read.ok ? read.hash : new Uint8Array();
    expect([hash.length, bytesToHex(hash).toUpperCase()]).toEqual([size, hex]);
  });

  it.each(published.payloads)(
    '$cashaddr is an address where a hash of that length is one of a key or a script',
    (row) => {
      const known = row.cashaddr.startsWith('bitcoincash:') || row.cashaddr.startsWith('bchtest:');
      const fits = row.size === 20 ? row.type < 2 : row.size === 32 && row.type === 1;
      expect(checkBitcoinCashAddress(row.cashaddr).ok).toBe(known && fits);
    },
  );

  it.each(published.translation)('$legacy and $cashaddr are one address', ({ legacy, cashaddr }) => {
    const [old, cash] = [checkBitcoinCashAddress(legacy), checkBitcoinCashAddress(cashaddr)];
    expect(old).toMatchObject({ ok: true, network: 'main', form: 'legacy', address: legacy });
    expect(cash).toMatchObject({ ok: true, network: 'main', form: 'cash', address: cashaddr });
    expect(old.ok && old.kind).toBe(cash.ok && cash.kind);
    const [text, base58] = [readCashText(cashaddr), readBase58Address(legacy)];
    expect(text.ok && text.hash).toEqual(base58.ok && base58.hash);
  });
});

describe('a Bitcoin Cash address', () => {
  const [{ cashaddr } = { cashaddr: '' }] = published.translation;
  const bare = cashaddr.slice('bitcoincash:'.length);

  it.each([cashaddr, bare, bare.toUpperCase(), cashaddr.toUpperCase()])(
    '%s is written without prefix or in capitals',
    (text) => {
      expect(checkBitcoinCashAddress(text)).toMatchObject({ ok: true, address: cashaddr });
    },
  );

  it.each([
    [`bchtest:${bare}`, 'checksum'],
    [`${cashaddr.slice(0, -1)}q`, 'checksum'],
    [`${bare.slice(0, -1)}q`, 'checksum'],
    [`bitcoincash:${bare.toUpperCase()}`, 'format'],
    ['', 'format'],
    ['bitcoincash:', 'format'],
    [bip.bip173Examples.mainnetP2WPKH, 'format'],
    ['0x52908400098527886E0F7030069857D2E4169EE7', 'format'],
    ['q'.repeat(1_000_000), 'format'],
  ])('%.60s is none', (text, reason) => {
    expect(checkBitcoinCashAddress(text)).toEqual({ ok: false, reason });
  });
});
