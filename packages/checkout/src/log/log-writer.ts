import { fstatSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Bytes that wait while the log cannot be written; further lines are lost, and counted. */
const MAX_WAITING = 4 * 1024 * 1024;
/** The most that one write takes of the waiting lines. */
const MAX_BATCH = 256 * 1024;
const AGAIN_MS = 1000;

/** How the log fares. */
export interface LogState {
  /** Lines that were lost, since the start. */
  readonly lost: number;
  /** Whether a new line waits or is lost: the disk is full, or the reader of a pipe does not read. */
  readonly isStuck: boolean;
}

export interface LogWriter {
  /** Takes a line; never waits, never throws. */
  write(line: string): void;
  state(): LogState;
  /** Resolves once everything is written, or after so many milliseconds; whether it is. */
  flush(withinMs: number): Promise<boolean>;
  /** Writes what still waits, now or never: for a process that is about to end. */
  last(): void;
}

export interface Sink {
  /** Writes bytes, and says how many were written or why not. */
  readonly write: (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;
  /** Writes bytes before it returns. */
  readonly writeNow: (bytes: Buffer) => void;
}

/**
 * Writes lines without ever blocking the caller: lines that cannot be written now wait in memory, up to 4 MiB; lines beyond that
 * are lost and counted, and the next line written reports how many. A log that blocks, as with a full disk or a pipe without a
 * reader, would stop payments.
 *
 * @param again calls back later
 */
export function logWriter(sink: Sink, again: (retry: () => void) => void = later): LogWriter {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  let reported = 0;
  let isWriting = false;
  let hasFailed = false;
  let idle: (() => void)[] = [];

  const next = (): Buffer => {
    const batch: Buffer[] = [];
    let size = 0;
    for (
      let line = waiting[0];
      line !== undefined && (size === 0 || size + line.length <= MAX_BATCH);
      line = waiting[0]
    ) {
      batch.push(line);
      size += line.length;
      waiting.shift();
    }
    return batch.length === 1 && batch[0] !== undefined ? batch[0] : Buffer.concat(batch);
  };
  const pump = () => {
    if (isWriting || waiting.length === 0) return;
    isWriting = true;
    const batch = next();
    sink.write(batch, (error, written) => {
      isWriting = false;
      bytes -= written;
      if (written < batch.length) waiting.unshift(batch.subarray(written));
      hasFailed = error !== null;
      if (hasFailed) return again(pump);
      if (lost > reported) report();
      if (waiting.length > 0) return pump();
      for (const wake of idle.splice(0)) wake();
    });
  };
  const report = () => {
    const rows = lost - reported;
    reported = lost;
    take(
      Buffer.from(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), event: 'log-lost', rows })}\n`),
    );
  };
  const take = (line: Buffer) => {
    waiting.push(line);
    bytes += line.length;
  };

  return {
    write(text) {
      const line = Buffer.from(text);
      if (bytes + line.length > MAX_WAITING) lost += 1;
      else take(line);
      pump();
    },
    state: () => ({ lost, isStuck: hasFailed || bytes > MAX_WAITING / 2 }),
    flush(withinMs) {
      if (!isWriting && waiting.length === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs, false);
        idle = [...idle, () => (clearTimeout(timer), resolve(true))];
      });
    },
    last() {
      // While it is stuck, or a write is under way that is not known to end, this could wait for ever.
      if (!hasFailed && !isWriting) sink.writeNow(Buffer.concat(waiting.splice(0)));
    },
  };
}

const later = (retry: () => void) => void setTimeout(retry, AGAIN_MS).unref();

/** Standard output, or another file that is open. A pipe is written as a stream, so that a reader who stops holds up no thread. */
export function sinkOf(stream: Writable & { readonly fd: number }): Sink {
  const kind = fstatSync(stream.fd);
  const writeNow = (bytes: Buffer) => {
    try {
      writeSync(stream.fd, bytes);
    } catch {
      // The process ends; there is no other place to say it.
    }
  };
  if (!kind.isFIFO() && !kind.isSocket())
    return { writeNow, write: (bytes, done) => write(stream.fd, bytes, 0, bytes.length, null, done) };
  // Without a listener the error of a pipe that is closed ends the process.
  stream.on('error', () => undefined);
  return {
    writeNow,
    write: (bytes, done) => stream.write(bytes, (error) => done(error ?? null, error == null ? bytes.length : 0)),
  };
}
