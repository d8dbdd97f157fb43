// Run by itself: seals a database again with another key, and kills itself half way.
import * as z from 'zod';
import { createSealer, rotateKeys, type Sealer } from '../../src/secrets/index.ts';
import { openDatabase } from '../../src/storage/index.ts';

const { place, keys, after } = z
  .object({
    place: z.object({ dataDir: z.string(), databaseUrl: z.string().exactOptional() }),
    keys: z.tuple([z.base64(), z.base64()]),
    /** Texts that are sealed before it dies. */
    after: z.int(),
  })
  .parse(JSON.parse(process.env['ROTATION_TEST'] ?? ''));

const { dataDir, databaseUrl } = place;
const { db } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
const sealer = createSealer([Buffer.from(keys[0], 'base64'), Buffer.from(keys[1], 'base64')]);
let sealed = 0;
const dying: Sealer = {
  ...sealer,
  seal(secret, at) {
    sealed += 1;
    if (sealed > after) process.kill(process.pid, 'SIGKILL');
    return sealer.seal(secret, at);
  },
};
await rotateKeys(db, dying);
