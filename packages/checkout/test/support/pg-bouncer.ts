import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './listen.ts';
import { serverUser } from './server-programs.ts';

export interface Pooler {
  /** The database's address through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A PgBouncer of one's own on loopback before one database.
 *
 * @param program its path
 * @param mode its `pool_mode`
 */
export async function startPgBouncer(program: string, url: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const database = pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), 'checkout-pooler-'));
  const settings = join(folder, 'pgbouncer.ini');
  const listenPort = await freePort();
  const lines = [
    '[databases]',
    `${database} = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 50',
    // The driver sends it when it connects, and PgBouncer knows it not.
    'ignore_startup_parameters = statement_timeout,extra_float_digits',
  ];
  await writeFile(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  const user = serverUser();
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, settings]) await chown(path, user.uid, user.gid);
  const child = spawn(program, [settings], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const up = await startedOf(child.stderr);
  if (up !== undefined) throw new Error(`PgBouncer did not start: ${up}`);
  const address = new URL(url);
  address.port = String(listenPort);
  return {
    url: address.href,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Reads its log until it serves. @returns what it said where it ended before */
async function startedOf(log: NodeJS.ReadableStream): Promise<string | undefined> {
  let said = '';
  return new Promise((resolve) => {
    log.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('process up')) resolve(undefined);
    });
    log.once('end', () => resolve(said));
  });
}
