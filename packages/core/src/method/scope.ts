import { readPath } from './condition.ts';
import type { MethodProfile } from './profile.ts';

/** Where a value of a parameter came from. */
export type Origin = 'session' | 'mid' | 'payer' | 'default';

/** One method of one session: the session's fields, the key as sent, and what stands under `parameters.<key>`. */
export interface Scope {
  readonly session: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly own: Readonly<Record<string, unknown>>;
}

/** What is known beside the session when a method's fields are looked at. */
export interface Sources {
  readonly profile?: MethodProfile | undefined;
  /** Values of the MID, by parameter name or session path. */
  readonly mid?: Readonly<Record<string, unknown>>;
  /** Answers of the payer, by path as the page names it (`parameters.pix.debtor_name`, `customer.email`). */
  readonly payer?: Readonly<Record<string, unknown>>;
}

/** Looks a path up for conditions and variants: the session first, then the payer's answers, then the MID. */
export function reader(scope: Scope, sources: Sources): (path: string) => unknown {
  return (path) => {
    const name = path.startsWith('parameters.') ? path.slice('parameters.'.length) : undefined;
    if (name === undefined) return readPath(scope.session, path) ?? sources.payer?.[path] ?? sources.mid?.[path];
    return readPath(scope.own, name) ?? sources.payer?.[`parameters.${scope.key}.${name}`] ?? sources.mid?.[name];
  };
}
