import type * as z from 'zod';
import { type Issue, issue } from '../issues/issue.ts';
import { issuesOfZod } from '../issues/zod-issues.ts';
import { TEXTS } from '../issues/texts.ts';
import type { Condition } from './condition.ts';
import { type Method, type OperationSpec, schemasOf } from './define-method.ts';
import { fieldInfo } from './field.ts';
import type { LimitRow } from './limits.ts';
import type { TextRules } from '../connector/define-connector.ts';
import type { MethodProfile } from './profile.ts';
import { textIssues, textsAsData } from './text-rules.ts';

/** One method in a MID's configuration. */
export interface MidMethod {
  /** Values by parameter name or session path, used where the request carries none. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly strict_documents?: boolean;
  /** The rules of the connector that serves it. */
  readonly texts?: TextRules;
  readonly limits?: readonly LimitRow[];
  readonly mid?: string;
  readonly channels?: readonly string[];
  readonly mode?: 'SMS' | 'DMS' | 'SMS/DMS';
  readonly currencies?: readonly string[];
  /** `true`: the account is for tests alone. */
  readonly test?: boolean;
}

/**
 * The profile entry of a method: what of a MID's configuration a merchant must know to validate as the service does. Values
 * are included only where a condition, rule, variant or limit looks at them, and never values of secret fields.
 *
 * @example const profile: Profile = { methods: { 'br-pix': profileOf(pix, { values: mid.defaults }) } };
 */
export function profileOf(method: Method, of: MidMethod): MethodProfile {
  const {
    values = {},
    required,
    strict_documents,
    texts,
    limits,
    mid,
    channels = [],
    mode = 'SMS/DMS',
    currencies,
    test,
  } = of;
  const fields = fieldsOf(method);
  const supplied = Object.keys(values).filter((name) => fields.some((each) => each.name === name && each.fromMid));
  const consulted = consultedNames(method, [...(method.limits?.rows ?? []), ...(limits ?? [])]);
  const open = supplied.filter(
    (name) => consulted.has(name) && !fields.some((each) => each.name === name && each.secret),
  );
  return {
    method: method.key,
    supplied,
    ...(open.length > 0 && { values: Object.fromEntries(open.map((name) => [name, values[name]])) }),
    ...(required && { required: [...required] }),
    ...(strict_documents !== undefined && { strict_documents }),
    ...(texts && { texts: textsAsData(texts) }),
    ...(limits && limits.length > 0 && { limits: [...limits] }),
    ...(mid !== undefined && { mid }),
    ...(channels.length > 0 && { channels: [...channels] }),
    ...(mode !== 'SMS/DMS' && { mode }),
    ...(currencies && { currencies: [...currencies] }),
    ...(test === true && { test }),
  };
}

/**
 * The problems of the values that a MID's configuration gives for a method: names that no operation takes from a MID, and
 * values that its schema or its provider refuses. Checked when a configuration is read, so that no merchant is refused for them later.
 */
export function midValueIssues(
  method: Method,
  values: Readonly<Record<string, unknown>>,
  texts: TextRules = {},
): Issue[] {
  const fields = fieldsOf(method);
  const rules = textsAsData(texts);
  return Object.entries(values).flatMap(([name, value]) => {
    const takers = fields.filter((each) => each.name === name && each.fromMid);
    if (takers.length === 0) return [issue(name, TEXTS.unexpected)];
    const [first] = takers.flatMap(({ schema }) => {
      const parsed = schema.safeParse(value);
      return parsed.success ? [] : [issuesOfZod(parsed.error, { prefix: name, input: value })];
    });
    return first ?? textIssues(rules, { [name]: value }, (at) => at);
  });
}

function fieldsOf(method: Method) {
  return Object.values<OperationSpec>(method.operations).flatMap((spec) =>
    [...schemasOf(spec).flatMap((schema) => Object.entries(schema.shape)), ...Object.entries(spec.needs ?? {})].map(
      ([name, schema]) => {
        const info = fieldInfo(schema, name);
        return { name, schema, secret: info.secret === true, fromMid: info.sources?.includes('mid') === true };
      },
    ),
  );
}

/** Names of the parameters and needs that decide about others. */
function consultedNames(method: Method, limits: readonly LimitRow[]): Set<string> {
  const paths = Object.values<OperationSpec>(method.operations).flatMap((spec) => [
    ...schemasOf(spec).flatMap((schema) => conditionsIn(schema.shape)),
    ...conditionsIn(spec.needs ?? {}),
    ...(spec.rules ?? []).flatMap((rule) => rule.paths.map((name) => `parameters.${name}`)),
    ...('variants' in spec ? [spec.variants.by] : []),
    ...[spec.card, spec.zeroAmount].flatMap((each) => (typeof each === 'object' ? pathsOf(each) : [])),
  ]);
  if (method.operator !== undefined) paths.push(`parameters.${method.operator}`);
  if (limits.some((row) => row.country !== undefined)) paths.push('billing_address.country');
  return new Set(paths.map((path) => (path.startsWith('parameters.') ? (path.split('.')[1] ?? '') : path)));
}

function conditionsIn(fields: Readonly<Record<string, z.core.$ZodType>>): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const { when, only } = fieldInfo(schema, name);
    return [...pathsOf(when), ...pathsOf(only)];
  });
}

function pathsOf(condition: Condition | undefined): string[] {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(pathsOf);
  if ('any' in condition) return condition.any.flatMap(pathsOf);
  return [condition.path];
}
