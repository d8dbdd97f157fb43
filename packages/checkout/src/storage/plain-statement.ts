import { CompiledQuery, type QueryResult } from 'kysely';
import type { Db } from './db.ts';
import { Piece } from './piece.ts';

/** A statement as it is sent. */
export interface PlainStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * The text of a statement that is written out, with its values as parameters. kysely's own way asks each plugin about each piece and copies it,
 * which takes several times as long; a statement that comes with every payment is written out instead, and its text is written once: it is found
 * again by the templates that the statement is made of.
 *
 * @param before parameters of a text that is put before it
 * @throws Error where a value is one of kysely's: what kysely quotes is compiled by kysely
 */
export function plainStatement(statement: Piece, before = 0): PlainStatement {
  const parameters: unknown[] = [];
  const place = follow(step(root, before), statement, parameters);
  if (place === undefined) return { text: write(statement, { text: '', parameters: before }).text, parameters };
  place.text ??= write(statement, { text: '', parameters: before }).text;
  return { text: place.text, parameters };
}

/** Where the pieces of a statement have led to, from its beginning on. */
interface Place {
  readonly next: Map<unknown, Place>;
  /** Of the statement that ends here. */
  text?: string;
}

const root: Place = { next: new Map() };
/** A form of a change has some 150, so that these are a few hundred forms, and 11 MB. What comes after them is written each time. */
const MOST_PLACES = 50_000;
let places = 0;

function step(place: Place | undefined, key: unknown): Place | undefined {
  const known = place?.next.get(key);
  if (known !== undefined || place === undefined || places >= MOST_PLACES) return known;
  places += 1;
  const next: Place = { next: new Map() };
  place.next.set(key, next);
  return next;
}

/** Stands for any parameter. */
const parameter = Symbol('parameter');

function follow(from: Place | undefined, { key, values }: Piece, parameters: unknown[]): Place | undefined {
  let place = step(from, key);
  for (const value of values)
    if (value instanceof Piece) place = follow(place, value, parameters);
    else {
      parameters.push(parameterOf(value));
      place = step(place, parameter);
    }
  return place;
}

function parameterOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'toOperationNode' in value)
    throw new Error('A statement that is written out holds nothing of kysely.');
  return value;
}

interface Written {
  text: string;
  /** So far. */
  parameters: number;
}

function write({ texts, values }: Piece, written: Written): Written {
  for (const [at, text] of texts.entries()) {
    written.text += text;
    if (at >= values.length) continue;
    const value = values[at];
    if (value instanceof Piece) write(value, written);
    else written.text += `$${(written.parameters += 1)}`;
  }
  return written;
}

/** Executes a statement that is written out. */
export function executePlain<Row>(db: Db, statement: Piece<Row>): Promise<QueryResult<Row>> {
  const { text, parameters } = plainStatement(statement);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}
