import type { Translated } from '../payer-text.ts';
import { TEXTS } from './texts.ts';

/** One thing that is wrong with a request. */
export interface Issue {
  /** Dotted: `order.amount`, `parameters.pix.debtor_document`. */
  readonly path: string;
  readonly message: string;
  readonly code: number;
  /** The choices, or the type that was sent, where the text does not name them. The service makes words of it: pages that validate stay small. */
  readonly hint?: string | readonly unknown[] | undefined;
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

/** A value that is none of those that are taken. */
export function choiceIssue(path: string, values: readonly string[]): Issue {
  return { ...issue(path, TEXTS.choice), hint: values };
}

/** Keeps the first issue of each path: a blank value is not also reported as too short. */
export function onePerPath(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => !seen.has(path) && seen.add(path));
}
