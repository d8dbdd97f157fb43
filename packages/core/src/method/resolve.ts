import { type Issue, onePerPath } from '../issues/issue.ts';
import {
  checkNeeds,
  checkParameters,
  checkRules,
  type FieldState,
  issuesOfField,
  shapeFor,
  unknownNames,
  validValues,
} from './inspect.ts';
import type { PreparedOperation } from './prepared.ts';
import type { Origin, Scope, Sources } from './scope.ts';
import { reader } from './values.ts';

/** Everything a flow needs of a method, with where each value came from. */
export interface Resolved {
  readonly variant: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly needed: Readonly<Record<string, unknown>>;
  /** Parameter name or session path → where its value came from. */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly warnings: readonly Issue[];
}

export type Resolution =
  | { readonly kind: 'complete'; readonly value: Resolved }
  /** The payer has to be asked for these fields first. */
  | { readonly kind: 'missing'; readonly fields: readonly FieldState[] }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] };

/**
 * The reasons to refuse the merchant's request alone: wrong values, unknown names, and required fields that neither
 * the MID nor the payer nor a default can supply.
 */
export function checkSubmission(
  operation: PreparedOperation,
  scope: Scope,
  sources: Sources,
): { readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] } {
  const supplied = sources.profile?.supplied ?? [];
  return examine(operation, scope, sources, (state) => canComeLater(state, supplied));
}

export function canComeLater(state: Pick<FieldState, 'info' | 'name'>, supplied: readonly string[]): boolean {
  const later = state.info.sources ?? [];
  return later.includes('payer') || (later.includes('mid') && supplied.includes(state.name));
}

/** Puts session, MID values, the payer's answers and defaults together, or lists the missing and wrong values. */
export function resolveOperation(operation: PreparedOperation, scope: Scope, sources: Sources): Resolution {
  const { shape, needs, own, parameters, issues, warnings } = examine(operation, scope, sources, isMissing);
  if (issues.length > 0 || shape.kind === 'none') return { kind: 'invalid', issues };
  const states = [...needs, ...own];
  const missing = states.filter(isMissing);
  if (missing.length > 0 || shape.kind === 'open') return { kind: 'missing', fields: missing };
  const origins: Record<string, Origin> = {};
  for (const state of states) if (state.origin !== undefined) origins[state.name] = state.origin;
  const value = {
    variant: shape.shape.variant,
    parameters,
    needed: validValues(needs),
    origins,
    warnings,
  };
  return { kind: 'complete', value };
}

function isMissing(state: FieldState): boolean {
  return state.origin === undefined && state.required && (state.info.sources ?? []).includes('payer');
}

/** Looks at every field and rule of an operation. `mayBeAbsent` excuses fields that are not there yet. */
function examine(
  operation: PreparedOperation,
  scope: Scope,
  sources: Sources,
  mayBeAbsent: (state: FieldState) => boolean,
) {
  const read = reader(operation, scope, sources);
  const shape = shapeFor(operation, scope, read);
  const needs = checkNeeds(operation, scope, read, sources);
  const own = shape.kind === 'chosen' ? checkParameters(shape.shape, scope, read, sources) : [];
  const parameters = validValues(own);
  const rules = checkRules(operation, parameters, scope, sources);
  const issues: Issue[] = shape.kind === 'none' ? [shape.issue] : [];
  for (const state of needs) issues.push(...issuesOfField(state, mayBeAbsent(state)));
  issues.push(...unknownNames(operation, shape, scope, read));
  for (const state of own) issues.push(...issuesOfField(state, mayBeAbsent(state)));
  issues.push(...rules.issues);
  return { shape, needs, own, parameters, issues: onePerPath(issues), warnings: rules.warnings };
}
