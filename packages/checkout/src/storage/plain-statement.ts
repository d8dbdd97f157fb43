import { CompiledQuery, type OperationNode, type QueryResult, type RawBuilder, RawNode, ValueNode } from 'kysely';
import type { Db } from './db.ts';

/** A statement as it is sent. */
export interface PlainStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * The text of a statement that is written out, with its values as parameters. kysely's own way asks each plugin about each piece and copies it,
 * which takes more than twice as long; a statement that comes with every payment is written out instead.
 *
 * @param before parameters of a text that is put before it
 * @throws Error where it holds more than text and values: a name that kysely quotes is compiled by kysely
 */
export function plainStatement(statement: RawBuilder<unknown>, before = 0): PlainStatement {
  const written: Written = { text: '', parameters: [], before };
  append(statement.toOperationNode(), written);
  return { text: written.text, parameters: written.parameters };
}

interface Written {
  text: string;
  readonly parameters: unknown[];
  readonly before: number;
}

function append(node: OperationNode, written: Written): void {
  if (ValueNode.is(node) && node.immediate !== true) {
    written.text += `$${written.before + written.parameters.push(node.value)}`;
    return;
  }
  if (!RawNode.is(node)) throw new Error(`A statement that is written out holds no ${node.kind}.`);
  const { sqlFragments, parameters } = node;
  for (let at = 0; at < sqlFragments.length; at += 1) {
    written.text += sqlFragments[at];
    const child = parameters[at];
    if (child !== undefined) append(child, written);
  }
}

/** Executes a statement that is written out. */
export function executePlain<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const { text, parameters } = plainStatement(statement);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}
