import { randomBytes } from 'node:crypto';
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
  /** A new empty database. */
  newDatabase(name: string): Promise<Place & { readonly databaseUrl: string }>;
}

/** A PostgreSQL server of the benchmark's own: real files, every commit written to disk. */
export async function newServer(cleanup: Cleanup): Promise<Server> {
  const programs = copyServerPrograms();
  cleanup.add(() => rm(programs, { recursive: true }));
  const server = await startPostgres(programs, () => mkdtemp(join(tmpdir(), 'railyard-bench-server-')));
  cleanup.add(server.remove);
  return {
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
}

const noProvider: ProviderAddress = { url: 'http://127.0.0.1:9', apiKey: 'bench', webhookSecret: 'bench' };

/** The checkout as a process of its own. */
export async function startService(
  cleanup: Cleanup,
  place: Place,
  { callbackUrl, ...provider }: ProviderAddress = noProvider,
): Promise<Service> {
  const process = startChild('service');
  let running = true;
  const stop = async () => {
    if (running) await process.end();
    running = false;
  };
  cleanup.add(stop);
  const url = String(
    await process.ask({
      ...place,
      provider,
      port: await freePort(),
      ...(callbackUrl !== undefined && { callbackUrl }),
    }),
  );
  return { url, process, stop };
}
