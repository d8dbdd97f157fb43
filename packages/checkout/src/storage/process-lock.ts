import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

/** How often the holder touches the file, and after how long without a touch a holder on another machine counts as gone. */
const HEARTBEAT_MS = 10_000;
const SILENT_MS = 60_000;

const holderSchema = z.object({
  pid: z.int(),
  /** When the process began, in the system's own terms; tells a process from a later one with the same pid. */
  startedAt: z.string(),
  host: z.string(),
  token: z.string(),
});

type Holder = z.output<typeof holderSchema>;

/** Somebody else has the directory open. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface ProcessLock {
  release(): void;
}

/** The kernel's start time of a process, or '' where the system does not tell it in this way, or undefined if there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return undefined;
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may contain spaces; the start time is the 20th field after it.
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
  } catch {
    return '';
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder, path: string): boolean {
  // A pid says nothing about a process on another machine or in another container.
  if (holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < SILENT_MS;
  const started = startOf(holder.pid);
  return started !== undefined && (started === '' || holder.startedAt === '' || started === holder.startedAt);
}

/** Moves a stale lock out of the way; puts it back if another process replaced it in between. */
function removeStale(path: string, staleText: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readFileSync(aside, 'utf8') !== staleText) linkSync(aside, path);
  rmSync(aside);
}

/** Writes the lock file whole or not at all. */
function tryCreate(path: string, text: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function hold(path: string, text: string): ProcessLock {
  const heartbeat = setInterval(() => {
    // A failed touch only matters to other machines, and shows there.
    if (readText(path) === text) utimesSync(path, new Date(), new Date());
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readText(path) === text) rmSync(path);
    },
  };
}

/**
 * Takes the lock file at `path` for this process, or takes it over from a process that no longer runs.
 *
 * @throws DirectoryInUseError if its holder still runs, this process included
 */
export function takeProcessLock(path: string): ProcessLock {
  const mine: Holder = {
    pid: process.pid,
    startedAt: startOf(process.pid) ?? '',
    host: hostname(),
    token: randomUUID(),
  };
  const text = JSON.stringify(mine);
  for (let round = 0; round < 5; round += 1) {
    if (tryCreate(path, text)) return hold(path, text);
    const found = readText(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder === undefined || isAlive(holder, path)) {
      const who = holder === undefined ? 'an unreadable lock file' : `process ${holder.pid} on ${holder.host}`;
      throw new DirectoryInUseError(
        `The data directory is in use by ${who} (${path}). Two processes on one directory would destroy each other's data. ` +
          'Stop the other one, or choose another directory. If nothing else uses the directory, delete the lock file.',
      );
    }
    removeStale(path, found);
  }
  throw new DirectoryInUseError(`The data directory is wanted by several processes at once (${path}).`);
}
