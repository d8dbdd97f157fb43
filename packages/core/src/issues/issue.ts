import type { Translated } from '../payer-text.ts';
import { TEXTS } from './texts.ts';

/** One thing that is wrong with a request. */
export interface Issue {
  /** Dotted: `order.amount`, `parameters.pix.debtor_document`. */
  readonly path: string;
  readonly message: string;
  readonly code: number;
  /** The values that are taken, where the text does not name them. The texts are the protocol's, so that it is apart from them. */
  readonly hint?: string;
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

/** More values are only counted, because an answer lists up to a hundred problems. */
const MOST_NAMED = 40;

/** @example oneOf(['BRL', 'USD']) // 'One of: BRL, USD.' */
export function oneOf(values: readonly unknown[]): string {
  const named = values.slice(0, MOST_NAMED).join(', ');
  return values.length > MOST_NAMED ? `One of ${values.length} values, such as ${named}.` : `One of: ${named}.`;
}

/** A value that is none of those that are taken. */
export function choiceIssue(path: string, values: readonly string[]): Issue {
  const wrong = issue(path, TEXTS.choice);
  return values.length === 0 ? wrong : { ...wrong, hint: oneOf(values) };
}

/** Keeps the first issue of each path: a blank value is not also reported as too short. */
export function onePerPath(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => !seen.has(path) && seen.add(path));
}
