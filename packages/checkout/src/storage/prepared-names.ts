import { createHash } from 'node:crypto';
import type { Columns } from './prepared-query.ts';

/** Statements that come only now and then are not worth a place in the memory of every connection. */
const OFTEN = 3;
/** Names that are given, which is how many statements each connection has prepared at most. */
const MOST_NAMES = 400;
/** Texts whose times are counted. A text with a list in it differs by the length of the list. */
const MOST_TEXTS = 4 * MOST_NAMES;

/** A statement that a server keeps prepared. */
export interface Prepared {
  readonly name: string;
  /** Of its rows, since it was answered. */
  columns?: Columns;
}

/**
 * The name tells its text, in every process and version: a pooler that leads a statement to another process's connection finds the same text under
 * it or none, and never carries out another one. PostgreSQL cuts names after 63 bytes.
 */
const nameOf = (text: string, renewals: number): string => {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return renewals === 0 ? `railyard_${digest}` : `railyard_${digest}_${renewals}`;
};

/** The names by which a server keeps statements prepared: to plan one costs the server as much as to carry it out. */
export interface PreparedNames {
  /** A statement, from the third time on that it comes. */
  of(text: string): Prepared | undefined;
  /** Its next name is another one, because under this one a server has it as it was. */
  forget(text: string): void;
}

export function preparedNames(): PreparedNames {
  const times = new Map<string, number>();
  const names = new Map<string, Prepared>();
  const renewals = new Map<string, number>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      const count = (times.get(text) ?? 0) + 1;
      if (times.has(text) || times.size < MOST_TEXTS) times.set(text, count);
      if (count < OFTEN || names.size >= MOST_NAMES) return undefined;
      times.delete(text);
      const prepared = { name: nameOf(text, renewals.get(text) ?? 0) };
      names.set(text, prepared);
      return prepared;
    },
    forget(text) {
      if (names.delete(text)) renewals.set(text, (renewals.get(text) ?? 0) + 1);
    },
  };
}
