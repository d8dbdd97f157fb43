import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON line per event. Callers log ids, words and numbers that they name; bodies, headers and settings are never passed in
 * whole, so there is nothing to strip.
 */
export function createLog(destination?: { write(line: string): void }): Log {
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
