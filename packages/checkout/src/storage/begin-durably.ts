import { DatabaseUnavailableError } from './database-failure.ts';

/**
 * Stores the beginning of something. Where the database's answer was lost, it was stored if it is there, and goes on. If it is not
 * there, it may still come: it is not stored again, and the error says that its effect is not known.
 *
 * @param find looks for it by the id that it was to be stored under
 */
export async function beginDurably<Started, Found = Started>(
  begin: () => Promise<Started>,
  find: (lost: DatabaseUnavailableError) => Promise<Found | undefined>,
): Promise<Started | Found> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) || error.effect === 'none') throw error;
    const found = await find(error).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}
