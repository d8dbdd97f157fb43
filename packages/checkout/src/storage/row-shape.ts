/** The rows of a statement as objects. */
export interface RowShape {
  /** As the database names them. */
  readonly columns: readonly string[];
  /** @param values in the order of the columns */
  rowOf<R>(values: readonly unknown[]): R;
}

/**
 * Rows of the same columns are copies of one object. An object to which dozens of names are added one by one, as kysely's plugin does it, becomes a
 * table of hashes for JavaScript's engine: to make it takes twice as long, and to copy it five times.
 *
 * @param nameOf the name of a column in the object
 */
export function rowShape(columns: readonly string[], nameOf: (column: string) => string): RowShape {
  const names = columns.map(nameOf);
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  return {
    columns,
    rowOf(values) {
      const row = { ...empty };
      names.forEach((name, at) => {
        row[name] = values[at];
      });
      return row;
    },
  };
}

export const hasColumns = ({ columns }: RowShape, fields: readonly { readonly name: string }[]): boolean =>
  columns.length === fields.length && fields.every(({ name }, at) => name === columns[at]);
