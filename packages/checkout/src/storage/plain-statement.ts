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
 * @throws Error where it holds more than text and values: a name that kysely quotes is compiled by kysely
 */
export function plainStatement(statement: RawBuilder<unknown>): PlainStatement {
  const parameters: unknown[] = [];
  const textOf = (node: OperationNode): string => {
    if (ValueNode.is(node) && node.immediate !== true) return `$${parameters.push(node.value)}`;
    if (!RawNode.is(node)) throw new Error(`A statement that is written out holds no ${node.kind}.`);
    const [first = '', ...rest] = node.sqlFragments;
    return rest.reduce((text, fragment, at) => text + childOf(node, at) + fragment, first);
  };
  const childOf = ({ parameters: children }: RawNode, at: number) => {
    const child = children[at];
    return child === undefined ? '' : textOf(child);
  };
  return { text: textOf(statement.toOperationNode()), parameters };
}

/** Executes a statement that is written out. */
export function executePlain<Row>(db: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  const { text, parameters } = plainStatement(statement);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}
