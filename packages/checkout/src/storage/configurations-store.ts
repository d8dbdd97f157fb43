import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import type { Db } from './db.ts';
import type { ConfigurationsTable } from './schema/configurations.ts';
import type { SqlClock } from './sql-clock.ts';

export type StoredConfiguration = Selectable<ConfigurationsTable>;

/** Versions of merchants and MIDs. The newest is in force; none is changed or deleted. */
export class ConfigurationsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async newest(): Promise<StoredConfiguration | undefined> {
    return this.#db.selectFrom('configurations').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst();
  }

  /** The number of the newest version, 0 if there is none: asked often. */
  async newestVersion(): Promise<number> {
    const row = await this.#db
      .selectFrom('configurations')
      .select('version')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.version ?? 0;
  }

  /** Every version, newest first, without its content. */
  async history(): Promise<Pick<StoredConfiguration, 'version' | 'origin' | 'appliedAt'>[]> {
    return this.#db
      .selectFrom('configurations')
      .select(['version', 'origin', 'appliedAt'])
      .orderBy('version', 'desc')
      .execute();
  }

  /** @returns false if another process stored this version: its content may differ */
  async add(configuration: Omit<StoredConfiguration, 'appliedAt'>): Promise<boolean> {
    const { version, publicText, sealed, origin } = configuration;
    const added = await sql`
        INSERT INTO configurations (version, public_text, sealed, origin, applied_at)
        VALUES (${version}::integer, ${publicText}, ${sealed}, ${origin}, ${this.#clock()})
        ON CONFLICT DO NOTHING`.execute(this.#db);
    return added.numAffectedRows === 1n;
  }
}

export const configurationsStore = (db: Db, clock: SqlClock): ConfigurationsStore => new ConfigurationsStore(db, clock);
