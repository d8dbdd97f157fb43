import type { Db } from '../storage/index.ts';
import { sealedAt } from './sealed-at.ts';
import type { Sealer } from './sealer.ts';

/**
 * A secret that all processes of one database share: made by whichever asks first, sealed, and the same for ever after.
 *
 * @param make the secret, if there is none yet
 */
export async function serviceSecret(
  db: Db,
  sealer: Sealer,
  name: string,
  make: () => Uint8Array,
  at: Date,
): Promise<Uint8Array> {
  const found = await read(db, name);
  if (found !== undefined) return sealer.openBytes(found, sealedAt.serviceSecret(name));
  const sealed = sealer.seal(make(), sealedAt.serviceSecret(name));
  await db
    .insertInto('serviceSecrets')
    .values({ name, sealed, madeAt: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // The first process to insert decides, even if it is another one.
  const stored = await read(db, name);
  if (stored === undefined) throw new Error(`The secret ${name} was not stored.`);
  return sealer.openBytes(stored, sealedAt.serviceSecret(name));
}

async function read(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('serviceSecrets').select('sealed').where('name', '=', name).executeTakeFirst();
  return row?.sealed;
}
