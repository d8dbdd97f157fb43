import type { ColumnType } from 'kysely';

/** timestamptz: a Date, millisecond precision. */
export type Timestamp = ColumnType<Date, Date, Date>;
