import * as z from 'zod';
import { type Issue, issue, issuesOfZod, TEXTS } from '../issues/index.ts';
import { describeCondition, holds, isGiven, readPath } from './condition.ts';
import type { OperationSpec } from './define-method.ts';
import { type FieldInfo, fieldInfo } from './field.ts';
import { type Origin, reader, type Scope, type Sources } from './scope.ts';

/** One field of a method as it stands for one session. */
export interface FieldState {
  /** The name under `parameters.<key>`, or the dotted session path of a need. */
  readonly name: string;
  /** The path that error texts and the page use. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly info: FieldInfo;
  /** Not given by anybody: without origin. */
  readonly origin?: Origin;
  readonly value?: unknown;
  readonly required: boolean;
}

/** The parameter shape that applies to a session. */
export type Shape =
  | { readonly kind: 'chosen'; readonly variant: string | undefined; readonly schema: z.ZodObject }
  /** The value that chooses the variant is not known yet. */
  | { readonly kind: 'open'; readonly by: string }
  | { readonly kind: 'none'; readonly issue: Issue };

export function shapeFor(spec: OperationSpec, scope: Scope, sources: Sources): Shape {
  if ('parameters' in spec) return { kind: 'chosen', variant: undefined, schema: spec.parameters };
  const { by, cases } = spec.variants;
  const value = reader(scope, sources)(by);
  if (!isGiven(value)) return { kind: 'open', by };
  const schema = typeof value === 'string' && Object.hasOwn(cases, value) ? cases[value] : undefined;
  if (schema !== undefined) return { kind: 'chosen', variant: String(value), schema };
  return {
    kind: 'none',
    issue: issue(by, `${TEXTS.choice} Use one of ${Object.keys(cases).join(', ')} for ${scope.key}.`),
  };
}

/** The parameters of a shape, in the order of their declaration. Fields that neither apply nor are given are left out. */
export function inspectParameters(schema: z.ZodObject, scope: Scope, sources: Sources): FieldState[] {
  const read = reader(scope, sources);
  const states: FieldState[] = [];
  for (const [name, each] of Object.entries(schema.shape)) {
    const type = fullSchema(each, name);
    const info = fieldInfo(type, name);
    const given = Object.hasOwn(scope.own, name) ? scope.own[name] : undefined;
    if (given === undefined && !holds(info.when, read)) continue;
    states.push(stateOf({ name, path: `parameters.${scope.key}.${name}`, schema: type, info }, given, sources));
  }
  return states;
}

/** What the operation needs of the session itself. */
export function inspectNeeds(spec: OperationSpec, scope: Scope, sources: Sources): FieldState[] {
  const read = reader(scope, sources);
  return Object.entries(spec.needs ?? {}).flatMap(([path, schema]) => {
    const info = fieldInfo(schema, path);
    if (!holds(info.when, read)) return [];
    return [stateOf({ name: path, path, schema, info }, readPath(scope.session, path), sources)];
  });
}

function fullSchema(schema: z.core.$ZodType, name: string): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error(`Parameter ${name}: declare it with "zod", not with "zod/mini".`);
}

type Named = Pick<FieldState, 'name' | 'path' | 'schema' | 'info'>;

function stateOf(named: Named, given: unknown, sources: Sources): FieldState {
  const { name, path, schema, info } = named;
  const empty = schema.safeParse(undefined);
  const required = !empty.success || (sources.profile?.required?.includes(name) ?? false);
  // A value of `null` is a value: the schema refuses it with the path, instead of it being taken for absent.
  if (given !== undefined) return { ...named, required, origin: 'session', value: given };
  for (const source of info.sources ?? []) {
    const value = source === 'mid' ? sources.mid?.[name] : source === 'payer' ? sources.payer?.[path] : info.fallback;
    if (value !== undefined) return { ...named, required, origin: source, value };
  }
  if (empty.success && empty.data !== undefined) return { ...named, required, origin: 'default', value: empty.data };
  return { ...named, required };
}

/** The issues of one field: its value against its schema, or its absence where nobody else can supply it. */
export function issuesOfField(state: FieldState, absenceIsFine: boolean): Issue[] {
  if (state.origin === undefined) return state.required && !absenceIsFine ? [issue(state.path, blankText(state))] : [];
  const parsed = state.schema.safeParse(state.value);
  if (!parsed.success) return issuesOfZod(parsed.error, { prefix: state.path });
  return state.required && !isGiven(parsed.data) ? [issue(state.path, TEXTS.blank)] : [];
}

function blankText(state: FieldState): string {
  const when = state.info.when;
  return when === undefined ? TEXTS.blank : `${TEXTS.blank} It is required when ${describeCondition(when)}.`;
}

/** Names that the shape does not know. */
export function unknownNames(schema: z.ZodObject, scope: Scope): Issue[] {
  return Object.keys(scope.own)
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .map((name) => issue(`parameters.${scope.key}.${name}`, TEXTS.unexpected));
}

/** Rules over several parameters, as far as their parameters are there and valid. */
export function checkRules(spec: OperationSpec, states: readonly FieldState[], scope: Scope, strictDocuments: boolean) {
  const values = validValues(states);
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  for (const rule of spec.rules ?? []) {
    if (!rule.paths.every((path) => isGiven(values[path]))) continue;
    const result = rule.check(values);
    if (result === undefined) continue;
    const found = issue(`parameters.${scope.key}.${result.path}`, result.message);
    (rule.level === 'error' || strictDocuments ? issues : warnings).push(found);
  }
  return { issues, warnings };
}

/** The parsed values of the fields that have a valid one, by name. */
export function validValues(states: readonly FieldState[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const state of states) {
    const parsed = state.origin === undefined ? undefined : state.schema.safeParse(state.value);
    if (parsed?.success) values[state.name] = parsed.data;
  }
  return values;
}
