import { CompiledQuery, type OperationNode, type QueryResult, type RawBuilder, RawNode, ValueNode } from 'kysely';
import type { Db } from './db.ts';

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
 * @throws Error where it holds more than text and values: a name that kysely quotes is compiled by kysely
 */
export function plainStatement(statement: RawBuilder<unknown>, before = 0): PlainStatement {
  const node = statement.toOperationNode();
  const parameters: unknown[] = [];
  const place = follow(step(root, before), node, parameters);
  if (place === undefined) return { text: write(node, { text: '', parameters: before }).text, parameters };
  place.text ??= write(node, { text: '', parameters: before }).text;
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

function step(place: Place | undefined, piece: unknown): Place | undefined {
  const known = place?.next.get(piece);
  if (known !== undefined || place === undefined || places >= MOST_PLACES) return known;
  places += 1;
  const next: Place = { next: new Map() };
  place.next.set(piece, next);
  return next;
}

/** A template is one object however often it is filled in (ECMA-262, GetTemplateObject); other texts are followed piece by piece. */
function follow(from: Place | undefined, node: OperationNode, parameters: unknown[]): Place | undefined {
  if (isValue(node)) {
    parameters.push(node.value);
    return step(from, '$');
  }
  const { sqlFragments, parameters: children } = rawOf(node);
  let place: Place | undefined;
  if ('raw' in sqlFragments) place = step(from, sqlFragments);
  else {
    place = step(from, sqlFragments.length);
    for (const fragment of sqlFragments) place = step(place, fragment);
  }
  for (const child of children) place = follow(place, child, parameters);
  return place;
}

interface Written {
  text: string;
  /** So far. */
  parameters: number;
}

function write(node: OperationNode, written: Written): Written {
  if (isValue(node)) {
    written.text += `$${(written.parameters += 1)}`;
    return written;
  }
  const { sqlFragments, parameters } = rawOf(node);
  for (const [at, fragment] of sqlFragments.entries()) {
    written.text += fragment;
    const child = parameters[at];
    if (child !== undefined) write(child, written);
  }
  return written;
}

const isValue = (node: OperationNode): node is ValueNode => ValueNode.is(node) && node.immediate !== true;

function rawOf(node: OperationNode): RawNode {
  if (!RawNode.is(node)) throw new Error(`A statement that is written out holds no ${node.kind}.`);
  return node;
}

/** Executes a statement that is written out. */
export function executePlain<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const { text, parameters } = plainStatement(statement);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}
