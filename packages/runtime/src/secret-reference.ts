import { readFileSync } from 'node:fs';

/** Where a secret stands, in place of the secret: a variable of the environment, or a file. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** Whether a value is nothing but a reference. */
export function isReference(value: unknown): value is SecretReference {
  if (typeof value !== 'object' || value === null) return false;
  const [[name, place] = ['', undefined], ...more] = Object.entries(value);
  return more.length === 0 && (name === 'env' || name === 'file') && typeof place === 'string' && place !== '';
}

export type ReadReference = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Each process reads its own environment and files. What is wrong is said without the value. */
export function readReference(given: SecretReference): ReadReference {
  if ('env' in given) {
    const text = process.env[given.env];
    return text ? { ok: true, text } : { ok: false, why: `The environment variable ${given.env} is not set.` };
  }
  try {
    // A file that was written with an editor or echo ends with a line break, which is not part of the secret.
    const text = readFileSync(given.file, 'utf8').replace(/\r?\n$/, '');
    return text ? { ok: true, text } : { ok: false, why: `The file ${given.file} is empty.` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { ok: false, why: `The file ${given.file} cannot be read${code}.` };
  }
}

/** A problem of a secret reference, and where it stands. */
export interface ReferenceProblem {
  readonly path: readonly (string | number)[];
  readonly why: string;
  readonly reference: SecretReference;
}

/** Any values, with every reference in them replaced by its secret. A reference that cannot be read is left out. */
export function readReferences(values: Readonly<Record<string, unknown>>): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ReferenceProblem[];
} {
  const problems: ReferenceProblem[] = [];
  const walk = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (isReference(value)) {
      const found = readReference(value);
      if (found.ok) return found.text;
      problems.push({ path, why: found.why, reference: value });
      return undefined;
    }
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, index]));
    return typeof value === 'object' && value !== null ? walkNamed(value, path) : value;
  };
  const walkNamed = (value: object, path: readonly (string | number)[]) =>
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, [...path, name])]));
  return { values: walkNamed(values, []), problems };
}
