import { pino } from 'pino';
import { type LogField, visible } from './log-fields.ts';
import { type LogState, logWriter, sinkOf } from './log-writer.ts';

export type { LogField } from './log-fields.ts';

/** One event; its fields are named in `log-fields.ts`. */
export type LogLine = { readonly event: string } & { readonly [name in LogField]?: unknown };

/** Where events go. A logger of pino is one. */
export interface Log {
  info(line: LogLine): void;
  warn(line: LogLine): void;
  error(line: LogLine): void;
  /** How it fares, where that is known. */
  readonly state?: () => LogState;
}

/** A log of one JSON line per event. */
export function createLog(destination: { write(line: string): void; readonly state?: () => LogState }): Log {
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, destination);
  return {
    info: (line) => log.info(line),
    warn: (line) => log.warn(line),
    error: (line) => log.error(line),
    ...(destination.state && { state: destination.state }),
  };
}

/** The log on standard output, which holds up nothing when that cannot be written. */
export function standardLog(): Log & { readonly flush: (withinMs: number) => Promise<boolean> } {
  const writer = logWriter(sinkOf(process.stdout));
  process.once('exit', () => writer.last());
  return { ...createLog(writer), flush: writer.flush };
}

/**
 * The log that the service writes to: of every event only the fields that are named, each in its form, and whatever stands in
 * them without card numbers, tokens, control characters and the secrets of this deployment. It is the only one that is handed on.
 *
 * @param secrets values that may stand in no line, whatever they look like; more may be added
 */
export function guardedLog(log: Log, secrets: ReadonlySet<string>): Log {
  let known: readonly string[] = [];
  let counted = 0;
  const clean = ({ event, ...fields }: LogLine): LogLine => {
    // A longer one first: one may be a part of another.
    if (counted !== secrets.size)
      known = [...secrets].filter((each) => each.length >= 4).toSorted((a, b) => b.length - a.length);
    counted = secrets.size;
    return visible(event, fields, known);
  };
  return {
    info: (line) => log.info(clean(line)),
    warn: (line) => log.warn(clean(line)),
    error: (line) => log.error(clean(line)),
    ...(log.state && { state: log.state }),
  };
}
