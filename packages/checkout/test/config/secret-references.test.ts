import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseConfig } from '../../src/deployment/config.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';

const good = anyMethodConfig({ providerUrl: 'https://p.example', callbackUrl: 'https://s.example', port: 8080 });
const [merchant] = good.merchants;
const [mid] = good.mids;
if (merchant === undefined || mid === undefined) throw new Error('The configuration has no merchant.');
const withMerchant = (change: object) => ({ ...good, merchants: [{ ...merchant, ...change }] });

const KEY = Buffer.alloc(32, 7).toString('base64');
const WHSEC = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-secrets-'));
  writeFileSync(join(folder, 'password'), 'from a file\n');
  writeFileSync(join(folder, 'two-lines'), 'one\r\ntwo\r\n');
  writeFileSync(join(folder, 'empty'), '');
  writeFileSync(join(folder, 'key'), KEY);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const file = (name: string) => ({ file: join(folder, name) });

describe('a secret', () => {
  test('is taken from the environment or a file, as merchant’s secret, key or setting, also while it is replaced', () => {
    vi.stubEnv('RAILYARD_TEST_SECRET', 'from the environment');
    vi.stubEnv('RAILYARD_TEST_WHSEC', WHSEC);
    const parsed = parseConfig({
      ...withMerchant({
        password: [{ env: 'RAILYARD_TEST_SECRET' }, file('password')],
        callbackSecret: { env: 'RAILYARD_TEST_WHSEC' },
      }),
      encryptionKey: [file('key')],
      mids: [
        {
          ...mid,
          settings: { base_url: { env: 'RAILYARD_TEST_SECRET' }, deep: { list: ['plain', file('two-lines')] } },
        },
      ],
    });
    expect(parsed.merchants[0]).toMatchObject({
      password: ['from the environment', 'from a file'],
      callbackSecret: WHSEC,
    });
    expect(parsed.encryptionKey).toEqual([KEY]);
    expect(parsed.mids[0]?.settings).toEqual({
      base_url: 'from the environment',
      deep: { list: ['plain', 'one\r\ntwo'] },
    });
    // What is stored is the reference.
    expect(parsed.given?.merchants[0]?.password).toEqual([{ env: 'RAILYARD_TEST_SECRET' }, file('password')]);
  });

  test.each([
    ['a variable that is not set', { env: 'RAILYARD_NOT_SET' }, /environment variable RAILYARD_NOT_SET is not set/],
    ['a file that is not there', { file: '/nowhere/at-all' }, /file \/nowhere\/at-all cannot be read \(ENOENT\)/],
    ['a number', 5, /Give a password/],
    ['two places', { env: 'A', file: '/b' }, /Give a password/],
  ])('is refused with its path for %s', (_, password, why) => {
    const parse = () => parseConfig({ ...withMerchant({ password }), connectors: good.connectors });
    expect(parse).toThrow(/merchants\.0\.password: /);
    expect(parse).toThrow(why);
  });

  test('is refused in a setting and in a list with its path, without the value', () => {
    const parse = () =>
      parseConfig({
        ...withMerchant({ callbackSecret: [WHSEC, file('password')], password: file('empty') }),
        mids: [{ ...mid, settings: { base_url: 'https://p.example', inner: { key: { env: 'RAILYARD_NOT_SET' } } } }],
      });
    expect(parse).toThrow(/mids\.0\.settings\.inner\.key: The environment variable RAILYARD_NOT_SET is not set/);
    expect(parse).toThrow(/merchants\.0\.password: The file .*empty is empty/);
    expect(parse).toThrow(/merchants\.0\.callbackSecret/);
    expect(parse).not.toThrow(/from a file/);
  });
});
