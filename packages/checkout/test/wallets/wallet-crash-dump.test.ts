import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acquirerConnector } from '@railyard/connector-card';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardCanary, holds } from '../support/card-canary.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import { merchant } from '../support/service.ts';
import {
  appleSettings,
  appleToken,
  CRYPTOGRAM,
  payByWallet,
  processingKey,
  walletPage,
} from '../support/wallet-service.ts';

const PROGRAM = fileURLToPath(new URL('../support/dying-wallet-process.ts', import.meta.url));
const REPORTS = ['--report-uncaught-exception', '--report-on-fatalerror'];

const { number, hasNumber } = cardCanary();
const identityKey = appleSettings.private_key.split('\n')[1] ?? '';
let made: DataDir;
let folder: string;
let config: string;
/** Everything that the process wrote, by where. */
const written = new Map<string, string>();

const read = (directory: string) => {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path).isFile()) written.set(name, readFileSync(path, 'latin1'));
  }
};

beforeAll(async () => {
  made = await newDataDir();
  folder = mkdtempSync(join(tmpdir(), 'checkout-crash-dump-'));
  config = join(folder, 'config.json');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const account = { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 'secret-of-sixteen-letters' };
  const defaults = { 'apple-pay': { card_flow: 'decrypted' } };
  const wallets = { 'apple-pay': appleSettings };
  const given = {
    publicUrl: url,
    port,
    ...made.place,
    mids: [{ id: 'cards', connector: acquirerConnector.id, settings: account, defaults }],
    merchants: [{ ...merchant, name: 'Shop', methods: [{ key: 'apple-pay', mid: 'cards' }], wallets }],
  };
  writeFileSync(config, JSON.stringify(given));
  const reports = mkdtempSync(join(folder, 'reports-'));
  const flags = ['--conditions=@railyard/source', ...REPORTS, `--report-directory=${reports}`];
  const child = spawn(process.execPath, [...flags, PROGRAM, config], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close');
  const [word] = await Promise.race([once(child, 'message'), ended]);
  if (word !== 'listening') throw new Error(`The service did not start: ${said}`);
  const { page } = await walletPage({ url }, 'apple-pay');
  await payByWallet(page, 'apple-pay', appleToken({ number })).catch(() => undefined);
  await ended;
  written.set('its last words', said);
  read(reports);
  read(made.path);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await made.remove();
});

const places = (found: (text: string) => boolean) =>
  [...written].filter(([, text]) => found(text)).map(([place]) => place);

test('a service that ends by an exception while a card is with the acquirer says why, and writes a report', () => {
  expect(places((text) => text.includes('The process ends here.'))).toEqual([
    'its last words',
    expect.stringMatching(/^report\..*\.json$/),
  ]);
});

test('its last words, its report and its files hold neither the number nor what proves it nor a key', () => {
  expect(places(hasNumber)).toEqual([]);
  for (const secret of [CRYPTOGRAM, processingKey.slice(0, 60), identityKey])
    expect(places((text) => holds(text, secret))).toEqual([]);
});

test('a key would be seen', () => {
  const text = readFileSync(config, 'utf8');
  expect([holds(text, processingKey.slice(0, 60)), holds(text, identityKey)]).toEqual([true, true]);
});
