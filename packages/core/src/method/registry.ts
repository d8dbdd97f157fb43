import type * as z from 'zod';
import { issue, TEXTS } from '../issues/index.ts';
import type { SessionRequest } from '../session/index.ts';
import type { Method } from './define-method.ts';
import { describeMethod, type MethodDescription } from './describe.ts';
import { methodJsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';
import type { Profile } from './profile.ts';
import { resolveMethod, type Resolution } from './resolve.ts';
import type { Sources } from './scope.ts';
import { profileEntry, scopeOf, type ValidateOptions, type Validation, validate } from './validate.ts';

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
