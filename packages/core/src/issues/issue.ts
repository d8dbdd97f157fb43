import type { Translated } from '../payer-text.ts';

/** One thing that is wrong with a request. */
export interface Issue {
  /** Dotted: `order.amount`, `parameters.pix.debtor_document`. */
  readonly path: string;
  readonly message: string;
  readonly code: number;
  /** The message in several languages, where the method has it in them; for the payer alone. */
  readonly said?: Translated;
}

/** Every entry of a validation answer carries this code; only the text differs (protocol: Errors). */
export const invalidValueCode = 100000;

/** Transactions and orders that are not found; payments of actions, schedules and mandates keep the generic code (protocol: Errors). */
export const notFoundCode = 101000;

/** @example issue('order.amount', TEXTS.blank) */
export function issue(path: string, message: string, code: number = invalidValueCode): Issue {
  return { path, message, code };
}

/** Keeps the first issue of each path: a blank value is not also reported as too short. */
export function onePerPath(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => !seen.has(path) && seen.add(path));
}
