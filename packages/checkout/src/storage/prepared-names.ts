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
  let given = 0;
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      const count = (times.get(text) ?? 0) + 1;
      if (times.has(text) || times.size < MOST_TEXTS) times.set(text, count);
      if (count < OFTEN || names.size >= MOST_NAMES) return undefined;
      times.delete(text);
      const prepared = { name: `railyard_${(given += 1)}` };
      names.set(text, prepared);
      return prepared;
    },
    forget: (text) => void names.delete(text),
  };
}
