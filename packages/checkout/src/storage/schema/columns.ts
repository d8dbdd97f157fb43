/**
 * A column by the types in which it is read, inserted and updated, as kysely knows it. Declared here, because the rows' types are part of the
 * package's own, and kysely is built into it.
 */
export interface ColumnType<Read, Inserted, Updated> {
  readonly __select__: Read;
  readonly __insert__: Inserted;
  readonly __update__: Updated;
}

/** A column with a default. */
export type Generated<T> = ColumnType<T, T | undefined, T>;

/** timestamptz: a Date, millisecond precision. */
export type Timestamp = ColumnType<Date, Date, Date>;

/** A row as it is read. */
export type Selectable<Table> = { [Name in keyof Table]: ReadAs<Table[Name]> };

type ReadAs<T> = T extends ColumnType<infer Read, unknown, unknown> ? Read : T;
