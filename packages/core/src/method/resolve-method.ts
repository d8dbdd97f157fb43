import { issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { SessionRequest } from '../session/parse-session.ts';
import type { Tools } from './check-method.ts';
import { holds } from './condition.ts';
import type { OperationSpec } from './define-method.ts';
import type { Profile } from './profile.ts';
import { type Resolution, resolveOperation } from './resolve.ts';
import { profileEntry } from './routing.ts';
import type { Sources } from './scope.ts';
import { reader } from './values.ts';
import { scopeOf } from './validate.ts';

/** Beside the sources of values: the merchant's profile, where the key may be an alias. */
type From = Sources & { readonly profiles?: Profile };

/**
 * Puts request, MID values and the payer's answers together for one method. A function of its own, as `takesCard` and `routesOf` are, so
 * that a page which only validates does not carry it.
 *
 * @param registry of `createRegistry`
 * @example resolveMethod(registry, session, 'pix', { mid, payer: { 'parameters.pix.debtor_name': 'Ada' } }).kind // 'complete'
 */
export function resolveMethod(registry: Tools, session: SessionRequest, key: string, sources: From = {}): Resolution {
  const { spec, scope, profile } = placeOf(registry, session, key, sources);
  if (spec === undefined) return { kind: 'invalid', issues: [issue('methods', TEXTS.choice)] };
  return resolveOperation(registry.prepare(spec), scope, { ...sources, profile });
}

/** Whether the payer pays with a card: always, or where the operation's condition holds. */
export function takesCard(registry: Tools, session: SessionRequest, key: string, sources: From = {}): boolean {
  const { spec, scope, profile } = placeOf(registry, session, key, sources);
  if (spec === undefined || typeof spec.card !== 'object') return spec?.card === true;
  return holds(spec.card, reader(registry.prepare(spec), scope, { ...sources, profile }));
}

/** The operation and scope that a method key stands for in a session, with the merchant's profile for it. */
function placeOf({ find }: Tools, session: SessionRequest, key: string, { profile: own, profiles }: From) {
  const method = find(key, profiles);
  const spec: OperationSpec | undefined = method?.operations[session.operation];
  return { spec, scope: scopeOf(session, key, method), profile: own ?? profileEntry(profiles, key) };
}
