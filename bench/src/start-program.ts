import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import type { Place } from './places.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/checkout/dist/bin.js', import.meta.url));
/** A start takes seconds at most. */
const LIMIT_MS = 120_000;
const CONFIG = fileURLToPath(new URL('processes/started.config.mjs', import.meta.url));

/**
 * Starts the program that is shipped with a configuration as an operator writes it, and stops it when it has said its address.
 *
 * @returns milliseconds from its process to its address
 */
export async function startProgram(place: Place): Promise<number> {
  // Neither the conditions nor the caches of the process that measures.
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...outer } = process.env;
  const env = {
    ...outer,
    PORT: String(await freePort()),
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
    ...(place.encryptionKey !== undefined && { RAILYARD_ENCRYPTION_KEY: place.encryptionKey }),
  };
  const from = process.hrtime.bigint();
  const child = spawn(process.execPath, [PROGRAM, CONFIG], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  const listens = new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('listens on')) resolve(Number(process.hrtime.bigint() - from) / 1e6);
    });
  });
  const gone = ended.then((): never => {
    throw new Error(`The program has ended: ${said}`);
  });
  gone.catch(() => undefined);
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    return await Promise.race([listens, gone]);
  } finally {
    child.kill('SIGTERM');
    await ended;
    clearTimeout(limit);
  }
}
