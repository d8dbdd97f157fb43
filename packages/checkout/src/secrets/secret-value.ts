import { readReference, readReferences } from '@railyard/runtime';
import * as z from 'zod';

const reference = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })]);

const given = z.union([z.string(), reference]);

/** The secret itself; problems are reported at its path. */
function readSecret(
  value: z.output<typeof given>,
  text: z.ZodType<string, string>,
  context: z.core.$RefinementCtx,
  path: number[],
): string {
  const found = typeof value === 'string' ? { ok: true as const, text: value } : readReference(value);
  const parsed = found.ok ? text.safeParse(found.text) : undefined;
  const problems = found.ok ? (parsed?.error?.issues.map(({ message }) => message) ?? []) : [found.why];
  for (const message of problems) context.issues.push({ code: 'custom', input: value, path, message });
  return parsed?.data ?? '';
}

/** A missing value is reported as missing, any other fault by a hint. */
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

/** Any values, with references anywhere in them replaced by what they refer to. */
export const valuesWithSecrets = z.record(z.string(), z.unknown()).transform((given, context) => {
  const { values, problems } = readReferences(given);
  for (const { path, why, reference } of problems)
    context.issues.push({ code: 'custom', input: reference, path: [...path], message: why });
  return { ...values };
});
