import { pino } from 'pino';
import { type LogField, visible } from './log-fields.ts';

export type { LogField } from './log-fields.ts';

/** One event; its fields are named in `log-fields.ts`. */
export type LogLine = { readonly event: string } & { readonly [name in LogField]?: unknown };

/** Where events go. A logger of pino is one. */
export interface Log {
  info(line: LogLine): void;
  warn(line: LogLine): void;
  error(line: LogLine): void;
}

/** A log of one JSON line per event, on standard output unless a destination is given. */
export function createLog(destination?: { write(line: string): void }): Log {
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
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
    return { event, ...visible(fields, known) };
  };
  return {
    info: (line) => log.info(clean(line)),
    warn: (line) => log.warn(clean(line)),
    error: (line) => log.error(clean(line)),
  };
}
