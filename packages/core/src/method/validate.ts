import { choiceIssue, type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { SessionRequest } from '../session/parse-session.ts';
import { isLatinName } from '../session/fields.ts';
import { inTableOrder } from '../session/issue-order.ts';
import { checkMethod, type Find, type Found, type Tools } from './check-method.ts';
import type { Method } from './define-method.ts';
import type { Operation } from './operation.ts';
import type { Profile } from './profile.ts';
import { type Readable, readableOf } from './readable.ts';
import { channelIssue, eligible, profileEntry, routesFor, tryInOrder } from './routing.ts';
import { type Scope, scopeWith } from './scope.ts';
import { readText } from '../plain-data.ts';
import { own } from './values.ts';

export interface ValidateOptions {
  /** The day in UTC as `YYYY-MM-DD`; core has no clock. */
  readonly today: string;
  /** The merchant's exported profile; without one every registered method is known under its own key. */
  readonly profile?: Profile;
  /** Why methods do not suit the request, by key, as the caller found: a phone number of which only a service knows the country. */
  readonly unfit?: ReadonlyMap<string, readonly Issue[]>;
}

export type Validation =
  | { readonly ok: true; readonly session: SessionRequest; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Checks a session request: its own fields, and every method it names. */
export function validate(tools: Tools, input: unknown, options: ValidateOptions): Validation {
  const { today, profile } = options;
  const openAmount = (keys: readonly string[], operation: Operation) => mayBeOpen(tools.find, keys, operation, profile);
  const parsed = tools.parse(input, { today, openAmount });
  if (parsed.ok) return validateParsed(tools, parsed.session, options);
  const readable = readableOf(input);
  const found = readable === undefined ? NOTHING : checkMethods(tools, readable, options);
  return refused([...parsed.issues, ...(readable ? nameIssues(readable.fields, options) : [])], found.issues);
}

/** Checks every method that a session names whose own fields have been read. */
export function validateParsed(tools: Tools, session: SessionRequest, options: ValidateOptions): Validation {
  const { operation, amount, methods = [] } = session;
  const open =
    amount !== 'payer' || operation !== 'purchase' || mayBeOpen(tools.find, methods, operation, options.profile);
  const own = [...(open ? [] : [issue('order.amount', TEXTS.blank)]), ...nameIssues(session, options)];
  const request = whole(session);
  const found = checkMethods(tools, request, options);
  if (own.length > 0 || found.issues.length > 0) return refused(own, found.issues);
  const { profile, today, unfit } = options;
  // Each method that was asked for has a MID; where none was asked for, there must be one to show.
  const hidden = profile !== undefined && session.methods === undefined;
  if (hidden && routesFor(tools, profile, request, { today }).every(({ key }) => unfit?.get(key)))
    return { ok: false, issues: [issue('methods', NO_ROUTE)] };
  return { ok: true, session, warnings: found.warnings };
}

/** The names that are in other letters than the merchant's mapping wants. */
function nameIssues(fields: object, { profile }: ValidateOptions): Issue[] {
  if (profile?.names !== 'latin') return [];
  return ['customer.name', 'payee.name'].flatMap((path) => {
    const name = readText(fields, path);
    return name === undefined || isLatinName(name) ? [] : [issue(path, TEXTS.notValid)];
  });
}

function refused(before: readonly Issue[], fromMethods: readonly Issue[]): Validation {
  // A field that is wrong by itself is reported once, not again by a method that misses its value.
  const further = fromMethods.filter(({ path }) => !before.some((each) => `${path}.`.startsWith(`${each.path}.`)));
  return { ok: false, issues: inTableOrder([...before, ...further]) };
}

function mayBeOpen(find: Find, keys: readonly string[], operation: Operation, profile: Profile | undefined): boolean {
  return keys.length > 0 && keys.every((key) => find(key, profile)?.operations[operation]?.openAmount === true);
}

/** The text for a request that lists no methods and that no method takes. */
const NO_ROUTE = `${TEXTS.choice} No method takes this request; see its currency and amount.`;

const NOTHING: Found = { issues: [], warnings: [] };

/** The parts that methods check, of a complete request. */
export function whole(session: SessionRequest): Readable {
  return {
    fields: session,
    operation: session.operation,
    currency: session.order.currency,
    amount: session.amount === 'payer' ? undefined : session.amount,
    methods: session.methods ?? [],
    parameters: session.parameters ?? {},
  };
}

function checkMethods(tools: Tools, request: Readable, options: ValidateOptions): Found {
  const { profile, unfit } = options;
  const { methods, parameters } = request;
  const issues = channelIssue(profile, request);
  // A channel that is not known leaves no MID; that is said once.
  const routed = issues.length > 0 ? { ...request, fields: { ...request.fields, channel_id: undefined } } : request;
  const warnings: Issue[] = [];
  const found: (Found & { readonly key: string; readonly asked: boolean })[] = [];
  if (methods.some((key) => tools.find(key, profile) === undefined))
    issues.push(choiceIssue('methods', Object.keys(profile?.methods ?? {})));
  for (const key of new Set([...methods, ...Object.keys(parameters)])) {
    const asked = methods.includes(key);
    const method = tools.find(key, profile);
    if (method === undefined) {
      if (!asked) found.push({ key, asked, issues: [issue(`parameters.${key}`, TEXTS.unexpected)], warnings: [] });
      continue;
    }
    const { issues: own, warnings: notes } = checkKey(tools, method, routed, key, asked, options);
    found.push({ key, asked, issues: [...(unfit?.get(key) ?? []), ...own], warnings: notes });
  }
  const isShown = found.some((each) => each.asked && each.issues.length === 0);
  for (const { key, asked, issues: own, warnings: notes } of found) {
    if (
      asked &&
      isShown &&
      own.length > 0 &&
      own.every((each) => suitsNot(each, key) || unfit?.get(key)?.includes(each))
    )
      warnings.push(...own.map((each) => notShown(each, key)));
    else {
      issues.push(...own);
      warnings.push(...notes);
    }
  }
  return { issues: distinct(issues), warnings };
}

/**
 * Whether an issue says that the order does not suit a method, or that the request lacks a value of it, and not that a value which was sent
 * for it is wrong.
 */
const suitsNot = ({ path, message }: Issue, key: string): boolean =>
  !path.startsWith(`parameters.${key}`) || message.startsWith(TEXTS.blank);

/** Says why the payer does not see a method that the request names. */
const notShown = ({ path, message }: Issue, key: string): Issue =>
  issue('methods', `${key} is not shown. ${path}: ${message}`);

function checkKey(
  tools: Tools,
  method: Method,
  request: Readable,
  key: string,
  asked: boolean,
  { profile, today }: ValidateOptions,
): Found {
  if (profile === undefined) return checkMethod(tools, method, request, key, asked, { today });
  const left = eligible(profile, key, request);
  if (left.ok) return tryInOrder(tools, method, request, key, asked, left.entries, today);
  if (asked) return { issues: [left.issue], warnings: [] };
  // Parameters of a method that the payer will not see are still checked.
  return checkMethod(tools, method, request, key, asked, { profile: profileEntry(profile, key), today });
}

/** The part of a session that a method's rules look at. */
export function scopeOf(session: SessionRequest, key: string, method?: Method): Scope {
  return scopeWith(session, key, own(session.parameters, key), method);
}

function distinct(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ path, message }) => {
    const mark = `${path}\n${message}`;
    if (seen.has(mark)) return false;
    seen.add(mark);
    return true;
  });
}
