import { type Issue, issue, TEXTS } from '../issues/index.ts';
import { parseSession, type SessionRequest } from '../session/index.ts';
import { inTableOrder } from '../session/issue-order.ts';
import { breach } from './breach.ts';
import type { Method } from './define-method.ts';
import type { MethodProfile, Profile } from './profile.ts';
import { type Readable, readableOf } from './readable.ts';
import { checkSubmission } from './resolve.ts';
import type { Scope, Sources } from './scope.ts';
import { own } from './values.ts';

export interface ValidateOptions {
  /** The day in UTC as `YYYY-MM-DD`; core has no clock. */
  readonly today: string;
  /** The merchant's exported profile; without one every registered method is known under its own key. */
  readonly profile?: Profile;
}

export type Validation =
  | { readonly ok: true; readonly session: SessionRequest; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export type Find = (key: string, profile?: Profile) => Method | undefined;

/** Checks a session request: its own fields, and every method it names. */
export function validate(find: Find, input: unknown, options: ValidateOptions): Validation {
  const { today, profile } = options;
  const parsed = parseSession(input, {
    today,
    openAmount: (keys, operation) =>
      keys.length > 0 && keys.every((key) => find(key, profile)?.operations[operation]?.openAmount === true),
  });
  const readable = parsed.ok ? whole(parsed.session) : readableOf(input);
  const found = readable === undefined ? NOTHING : checkMethods(find, readable, options);
  const fromMethods = found.issues;
  if (parsed.ok && fromMethods.length === 0) return { ok: true, session: parsed.session, warnings: found.warnings };
  const before = parsed.ok ? [] : parsed.issues;
  // A field that is wrong by itself is reported once, not again by a method that misses its value.
  const further = fromMethods.filter(({ path }) => !before.some((each) => `${path}.`.startsWith(`${each.path}.`)));
  return { ok: false, issues: inTableOrder([...before, ...further]) };
}

interface Found {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

const NOTHING: Found = { issues: [], warnings: [] };

function whole(session: SessionRequest): Readable {
  return {
    fields: { ...session },
    operation: session.operation,
    currency: session.order.currency,
    amount: session.amount === 'payer' ? undefined : session.amount,
    methods: session.methods ?? [],
    parameters: session.parameters ?? {},
  };
}

function checkMethods(find: Find, request: Readable, { profile, today }: ValidateOptions): Found {
  const { methods, parameters } = request;
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  if (methods.some((key) => find(key, profile) === undefined)) issues.push(issue('methods', TEXTS.choice));
  for (const key of new Set([...methods, ...Object.keys(parameters)])) {
    const asked = methods.includes(key);
    const method = find(key, profile);
    if (method === undefined) {
      if (!asked) issues.push(issue(`parameters.${key}`, TEXTS.unexpected));
      continue;
    }
    const found = checkMethod(method, request, key, asked, { profile: profileEntry(profile, key), today });
    issues.push(...found.issues);
    warnings.push(...found.warnings);
  }
  return { issues: distinct(issues), warnings };
}

/** A method of the request: operation, currency, parameters and limits, in this order. */
function checkMethod(method: Method, request: Readable, key: string, asked: boolean, sources: Sources): Found {
  const { operation, currency, amount } = request;
  const spec = method.operations[operation];
  if (spec === undefined)
    return { issues: [issue(asked ? 'methods' : `parameters.${key}`, TEXTS.choice)], warnings: [] };
  const scope = { session: request.fields, key, own: own(request.parameters, key) ?? {} };
  const found = checkSubmission(spec, scope, sources);
  const issues: Issue[] = [];
  if (asked && currency !== undefined && method.currencies !== undefined && !method.currencies.includes(currency))
    issues.push(issue('order.currency', TEXTS.choice));
  issues.push(...found.issues);
  if (asked && amount !== undefined) issues.push(...breach(method, operation, amount, scope, sources));
  return { issues, warnings: found.warnings };
}

export function profileEntry(profile: Profile | undefined, key: string): MethodProfile | undefined {
  return own(profile?.methods, key);
}

/** The part of a session that a method's rules look at. */
export function scopeOf(session: SessionRequest, key: string): Scope {
  return { session: { ...session }, key, own: own(session.parameters, key) ?? {} };
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
