import type * as z from 'zod';
import { type Issue, issue, TEXTS } from '../issues/index.ts';
import type { Money } from '../money/index.ts';
import { parseSession, type SessionRequest } from '../session/index.ts';
import { type Method, type OperationSpec, schemasOf } from './define-method.ts';
import { describeMethod, type MethodDescription } from './describe.ts';
import { checkLimits, mergeLimits } from './limits.ts';
import { methodJsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';
import type { MethodProfile, Profile } from './profile.ts';
import { checkSubmission, resolveMethod, type Resolution } from './resolve.ts';
import { reader, type Scope, type Sources } from './scope.ts';

export interface ValidateOptions {
  /** The day in UTC as `YYYY-MM-DD`; core has no clock. */
  readonly today: string;
  /** The merchant's exported profile; without one every registered method is known under its own key. */
  readonly profile?: Profile;
}

export type Validation =
  | { readonly ok: true; readonly session: SessionRequest; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface Registry {
  readonly methods: readonly Method[];
  /** The method behind a key or, with a profile, behind an alias. */
  find(key: string, profile?: Profile): Method | undefined;
  /** Checks a session request: its own fields, and every method it names. All issues at once, each with its dotted path. */
  validate(input: unknown, options: ValidateOptions): Validation;
  /** Puts request, MID values and the payer's answers together for one method. */
  resolve(session: SessionRequest, key: string, sources?: Sources & { readonly profiles?: Profile }): Resolution;
  /** JSON Schema (2020-12) of `parameters.<key>`. */
  jsonSchema(key: string, operation: Operation): z.core.JSONSchema.BaseSchema;
  describe(): readonly MethodDescription[];
}

/**
 * Collects the methods of a deployment.
 *
 * @throws Error when two different definitions share a key.
 * @example
 * const registry = createRegistry([pix]);
 * const result = registry.validate(request, { today: '2026-11-21' });
 * if (!result.ok) for (const { path, message } of result.issues) report(path, message);
 */
export function createRegistry(methods: readonly Method[]): Registry {
  const known = new Map<string, Method>();
  for (const method of methods) {
    const before = known.get(method.key);
    if (before !== undefined && before !== method)
      throw new Error(
        `Two different definitions of the method key "${method.key}". Import one and the same definition in both connectors, or give one of them another key.`,
      );
    known.set(method.key, method);
  }
  const find = (key: string, profile?: Profile) => {
    const entry = profileEntry(profile, key);
    return profile === undefined ? known.get(key) : entry === undefined ? undefined : known.get(entry.method);
  };
  return {
    methods: [...known.values()],
    find,
    validate: (input, options) => validate(find, input, options),
    resolve(session, key, sources = {}) {
      const method = find(key, sources.profiles);
      const spec = method?.operations[session.operation];
      if (spec === undefined) return { kind: 'invalid', issues: [issue('methods', TEXTS.choice)] };
      const profile = sources.profile ?? profileEntry(sources.profiles, key);
      return resolveMethod(spec, scopeOf(session, key), { ...sources, profile });
    },
    jsonSchema: (key, operation) => methodJsonSchema(known.get(key), key, operation),
    describe: () => [...known.values()].map(describeMethod),
  };
}

type Find = (key: string, profile?: Profile) => Method | undefined;

function profileEntry(profile: Profile | undefined, key: string): MethodProfile | undefined {
  return profile !== undefined && Object.hasOwn(profile.methods, key) ? profile.methods[key] : undefined;
}

function validate(find: Find, input: unknown, options: ValidateOptions): Validation {
  const parsed = parseSession(input, {
    today: options.today,
    openAmount: (keys, operation) =>
      keys.length > 0 && keys.every((key) => find(key, options.profile)?.operations[operation]?.openAmount === true),
  });
  if (!parsed.ok) return parsed;
  const { session } = parsed;
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const keys = session.methods ?? [];
  if (keys.some((key) => find(key, options.profile) === undefined)) issues.push(issue('methods', TEXTS.choice));
  for (const key of new Set([...keys, ...Object.keys(session.parameters ?? {})])) {
    const method = find(key, options.profile);
    if (method === undefined) {
      if (!keys.includes(key)) issues.push(issue(`parameters.${key}`, TEXTS.unexpected));
      continue;
    }
    const found = checkMethod(method, session, key, keys.includes(key), profileEntry(options.profile, key));
    issues.push(...found.issues);
    warnings.push(...found.warnings);
  }
  return issues.length > 0 ? { ok: false, issues: distinct(issues) } : { ok: true, session, warnings };
}

/** A method of the request: operation, currency, parameters and limits, in this order. */
function checkMethod(method: Method, session: SessionRequest, key: string, asked: boolean, profile?: MethodProfile) {
  const spec = method.operations[session.operation];
  if (spec === undefined)
    return { issues: [issue(asked ? 'methods' : `parameters.${key}`, TEXTS.choice)], warnings: [] };
  const scope = scopeOf(session, key);
  const found = checkSubmission(spec, scope, { profile });
  const issues: Issue[] = [];
  if (asked && method.currencies !== undefined && !method.currencies.includes(session.order.currency))
    issues.push(issue('order.currency', TEXTS.choice));
  issues.push(...found.issues);
  if (asked) issues.push(...limitIssues(method, session, scope, profile));
  return { issues, warnings: found.warnings };
}

function limitIssues(method: Method, session: SessionRequest, scope: Scope, profile?: MethodProfile): Issue[] {
  if (method.limits === undefined || session.amount === 'payer') return [];
  return breach(method, session.operation, session.amount, scope, { profile });
}

/** The issue of an amount outside the limits that apply, with the MID's rows before the method's. */
export function breach(method: Method, operation: Operation, amount: Money, scope: Scope, sources: Sources): Issue[] {
  if (method.limits === undefined) return [];
  const read = reader(scope, sources);
  const operator = method.operator === undefined ? undefined : read(`parameters.${method.operator}`);
  const country = read('billing_address.country');
  const found = checkLimits(mergeLimits(method.limits, sources.profile?.limits ?? []), {
    operation,
    amount,
    country: typeof country === 'string' ? country : undefined,
    operator: typeof operator === 'string' ? operator : undefined,
  });
  if (found === undefined) return [];
  return [issue('order.amount', found.kind === 'below' ? TEXTS.atLeast(found.limit) : TEXTS.atMost(found.limit))];
}

/** The part of a session that a method's rules look at. */
export function scopeOf(session: SessionRequest, key: string): Scope {
  const parameters = session.parameters ?? {};
  const own = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  return { session: { ...session }, key, own: own ?? {} };
}

function distinct(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, message }) => {
    const mark = `${path}\n${message}`;
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  });
}

/** Every parameter name of an operation, over all its variants. */
export function parameterNames(spec: OperationSpec): readonly string[] {
  return [...new Set(schemasOf(spec).flatMap((schema) => Object.keys(schema.shape)))];
}
