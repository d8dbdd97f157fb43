import { readFileSync } from 'node:fs';
import * as z from 'zod';

const reference = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })]);

/** Where a secret stands, in place of the secret: a variable of the environment, or a file. */
export type SecretReference = z.output<typeof reference>;

type Resolved = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Each process reads its own environment and files, when it loads the configuration. What is wrong is said without the value. */
function resolve(given: SecretReference): Resolved {
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

const given = z.union([z.string(), reference]);

/** The secret itself, or what is wrong with it, said where it stands. */
function readSecret(
  value: z.output<typeof given>,
  text: z.ZodType<string, string>,
  context: z.core.$RefinementCtx,
  path: number[],
): string {
  const found: Resolved = typeof value === 'string' ? { ok: true, text: value } : resolve(value);
  const parsed = found.ok ? text.safeParse(found.text) : undefined;
  const problems = found.ok ? (parsed?.error?.issues.map(({ message }) => message) ?? []) : [found.why];
  for (const message of problems) context.issues.push({ code: 'custom', input: value, path, message });
  return parsed?.data ?? '';
}

/** What is missing is said to be missing, anything else by a hint. */
const hinting = (hint: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'Invalid input: received undefined' : hint,
});

/**
 * A secret as a configuration gives it: the text, or where it stands.
 *
 * @param text what the secret must be
 * @example secretValue(z.string().min(1)).parse({ env: 'MERCHANT_PASSWORD' })
 */
export function secretValue(text: z.ZodType<string, string>) {
  return z
    .union([z.string(), reference], hinting('Give a text, { env: "NAME" } or { file: "/path" }.'))
    .transform((value, context) => readSecret(value, text, context, []));
}

/** A secret, or several: `[new, old]` while it is being replaced. Each may be a reference. */
export function secretValues(text: z.ZodType<string, string>, hint: string, most = 2) {
  return z
    .union([given, z.array(given).min(1).max(most)], hinting(hint))
    .transform((value, context) =>
      Array.isArray(value)
        ? value.map((each, index) => readSecret(each, text, context, [index]))
        : readSecret(value, text, context, []),
    );
}

/** Whether a value is nothing but a reference. */
export const isReference = (value: unknown): value is SecretReference => reference.safeParse(value).success;

/** Any values, with references anywhere in them replaced by what they refer to. */
export const valuesWithSecrets = z.record(z.string(), z.unknown()).transform((values, context) => {
  const walk = (value: unknown, path: (string | number)[]): unknown => {
    if (isReference(value)) {
      const found = resolve(value);
      if (found.ok) return found.text;
      context.issues.push({ code: 'custom', input: value, path, message: found.why });
      return undefined;
    }
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, [...path, name])]));
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, walk(value, [name])]));
});
