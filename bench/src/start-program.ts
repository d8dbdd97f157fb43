import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import type { Place } from './places.ts';
import { merchant, typicalSession } from './typical.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/checkout/dist/bin.js', import.meta.url));
/** A start takes seconds at most. */
const LIMIT_MS = 120_000;
const CONFIG = fileURLToPath(new URL('processes/started.config.mjs', import.meta.url));

/** Milliseconds from the process. */
export interface Started {
  readonly address: number;
  /** To the answer of a session, asked for as soon as the address is known. */
  readonly session: number;
}

/** Starts the program that is shipped with a configuration as an operator writes it, creates a session, and stops it. */
export async function startProgram(place: Place): Promise<Started> {
  // Neither the conditions nor the caches of the process that measures.
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...outer } = process.env;
  const env = {
    ...outer,
    PORT: String(await freePort()),
    DATA_DIR: place.dataDir,
    MERCHANT_KEY: merchant.key,
    MERCHANT_PASSWORD: merchant.password,
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
    ...(place.encryptionKey !== undefined && { RAILYARD_ENCRYPTION_KEY: place.encryptionKey }),
  };
  const from = process.hrtime.bigint();
  const child = spawn(process.execPath, [PROGRAM, CONFIG], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  const sinceStart = () => Number(process.hrtime.bigint() - from) / 1e6;
  const listens = new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('listens on')) resolve(sinceStart());
    });
  });
  const gone = ended.then((): never => {
    throw new Error(`The program has ended: ${said}`);
  });
  gone.catch(() => undefined);
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    const address = await Promise.race([listens, gone]);
    await createSession(env.PORT);
    return { address, session: sinceStart() };
  } finally {
    child.kill('SIGTERM');
    await ended;
    clearTimeout(limit);
  }
}

async function createSession(port: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(typicalSession(randomUUID())),
  });
  if (!response.ok) throw new Error(`A session is answered with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
