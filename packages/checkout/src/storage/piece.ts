import { type Expression, type OperationNode, sql as kysely } from 'kysely';

/**
 * A piece of SQL with the values that stand in it: what kysely's `sql` makes, without its nodes, for statements that come with every payment. In a
 * statement of kysely's it is an expression like any other.
 */
export class Piece<T = unknown> implements Expression<T> {
  /** Two pieces with the same key, and with the same keys within, have the same text. */
  readonly key: unknown;
  readonly texts: readonly string[];
  /** One between every two texts: a piece, or a value that becomes a parameter. */
  readonly values: readonly unknown[];

  constructor(key: unknown, texts: readonly string[], values: readonly unknown[]) {
    this.key = key;
    this.texts = texts;
    this.values = values;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    const [first = '', ...rest] = this.texts;
    const parts = rest.flatMap((text, at) => [kysely`${this.values[at]}`, kysely.raw(text)]);
    return kysely.join([kysely.raw(first), ...parts], kysely``).toOperationNode();
  }
}

/** A template is one object however often it is filled in (ECMA-262, GetTemplateObject). */
export function sql<T = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Piece<T> {
  return new Piece<T>(texts, texts, values);
}

/** A text as it is. */
sql.raw = (text: string): Piece => new Piece(text, [text], []);

/** Values with commas between them. */
sql.list = (values: readonly unknown[]): Piece =>
  new Piece(values.length, ['', ...values.slice(1).map(() => ', '), ...(values.length === 0 ? [] : [''])], values);
