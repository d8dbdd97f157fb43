import type { Profile, Registry, Validation } from '../../src/registry.ts';

/** Tells of a session every problem as `path: text`; the warnings where there is none. */
export const answersOf =
  (registry: Pick<Registry, 'validate'>, today: string) =>
  (session: unknown, profile?: Profile): readonly string[] => {
    const result: Validation = registry.validate(session, { today, ...(profile && { profile }) });
    const lines = result.ok ? result.warnings : result.issues;
    return lines.map(({ path, message }) => `${result.ok ? 'warning ' : ''}${path}: ${message}`);
  };
