import * as z from 'zod';
import { asDeclared, type Compile } from '../compile.ts';
import type { ParsedSession, ParseSessionOptions, SessionRequest } from '../session/parse-session.ts';
import { parseSessionWith } from '../session/parse-session.ts';
import { type SessionFields, sessionSchema } from '../session/session-schema.ts';
import type { Method } from './define-method.ts';
import { type Prepare, preparing } from './prepared.ts';
import type { Profile } from './profile.ts';
import { profileEntry } from './routing.ts';
import { validate, validateParsed, type ValidateOptions, type Validation } from './validate.ts';

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
  /** An operation as it is checked: what `resolveMethod`, `takesCard` and `routesOf` ask a registry for. */
  readonly prepare: Prepare;
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
      throw new Error(`Two definitions of the method key "${method.key}". Import one of them, or rename one.`);
    known.set(method.key, method);
  }
  const find = (key: string, profile?: Profile) => {
    const entry = profileEntry(profile, key);
    return profile === undefined ? known.get(key) : entry === undefined ? undefined : known.get(entry.method);
  };
  // zod's own switch against generated code holds here too.
  const compile = z.config().jitless === true ? asDeclared : (options.compile ?? asDeclared);
  let session: z.ZodType<SessionFields> | undefined;
  const registry: Registry = {
    methods: [...known.values()],
    find,
    prepare: preparing(compile),
    parse: (input, settings) => parseSessionWith((session ??= compile(sessionSchema)), input, settings),
    validate: (input, settings) => validate(registry, input, settings),
    validateParsed: (input, settings) => validateParsed(registry, input, settings),
  };
  return registry;
}
