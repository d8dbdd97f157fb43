import type * as z from 'zod';
import { type Issue, issue, onePerPath } from '../issues/issue.ts';
import { issuesOfZod } from '../issues/zod-issues.ts';
import { TEXTS } from '../issues/texts.ts';
import { describeCondition, holds, isGiven } from './condition.ts';
import { readPath } from '../plain-data.ts';
import type { Rule, RuleFacts } from './define-method.ts';
import type { FieldInfo } from './field.ts';
import { orderOf } from './order-of.ts';
import type { PreparedField, PreparedOperation, PreparedShape } from './prepared.ts';
import type { Scope, Sources } from './scope.ts';
import { textIssues } from './text-rules.ts';
import { absentPlaces, requiredWithin } from './required-within.ts';
import { type Known, knownValue, own, parameterPath, type Read } from './values.ts';

/** One field of a method as it stands for one session. Not given by anybody: without origin. */
export interface FieldState extends Known {
  /** The name under `parameters.<key>`, or the dotted session path of a need. */
  readonly name: string;
  /** The path that error texts and the page use. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly info: FieldInfo;
  readonly required: boolean;
}

/** A field whose value, if there is one, has been checked. */
export interface CheckedField extends FieldState {
  /** Places within it that the account requires and that are not there. */
  readonly lacks: readonly string[];
  readonly parsed: z.ZodSafeParseResult<unknown> | undefined;
}

/** The parameter shape that applies to a session. */
export type Shape =
  | { readonly kind: 'chosen'; readonly shape: PreparedShape }
  /** The value that chooses the variant is not known yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'none'; readonly issue: Issue };

export function shapeFor({ spec, shapes }: PreparedOperation, scope: Scope, read: Read): Shape {
  const value = 'variants' in spec ? read(spec.variants.by) : undefined;
  const shape = shapes.get(value);
  if (shape !== undefined) return { kind: 'chosen', shape };
  if (!('variants' in spec) || !isGiven(value)) return { kind: 'open' };
  const { by, cases } = spec.variants;
  const choice = `${TEXTS.choice} Use one of ${Object.keys(cases).join(', ')} for ${scope.key}.`;
  return { kind: 'none', issue: issue(by, choice) };
}

/** The parameters of a shape that have a value or need one, in the order of their declaration. */
export function checkParameters({ fields }: PreparedShape, scope: Scope, read: Read, sources: Sources): CheckedField[] {
  return [...fields.values()].flatMap((field) => {
    const given = own(scope.own, field.name);
    if (given === undefined && !holds(field.info.when, read)) return [];
    return checkedField(field, parameterPath(scope, field.name), given, sources);
  });
}

/** The session values that the operation needs. The value that chooses the variant is always required. */
export function checkNeeds({ spec, needs }: PreparedOperation, scope: Scope, read: Read, sources: Sources) {
  const chooses = 'variants' in spec ? spec.variants.by : undefined;
  return [...needs].flatMap(([path, field]) =>
    holds(field.info.when, read)
      ? checkedField(field, path, readPath(scope.session, path), sources, path === chooses)
      : [],
  );
}

/** Nothing for a field that is neither given nor required. */
function checkedField(
  field: PreparedField,
  path: string,
  given: unknown,
  sources: Sources,
  always = false,
): CheckedField[] {
  const { name, schema, info } = field;
  const required = always || field.mandatory || sources.profile?.required?.includes(name) === true;
  const { origin, value } = knownValue(field, path, given, sources);
  const lacks = requiredWithin(name, sources.profile?.required).flatMap((rest) => absentPlaces(value, rest));
  if (origin !== undefined)
    return [{ name, path, schema, info, required, origin, value, lacks, parsed: field.fast.safeParse(value) }];
  return required || lacks.length > 0 ? [{ name, path, schema, info, required, lacks, parsed: undefined }] : [];
}

/** The issues of one field: its value against its schema, or its absence where no other source can supply it. */
export function issuesOfField(state: CheckedField, absenceIsFine: boolean): Issue[] {
  const { parsed, path, required, lacks } = state;
  const within = lacks.map((place) => issue(`${path}.${place}`, TEXTS.blank));
  if (parsed === undefined && required) return absenceIsFine ? [] : [issue(path, blankText(state))];
  if (parsed === undefined) return absenceIsFine ? [] : within;
  if (!parsed.success)
    return onePerPath([...issuesOfZod(parsed.error, { prefix: path, input: state.value }), ...within]);
  return required && !isGiven(parsed.data) ? [issue(path, TEXTS.blank)] : within;
}

function blankText(state: FieldState): string {
  const when = state.info.when;
  return when === undefined ? TEXTS.blank : `${TEXTS.blank} It is required when ${describeCondition(when)}.`;
}

/** Names that the shape does not know or accept, or that only the account may set. While the variant is open: names that no variant knows. */
export function unknownNames({ shapes }: PreparedOperation, shape: Shape, scope: Scope, read: Read): Issue[] {
  const known = shape.kind === 'chosen' ? [shape.shape] : [...shapes.values()];
  return Object.keys(scope.own)
    .filter((name) => !known.some(({ fields }) => mayBeSent(fields.get(name), read)))
    .map((name) => issue(parameterPath(scope, name), TEXTS.unexpected));
}

const mayBeSent = (field: PreparedField | undefined, read: Read) =>
  field !== undefined && field.info.request !== false && holds(field.info.only, read);

/** Rules over several parameters, as far as their parameters are there and valid. */
export function checkRules(
  { spec }: PreparedOperation,
  values: Readonly<Record<string, unknown>>,
  scope: Scope,
  sources: Sources,
) {
  const { rules = [] } = spec;
  const issues = textIssues(sources.profile?.texts, values, (name) => parameterPath(scope, name));
  const warnings: Issue[] = [];
  const strictDocuments = sources.profile?.strict_documents ?? false;
  let facts: RuleFacts | undefined;
  for (const rule of rules) {
    const seen = seenBy(rule, values);
    const result = seen && rule.check(seen, (facts ??= factsOf(scope, sources)));
    if (result === undefined) continue;
    const at = result.of === 'session' ? result.path : parameterPath(scope, result.path);
    const { message } = result;
    const found = typeof message === 'string' ? issue(at, message) : { ...issue(at, message.en), said: message };
    const refuses = rule.level === 'error' || (rule.level === 'document' && strictDocuments);
    (refuses ? issues : warnings).push(found);
  }
  return { issues, warnings };
}

/** The parameters that a rule names and no others, so that its dependencies are known; nothing unless all have values. */
export function seenBy({ paths }: Rule, values: Readonly<Record<string, unknown>>) {
  const seen: Record<string, unknown> = {};
  for (const path of paths) {
    const value = own(values, path);
    if (!isGiven(value)) return undefined;
    seen[path] = value;
  }
  return seen;
}

function factsOf({ session }: Scope, { today, profile }: Sources): RuleFacts {
  const account = profile && { test: profile.test ?? false };
  return { today, ...orderOf(session), account };
}

/** The parsed values of the fields that have a valid one, by name. */
export function validValues(states: readonly CheckedField[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, parsed } of states) if (parsed?.success === true) values[name] = parsed.data;
  return values;
}
