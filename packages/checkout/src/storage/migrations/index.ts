import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';

/** Every migration by name, in order. A list of imports, so that a bundle carries them. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
};
