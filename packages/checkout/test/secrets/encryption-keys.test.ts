import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileModes, requireTool } from '../../../../test/support/tool.ts';
import { encryptionKeys, NoEncryptionKeyError } from '../../src/secrets/index.ts';

const given = randomBytes(32);
const base64 = given.toString('base64');

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'checkout-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const file = () => join(dataDir, 'encryption.key');

describe('the encryption keys', () => {
  test('of a data directory are made once', () => {
    const made = encryptionKeys([], { dataDir });
    expect(made[0]).toHaveLength(32);
    expect(encryptionKeys([], { dataDir })).toEqual(made);
    expect(Buffer.from(readFileSync(file(), 'utf8'), 'base64')).toEqual(Buffer.from(made[0]));
  });

  test('of a data directory are its owner’s only', (ctx) => {
    requireTool(ctx, fileModes);
    const inner = join(dataDir, 'inner');
    encryptionKeys([], { dataDir: inner });
    expect(statSync(inner).mode & 0o777).toBe(0o700);
    expect(statSync(join(inner, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  test('of the configuration come before those of the data directory', () => {
    const [made] = encryptionKeys([], { dataDir });
    expect(encryptionKeys([base64], { dataDir })).toEqual([given, made]);
  });

  test('are not made where the configuration names one', () => {
    expect(encryptionKeys([base64], { dataDir })).toEqual([given]);
    expect(() => statSync(file())).toThrow(/ENOENT/);
  });

  test('of memory are new each time', () => {
    expect(encryptionKeys([], 'memory')).not.toEqual(encryptionKeys([], 'memory'));
    expect(encryptionKeys([base64], 'memory')).toEqual([given]);
  });

  test('of a server must be given', () => {
    expect(() => encryptionKeys([], 'server')).toThrow(NoEncryptionKeyError);
    expect(() => encryptionKeys([], 'server')).toThrow(/RAILYARD_ENCRYPTION_KEY/);
    expect(encryptionKeys([base64], 'server')).toEqual([given]);
  });

  test.each([
    ['', 'empty'],
    ['c2hvcnQ=', '32 bytes'],
    [`${base64}\nc2hvcnQ=`, '32 bytes'],
    [`c2hvcnQ=!${base64}`, '32 bytes'],
    [`${base64.slice(0, 20)}!${base64.slice(20)}`, '32 bytes'],
  ])('are not taken from the damaged file %j', (text, why) => {
    writeFileSync(file(), text);
    const read = () => encryptionKeys([], { dataDir });
    expect(read).toThrow(/encryption\.key/);
    expect(read).toThrow(why);
    expect(read).not.toThrow('c2hvcnQ=');
  });
});
