import { DatabaseError } from 'pg';

/**
 * The database server cannot be used just now; the same will work again later. The message is for logs and names no
 * secret.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** The effect of the statement: `none`, it changed nothing; `unknown`, its answer was lost, so it may have been done. */
  readonly effect: 'none' | 'unknown';

  constructor(effect: 'none' | 'unknown', cause: unknown) {
    super(`The database is not available (${wordOf(cause)}).`, { cause });
    this.effect = effect;
  }
}

/** The server says: not now. It has undone the statement. (PostgreSQL: Appendix A, Error Codes.) */
const UNDONE = new Set([
  '57014', // the statement took too long
  '25006', // a server that may only be read from: the former primary, after a failover
  '40001', // could not be brought into an order with what others did
  '40P01', // waited for others who waited for it
]);
/** Of them those by which the statement made room for another one: the same may be done at once. */
const UNDONE_FOR_ANOTHER: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/** Classes: out of resources or connections, trouble of the machine. */
const UNDONE_CLASSES = new Set(['53', '58']);
/** The server ends the connection; whether the statement was done before that is not known. */
const ENDED = new Set(['57P01', '57P02', '57P05']);
const CONNECTION_CLASS = '08';

/** Messages of `pg` for a connection that was broken before it was used. */
const NOT_SENT = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);
const LOST = new Set(['Connection terminated', 'Connection terminated unexpectedly']);
const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_DESTROYED']);

/** The server no longer answers. */
export class SilentServerError extends Error {
  override readonly name = 'SilentServerError';

  constructor() {
    super('the server has gone silent');
  }
}

/** The effect of a statement that failed because the database is not available; `undefined` for any other failure. */
function effectOf(error: unknown): 'none' | 'unknown' | undefined {
  if (error instanceof DatabaseError) {
    const { code = '' } = error;
    if (UNDONE.has(code) || UNDONE_CLASSES.has(code.slice(0, 2))) return 'none';
    return ENDED.has(code) || code.startsWith(CONNECTION_CLASS) ? 'unknown' : undefined;
  }
  if (!(error instanceof Error)) return undefined;
  if (NOT_SENT.has(error.message)) return 'none';
  const lost = error instanceof SilentServerError || LOST.has(error.message) || LOST_CODES.has(codeOf(error));
  return lost ? 'unknown' : undefined;
}

const codeOf = (error: object): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

function wordOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.message;
  if (error instanceof Error) return codeOf(error) || error.message;
  return 'unknown';
}

/** Whether the database undid the statement for the sake of another one. */
export const isUndoneForAnother = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError &&
  error.cause instanceof DatabaseError &&
  UNDONE_FOR_ANOTHER.has(error.cause.code);

/** SQLSTATE (PostgreSQL: Appendix A, Error Codes). */
const STATE_LENGTH = 5;

/** Whether the database refused a statement because of its data, or undid it for another one: it had no effect. */
export const isRefused = (error: unknown): boolean =>
  isUndoneForAnother(error) ||
  (error instanceof Error && codeOf(error).length === STATE_LENGTH && effectOf(error) === undefined);

const UNIQUE_VIOLATION = '23505';

/** Whether a row of the same key was there already. @param constraint which key; default: any */
export function isTaken(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether a row was to be deleted that others refer to. */
export const isReferredTo = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === FOREIGN_KEY_VIOLATION;

/** The error to throw for a statement that failed: it says what became of it. */
export function failureOf(error: unknown): unknown {
  const effect = effectOf(error);
  return effect === undefined ? error : new DatabaseUnavailableError(effect, error);
}

const NOT_SUPPORTED = '0A000';

/** Whether a table has changed, by a newer version, since the statement was prepared. It has done nothing. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === NOT_SUPPORTED && error.message.startsWith('cached plan');

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
