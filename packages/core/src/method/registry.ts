import * as z from 'zod';
import { asDeclared, type Compile } from '../compile.ts';
import { issue, TEXTS } from '../issues/index.ts';
import type { ParsedSession, ParseSessionOptions, SessionRequest } from '../session/index.ts';
import { parseSessionWith } from '../session/parse-session.ts';
import { type SessionFields, sessionSchema } from '../session/session-schema.ts';
import { holds } from './condition.ts';
import type { Method, OperationSpec } from './define-method.ts';
import { preparing } from './prepared.ts';
import type { MethodProfile, Profile } from './profile.ts';
import { resolveMethod, type Resolution } from './resolve.ts';
import type { Sources } from './scope.ts';
import { type Tools } from './check-method.ts';
import { profileEntry, type Route, type RouteOptions, routesOf } from './routing.ts';
import { reader } from './values.ts';
import { scopeOf, validate, validateParsed, type ValidateOptions, type Validation, whole } from './validate.ts';

export interface RegistryOptions {
  /**
   * `z.compile` of zod: schemas are compiled when they are first used, once all methods are known. For a service, which checks
   * thousands of requests; a page that checks one is faster without. Where code generation is forbidden it changes nothing.
   */
  readonly compile?: Compile;
}

export interface Registry {
  readonly methods: readonly Method[];
  /** The method behind a key or, with a profile, behind an alias. */
  find(key: string, profile?: Profile): Method | undefined;
  /** As `parseSession`: the session's own fields alone. */
  parse(input: unknown, options: ParseSessionOptions): ParsedSession;
  /** Checks every method that a session names which `parse` has read: what of `validate` comes after the session's own fields. */
  validateParsed(session: SessionRequest, options: ValidateOptions): Validation;
  /** Checks a session request: its own fields, and every method it names. All issues at once, each with its dotted path. */
  validate(input: unknown, options: ValidateOptions): Validation;
  /** Puts request, MID values and the payer's answers together for one method. */
  resolve(session: SessionRequest, key: string, sources?: Sources & { readonly profiles?: Profile }): Resolution;
  /** Whether the payer pays with a card: always, or where the operation's condition holds. */
  takesCard(session: SessionRequest, key: string, sources?: Sources & { readonly profiles?: Profile }): boolean;
  /**
   * The methods that the payer of a valid request can use, in the order of the request, each with the first MID that takes it: by
   * channel, payment mode, currency and limits, and where the request names no methods by the profile's rules.
   */
  routes(session: SessionRequest, options: RouteOptions & { readonly profile: Profile }): readonly Route[];
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
export function createRegistry(methods: readonly Method[], options: RegistryOptions = {}): Registry {
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
  const tools = toolsOf(find, options);
  /** What a key stands for in a session. */
  const place = (
    session: SessionRequest,
    key: string,
    own: MethodProfile | undefined,
    profiles: Profile | undefined,
  ) => {
    const method = find(key, profiles);
    const spec: OperationSpec | undefined = method?.operations[session.operation];
    return { spec, scope: scopeOf(session, key, method), profile: own ?? profileEntry(profiles, key) };
  };
  return {
    methods: [...known.values()],
    find,
    parse: tools.parse,
    validate: (input, settings) => validate(tools, input, settings),
    validateParsed: (session, settings) => validateParsed(tools, session, settings),
    resolve(session, key, sources = {}) {
      const { spec, scope, profile } = place(session, key, sources.profile, sources.profiles);
      if (spec === undefined) return { kind: 'invalid', issues: [issue('methods', TEXTS.choice)] };
      return resolveMethod(tools.prepare(spec), scope, { ...sources, profile });
    },
    takesCard(session, key, sources = {}) {
      const { spec, scope, profile } = place(session, key, sources.profile, sources.profiles);
      if (spec === undefined || typeof spec.card !== 'object') return spec?.card === true;
      return holds(spec.card, reader(tools.prepare(spec), scope, { ...sources, profile }));
    },
    routes: (session, { profile, ...options }) => routesOf(tools, profile, whole(session), options),
  };
}

function toolsOf(find: Tools['find'], { compile: wanted = asDeclared }: RegistryOptions): Tools {
  // zod's own switch against generated code holds here too.
  const compile = z.config().jitless === true ? asDeclared : wanted;
  let session: z.ZodType<SessionFields> | undefined;
  return {
    find,
    prepare: preparing(compile),
    parse: (input, options) => parseSessionWith((session ??= compile(sessionSchema)), input, options),
  };
}
