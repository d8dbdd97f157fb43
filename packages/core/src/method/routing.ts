import { choiceIssue, type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import { checkMethod, type Found, type Tools, unlisted } from './check-method.ts';
import { readPath, readText } from '../plain-data.ts';
import type { Method } from './define-method.ts';
import type { MethodProfile, Profile } from './profile.ts';
import type { Operation } from './operation.ts';
import type { Readable } from './readable.ts';
import type { RoutingRule } from './routing-rules.ts';
import { ruleFor } from './rule-for.ts';
import { own } from './values.ts';

/** A method that the payer can use, and the MID that would serve it. */
export interface Route {
  /** As the request names it. */
  readonly key: string;
  readonly method: Method;
  /** The profile's entry of the MID. */
  readonly entry: MethodProfile;
}

export function profileEntry(profile: Profile | undefined, key: string): MethodProfile | undefined {
  return own(profile?.methods, key);
}

/** The MIDs behind a key, in the order in which they are tried. */
export function entriesOf(profile: Profile | undefined, key: string): readonly MethodProfile[] {
  const entry = profileEntry(profile, key);
  return entry === undefined ? [] : [entry, ...(entry.more ?? [])];
}

/** A channel that no MID of the merchant carries. */
export function channelIssue(profile: Profile | undefined, request: Readable): Issue[] {
  return unlisted('channel_id', channelOf(request), profile?.channels);
}

type Eligible =
  | { readonly ok: true; readonly entries: readonly [MethodProfile, ...MethodProfile[]] }
  | { readonly ok: false; readonly issue: Issue };

/**
 * The MIDs of a key that the request's channel and `auth` leave: a sale goes to SMS and SMS/DMS, an authorization to DMS and SMS/DMS
 * (protocol: Routing by auth on purchase).
 */
export function eligible(profile: Profile, key: string, request: Readable): Eligible {
  const channel = channelOf(request);
  const inChannel = entriesOf(profile, key).filter((entry) => isInChannel(entry, channel));
  if (inChannel.length === 0) return { ok: false, issue: issue('methods', TEXTS.choice) };
  const isAuth = readPath(request.fields, 'auth') === true;
  const [first, ...more] = inChannel.filter((entry) => takesMode(entry, request.operation, isAuth));
  return first === undefined
    ? { ok: false, issue: choiceIssue('auth', [String(!isAuth)]) }
    : { ok: true, entries: [first, ...more] };
}

export const isInChannel = ({ channels }: MethodProfile, channel: string | undefined): boolean =>
  channel === undefined || channels?.includes(channel) === true;

export const takesMode = ({ mode }: MethodProfile, operation: Operation, isAuth: boolean): boolean =>
  mode === undefined || operation !== 'purchase' || mode !== (isAuth ? 'SMS' : 'DMS');

/** The result of the first MID that takes the request, or of the first of all where none takes it. */
export function tryInOrder(
  tools: Tools,
  method: Method,
  request: Readable,
  key: string,
  asked: boolean,
  entries: readonly [MethodProfile, ...MethodProfile[]],
  today: string | undefined,
): Found & { readonly entry: MethodProfile } {
  const check = (entry: MethodProfile) => ({
    entry,
    ...checkMethod(tools, method, request, key, asked, { profile: entry, today }),
  });
  const [entry, ...more] = entries;
  const first = check(entry);
  if (first.issues.length === 0) return first;
  for (const each of more) {
    const found = check(each);
    if (found.issues.length === 0) return found;
  }
  return first;
}

export interface RouteOptions {
  /** `YYYY-MM-DD`, for rules about dates. */
  readonly today?: string | undefined;
  /** Ids of MIDs that are passed over, because they were tried already. */
  readonly except?: ReadonlySet<string> | undefined;
}

/** The methods that the payer can use, each with its first MID that accepts the request. The request names them; otherwise the rules choose. */
export function routesFor(tools: Tools, profile: Profile, request: Readable, { today, except }: RouteOptions): Route[] {
  if (channelIssue(profile, request).length > 0) return [];
  const rule = request.methods.length > 0 ? undefined : ruleFor(profile.rules ?? [], request);
  const keys = request.methods.length > 0 ? request.methods : (rule?.methods ?? Object.keys(profile.methods));
  return [...new Set(keys)].flatMap((key) => {
    const method = tools.find(key, profile);
    const left = eligible(profile, key, request);
    if (method === undefined || !left.ok) return [];
    const [first, ...more] = left.entries.filter((entry) => isSeen(rule, entry) && !isLeftOut(except, entry));
    if (first === undefined) return [];
    const { entry, issues } = tryInOrder(tools, method, request, key, true, [first, ...more], today);
    return issues.length === 0 ? [{ key, method, entry }] : [];
  });
}

const isSeen = (rule: RoutingRule | undefined, { mid }: MethodProfile): boolean =>
  rule?.mids === undefined || (mid !== undefined && rule.mids.includes(mid));

const isLeftOut = (except: RouteOptions['except'], { mid }: MethodProfile): boolean =>
  mid !== undefined && except?.has(mid) === true;

function channelOf({ fields }: Readable): string | undefined {
  return readText(fields, 'channel_id');
}
