import type { Method } from './define-method.ts';
import type { MethodProfile } from './profile.ts';

/** Where a value of a parameter came from. */
export type Origin = 'session' | 'mid' | 'payer' | 'default';

/** One method of one session: the session's fields, the key as sent, and what stands under `parameters.<key>`. */
export interface Scope {
  readonly session: object;
  readonly key: string;
  readonly own: Readonly<Record<string, unknown>>;
}

/** A method of a session, with its parameters as the method reads them. */
export function scopeWith(
  session: object,
  key: string,
  sent: Readonly<Record<string, unknown>> | undefined,
  { read }: Pick<Method, 'read'> = {},
): Scope {
  const given = sent ?? {};
  return { session, key, own: read === undefined ? given : read(given) };
}

/** The values known besides the session when a method's fields are checked. */
export interface Sources {
  readonly profile?: MethodProfile | undefined;
  /** Values of the MID, by parameter name or session path. Without them, those in the profile. */
  readonly mid?: Readonly<Record<string, unknown>>;
  /** Answers of the payer, by path as the page names it (`parameters.pix.debtor_name`, `customer.email`). */
  readonly payer?: Readonly<Record<string, unknown>>;
  /** The day in UTC as `YYYY-MM-DD`, for rules about dates. */
  readonly today?: string | undefined;
}
