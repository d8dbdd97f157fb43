import type * as z from 'zod';
import { type Issue, issue, issuesOfZod, TEXTS } from '../issues/index.ts';
import { describeCondition, holds, isGiven, readPath } from './condition.ts';
import { type OperationSpec, schemasOf } from './define-method.ts';
import type { Scope, Sources } from './scope.ts';
import {
  type Field,
  givenParameter,
  type Known,
  knownValue,
  needField,
  own,
  parameterField,
  reader,
} from './values.ts';

/** One field of a method as it stands for one session. Not given by anybody: without origin. */
export interface FieldState extends Field, Known {
  readonly required: boolean;
}

/** The parameter shape that applies to a session. */
export type Shape =
  | { readonly kind: 'chosen'; readonly variant: string | undefined; readonly schema: z.ZodObject }
  /** The value that chooses the variant is not known yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'none'; readonly issue: Issue };

export function shapeFor(spec: OperationSpec, scope: Scope, sources: Sources): Shape {
  if ('parameters' in spec) return { kind: 'chosen', variant: undefined, schema: spec.parameters };
  const { by, cases } = spec.variants;
  const value = reader(spec, scope, sources)(by);
  if (!isGiven(value)) return { kind: 'open' };
  const schema = typeof value === 'string' ? own(cases, value) : undefined;
  if (schema !== undefined) return { kind: 'chosen', variant: String(value), schema };
  return {
    kind: 'none',
    issue: issue(by, `${TEXTS.choice} Use one of ${Object.keys(cases).join(', ')} for ${scope.key}.`),
  };
}

/** The parameters of a shape, in the order of their declaration. Fields that neither apply nor are given are left out. */
export function inspectParameters(
  spec: OperationSpec,
  schema: z.ZodObject,
  scope: Scope,
  sources: Sources,
): FieldState[] {
  const read = reader(spec, scope, sources);
  const states: FieldState[] = [];
  for (const [name, each] of Object.entries(schema.shape)) {
    const field = parameterField(each, name, scope);
    const given = givenParameter(scope, name);
    if (given === undefined && !holds(field.info.when, read)) continue;
    states.push(stateOf(field, given, sources));
  }
  return states;
}

/** What the operation needs of the session itself. What chooses the variant is always required. */
export function inspectNeeds(spec: OperationSpec, scope: Scope, sources: Sources): FieldState[] {
  const read = reader(spec, scope, sources);
  const chooses = 'variants' in spec ? spec.variants.by : undefined;
  return Object.entries(spec.needs ?? {}).flatMap(([path, schema]) => {
    const field = needField(schema, path);
    if (!holds(field.info.when, read)) return [];
    const state = stateOf(field, readPath(scope.session, path), sources);
    return [path === chooses ? { ...state, required: true } : state];
  });
}

function stateOf(field: Field, given: unknown, sources: Sources): FieldState {
  const required =
    sources.profile?.required?.includes(field.name) === true || !field.schema.safeParse(undefined).success;
  return { ...field, required, ...knownValue(field, given, sources) };
}

/** The issues of one field: its value against its schema, or its absence where nobody else can supply it. */
export function issuesOfField(state: FieldState, absenceIsFine: boolean): Issue[] {
  if (state.origin === undefined) return state.required && !absenceIsFine ? [issue(state.path, blankText(state))] : [];
  const parsed = state.schema.safeParse(state.value);
  if (!parsed.success) return issuesOfZod(parsed.error, { prefix: state.path, input: state.value });
  return state.required && !isGiven(parsed.data) ? [issue(state.path, TEXTS.blank)] : [];
}

function blankText(state: FieldState): string {
  const when = state.info.when;
  return when === undefined ? TEXTS.blank : `${TEXTS.blank} It is required when ${describeCondition(when)}.`;
}

/** Names that the shape does not know; while the variant is open, those that no variant knows. */
export function unknownNames(spec: OperationSpec, shape: Shape, scope: Scope): Issue[] {
  const schemas = shape.kind === 'chosen' ? [shape.schema] : schemasOf(spec);
  return Object.keys(scope.own)
    .filter((name) => !schemas.some((schema) => Object.hasOwn(schema.shape, name)))
    .map((name) => issue(`parameters.${scope.key}.${name}`, TEXTS.unexpected));
}

/** Rules over several parameters, as far as their parameters are there and valid. */
export function checkRules(spec: OperationSpec, states: readonly FieldState[], scope: Scope, sources: Sources) {
  const strictDocuments = sources.profile?.strict_documents ?? false;
  const facts = { today: sources.today };
  const values = validValues(states);
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  for (const rule of spec.rules ?? []) {
    if (!rule.paths.every((path) => isGiven(own(values, path)))) continue;
    // It sees the parameters that it names and no others, so that what a rule depends on is known.
    const result = rule.check(Object.fromEntries(rule.paths.map((path) => [path, values[path]])), facts);
    if (result === undefined) continue;
    const found = issue(`parameters.${scope.key}.${result.path}`, result.message);
    (rule.level === 'error' || strictDocuments ? issues : warnings).push(found);
  }
  return { issues, warnings };
}

/** The parsed values of the fields that have a valid one, by name. */
export function validValues(states: readonly FieldState[]): Record<string, unknown> {
  return Object.fromEntries(
    states.flatMap((state): [string, unknown][] => {
      const parsed = state.origin === undefined ? undefined : state.schema.safeParse(state.value);
      return parsed?.success ? [[state.name, parsed.data]] : [];
    }),
  );
}
