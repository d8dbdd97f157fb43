import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../packages/checkout/test/support/listen.ts';
import { startPostgres } from '../../packages/checkout/test/support/postgres-server.ts';
import { copyServerPrograms } from '../../packages/checkout/test/support/server-programs.ts';
import { type Child, startChild } from './processes/child.ts';

/** Steps that undo a benchmark at its end, last first. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) await step();
  }
}

/** Runs with a cleanup that happens whatever becomes of the run. */
export async function withCleanup<R>(run: (cleanup: Cleanup) => Promise<R>): Promise<R> {
  const cleanup = new Cleanup();
  try {
    return await run(cleanup);
  } finally {
    await cleanup.run();
  }
}

export async function newFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'railyard-bench-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where a service keeps its sessions. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly encryptionKey?: string;
}

export interface Server {
  /** Seconds of processor time that its processes have used, those that have ended too; `NaN` where the system does not say. */
  cpuSeconds(): number;
  /** A new empty database. */
  newDatabase(name: string): Promise<Place & { readonly databaseUrl: string }>;
}

/** A PostgreSQL server of the benchmark's own: real files, every commit written to disk. */
export async function newServer(cleanup: Cleanup): Promise<Server> {
  const programs = copyServerPrograms();
  cleanup.add(() => rm(programs, { recursive: true }));
  const folder = await mkdtemp(join(tmpdir(), 'railyard-bench-server-'));
  const server = await startPostgres(programs, () => Promise.resolve(folder));
  cleanup.add(server.remove);
  return {
    cpuSeconds: () => cpuSecondsOf(folder),
    async newDatabase(name) {
      const admin = new Client({ connectionString: server.url('postgres') });
      await admin.connect();
      await admin.query(`CREATE DATABASE ${name}`);
      await admin.end();
      const encryptionKey = randomBytes(32).toString('base64');
      return { dataDir: await newFolder(cleanup), databaseUrl: server.url(name), encryptionKey };
    },
  };
}

/** Ticks of the clock in a second, in what Linux says of a process. */
const TICKS = 100;

/**
 * Of the server whose files are in a folder: of its first process, of those that it has started, and of those of them that have ended, whose time
 * the first one has beside its own (proc(5), `/proc/pid/stat`).
 */
function cpuSecondsOf(folder: string): number {
  try {
    const [first = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    let ticks = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, parent, ...fields] = statOf(pid);
      // Of the fields behind the state: the parent, nine others, then the time in user and in system mode, and the same of children that have ended.
      if (pid === first || parent === first) ticks += sumOf(fields.slice(9, 11));
      if (pid === first) ticks += sumOf(fields.slice(11, 13));
    }
    return ticks / TICKS;
  } catch {
    return Number.NaN;
  }
}

const sumOf = (numbers: readonly string[]): number => numbers.reduce((sum, each) => sum + Number(each), 0);

/** The fields behind the name of a process; none where it has just ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

export interface Service {
  readonly url: string;
  readonly process: Child;
  stop(): Promise<void>;
}

/** The provider that takes the payments; no provider where none is made. */
export interface ProviderAddress {
  readonly url: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** Where callbacks go; without it none are sent. */
  readonly callbackUrl?: string;
  /** It is a card acquirer, too. */
  readonly takesCards?: boolean;
}

const noProvider: ProviderAddress = { url: 'http://127.0.0.1:9', apiKey: 'bench', webhookSecret: 'bench' };

/** A process that is stopped at the end of the benchmark, unless it was before. */
function stoppedOnce(cleanup: Cleanup, process: Child): Pick<Service, 'process' | 'stop'> {
  let ended: Promise<void> | undefined;
  const stop = () => (ended ??= process.end());
  cleanup.add(stop);
  return { process, stop };
}

/** The payments by hand as a process of their own, on a database of their own. */
export async function startByHand(cleanup: Cleanup, place: Place, provider: ProviderAddress): Promise<Service> {
  const { process, stop } = stoppedOnce(cleanup, startChild('by-hand'));
  const url = String(
    await process.ask({ ...place, provider, callbackUrl: provider.callbackUrl, port: await freePort() }),
  );
  return { url, process, stop };
}

/** The checkout as a process of its own. */
export async function startService(
  cleanup: Cleanup,
  place: Place,
  { callbackUrl, takesCards = false, ...provider }: ProviderAddress = noProvider,
): Promise<Service> {
  const { process, stop } = stoppedOnce(cleanup, startChild('service'));
  const url = String(
    await process.ask({
      ...place,
      provider,
      takesCards,
      port: await freePort(),
      ...(callbackUrl !== undefined && { callbackUrl }),
    }),
  );
  return { url, process, stop };
}
