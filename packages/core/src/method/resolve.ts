import type { Issue } from '../issues/index.ts';
import type { OperationSpec } from './define-method.ts';
import {
  checkRules,
  type FieldState,
  inspectNeeds,
  inspectParameters,
  issuesOfField,
  shapeFor,
  unknownNames,
  validValues,
} from './inspect.ts';
import type { Origin, Scope, Sources } from './scope.ts';

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
 * What the merchant's request alone can be refused for: wrong values, unknown names, and required fields that neither
 * the MID nor the payer nor a default can supply.
 */
export function checkSubmission(
  spec: OperationSpec,
  scope: Scope,
  sources: Sources,
): { readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] } {
  const supplied = sources.profile?.supplied ?? [];
  const check = (state: FieldState) => issuesOfField(state, canComeLater(state, supplied));
  const needs = inspectNeeds(spec, scope, sources);
  const shape = shapeFor(spec, scope, sources);
  if (shape.kind === 'none') return { issues: [shape.issue], warnings: [] };
  if (shape.kind === 'open') return { issues: needs.flatMap(check), warnings: [] };
  const states = inspectParameters(shape.schema, scope, sources);
  const rules = checkRules(spec, states, scope, sources.profile?.strict_documents ?? false);
  return {
    issues: [...needs.flatMap(check), ...unknownNames(shape.schema, scope), ...states.flatMap(check), ...rules.issues],
    warnings: rules.warnings,
  };
}

function canComeLater(state: FieldState, supplied: readonly string[]): boolean {
  const later = state.info.sources ?? [];
  return later.includes('payer') || (later.includes('mid') && supplied.includes(state.name));
}

/** Puts session, MID values, the payer's answers and defaults together, or says what is missing or wrong. */
export function resolveMethod(spec: OperationSpec, scope: Scope, sources: Sources): Resolution {
  const needs = inspectNeeds(spec, scope, sources);
  const shape = shapeFor(spec, scope, sources);
  if (shape.kind === 'none') return { kind: 'invalid', issues: [shape.issue] };
  const own = shape.kind === 'open' ? [] : inspectParameters(shape.schema, scope, sources);
  const states = [...needs, ...own];
  const missing = states.filter(isMissing);
  const rules = checkRules(spec, own, scope, sources.profile?.strict_documents ?? false);
  const issues = [
    ...(shape.kind === 'open' ? [] : unknownNames(shape.schema, scope)),
    ...states.filter((state) => !missing.includes(state)).flatMap((state) => issuesOfField(state, false)),
    ...rules.issues,
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  if (missing.length > 0) return { kind: 'missing', fields: missing };
  if (shape.kind === 'open')
    throw new Error(`Method ${scope.key}: declare ${shape.by} under needs, so that it can be asked for.`);
  const origins: Record<string, Origin> = {};
  for (const state of states) if (state.origin !== undefined) origins[state.name] = state.origin;
  const value = {
    variant: shape.variant,
    parameters: validValues(own),
    needed: validValues(needs),
    origins,
    warnings: rules.warnings,
  };
  return { kind: 'complete', value };
}

function isMissing(state: FieldState): boolean {
  return state.origin === undefined && state.required && (state.info.sources ?? []).includes('payer');
}
