import { CamelCasePlugin } from 'kysely';

/** Columns as the schema names them: `merchantKey` for `merchant_key`. */
export class ColumnNames extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  /** The name in the schema of a column of the database. */
  of(column: string): string {
    return this.camelCase(column);
  }
}

/** For a driver that gives its rows these names by itself: only what is asked is translated. */
export class AskedNames extends ColumnNames {
  override async transformResult({ result }: Parameters<CamelCasePlugin['transformResult']>[0]) {
    return result;
  }
}
