import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseFolder } from './database-folder.ts';
import { freePort } from './listen.ts';
import { serverUser } from './server-programs.ts';

const run = promisify(execFile);

export interface PostgresServer {
  /** The address of a database on it. */
  url(database: string): string;
  /** `fast`: ends every connection; `immediate`: as if it crashed, it recovers when it starts again. */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Many services with pools of their own run on one server; what it writes is safe, as in production. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '500',
  shared_buffers: '64MB',
  fsync: 'on',
};

/**
 * A PostgreSQL server of one's own on loopback.
 *
 * @param programs where `copyServerPrograms` put them
 * @param newFolder where its files are to be; in memory unless given
 * @param own settings beside those of every test
 */
export async function startPostgres(
  programs: string,
  newFolder: () => Promise<string> = () => databaseFolder('server'),
  own: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const user = serverUser();
  const program = (name: string, args: readonly string[]) =>
    run(join(programs, 'bin', name), [...args], { ...user, cwd: tmpdir(), env: { ...process.env, LC_ALL: 'C' } });
  const folder = await newFolder();
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  await writeFile(passwordFile, password);
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  const how = ['--auth=scram-sha-256', '--username=tester', `--pwfile=${passwordFile}`];
  await program('initdb', [
    `--pgdata=${data}`,
    ...how,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, ...own, port }).map(([name, value]) => `-c ${name}='${value}'`);
  let running = false;
  const server: PostgresServer = {
    url: (database) => `postgres://tester:${password}@127.0.0.1:${port}/${database}`,
    async start() {
      await program('pg_ctl', ['start', '-w', '-s', '-D', data, '-l', log, '-o', settings.join(' ')]).catch(
        async (error: unknown) => {
          throw new Error(`The server did not start: ${await readFile(log, 'utf8')}`, { cause: error });
        },
      );
      running = true;
    },
    async stop(mode) {
      await program('pg_ctl', ['stop', '-w', '-s', '-D', data, '-m', mode]);
      running = false;
    },
    async remove() {
      if (running) await server.stop('immediate');
      await rm(folder, { recursive: true });
    },
  };
  await server.start();
  return server;
}
