import type { Kysely } from 'kysely';
import type { Schema } from './schema/index.ts';

/** All access goes through it: kysely hands a connection (PGlite has but one) to one query or transaction at a time. */
export type Db = Kysely<Schema>;
