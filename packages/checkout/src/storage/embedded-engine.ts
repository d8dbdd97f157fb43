import type { PGlite } from '@electric-sql/pglite';

/** The types of arrays by those of their elements. PostgreSQL's own have the same numbers in every database (its `pg_type.dat`). */
export const ARRAYS: ReadonlyMap<number, number> = new Map([
  [16, 1000], // bool
  [17, 1001], // bytea
  [20, 1016], // int8
  [21, 1005], // int2

  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1186, 1187], // interval
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
]);

/**
 * The engine's memory for pages of its tables. It writes zeros over all of it at every start: PostgreSQL's own 128 MB were a quarter of
 * the engine's start. Other pages come from the files, which the system keeps in memory.
 */
const BUFFERS = ['-c', 'shared_buffers=32MB'];

/**
 * Starts the embedded database.
 *
 * @param directory none: in memory
 */
export async function startEmbedded(directory?: string): Promise<PGlite> {
  // Loaded where it is used: a process on a server starts without it.
  const { PGlite, types } = await import('@electric-sql/pglite');
  class Engine extends PGlite {
    /** The library asks the database for them at every start, and for those of its catalogue's own tables: a fifth of the engine's start. */
    override async _initArrayTypes(): Promise<void> {
      for (const [element, array] of ARRAYS) {
        const parse = this.parsers[element] ?? ((text) => text);
        this.serializers[array] = (list) => types.arraySerializer(list, this.serializers[element], array);
        this.parsers[array] = (text) => types.arrayParser(text, parse, array);
      }
    }
  }
  const engine = new Engine(directory, { startParams: [...PGlite.defaultStartParams, ...BUFFERS] });
  await engine.waitReady;
  return engine;
}
