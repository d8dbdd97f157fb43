import { type RawBuilder, sql } from 'kysely';
import { toJsonText } from './json-text.ts';

type Type = 'boolean' | 'double precision' | 'integer' | 'json' | 'numeric' | 'text' | 'timestamptz' | 'uuid';

/** Where a statement has the values of a row from. */
export interface RowValues {
  /** A value as a piece of SQL. */
  of(type: Type, value: unknown): RawBuilder<unknown>;
  /** Joins the values to the row of their payment, whose id is this. */
  joined(id: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** Each value is a parameter of the statement, which is about one row. */
export const parameters: RowValues = {
  of: (type, value) => sql`${type === 'json' ? toJsonText(value) : value}::${sql.raw(type)}`,
  joined: () => sql``,
};

/**
 * Each value is a column of a row `g` of `given`. A statement about many rows has the same text as that of one, and so one about some whose texts
 * are equal is one about all.
 *
 * @example
 * const row = rowColumns(paymentId);
 * sql`WITH given AS (${givenRows([row])}) UPDATE payments p SET state = ${row.of('text', state)} FROM given g WHERE p.id = g.payment_id`
 */
export interface RowColumns extends RowValues {
  /** Of the columns, in their order. */
  readonly types: readonly Type[];
  /** By the names of the columns. */
  readonly values: Readonly<Record<string, unknown>>;
}

export function rowColumns(paymentId: string): RowColumns {
  const types: Type[] = [];
  const values: Record<string, unknown> = { payment_id: paymentId };
  return {
    types,
    values,
    of(type, value) {
      const name = `c${types.push(type)}`;
      values[name] = value;
      return sql.raw(`g.${name}`);
    },
    joined: (id) => sql`JOIN given g ON g.payment_id = ${id}`,
  };
}

/** Rows of equal columns, as a part of a statement. */
export function givenRows(rows: readonly RowColumns[]): RawBuilder<unknown> {
  const columns = (rows[0]?.types ?? []).map((type, index) => `, c${index + 1} ${type}`).join('');
  return sql`SELECT * FROM json_to_recordset(${toJsonText(rows.map(({ values }) => values))}::text::json) AS g (payment_id uuid${sql.raw(columns)})`;
}
