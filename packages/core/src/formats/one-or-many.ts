import * as z from 'zod';

/**
 * Elements of XML that may repeat: the text alone does not distinguish one element from a list of one, nor none from an empty one.
 *
 * @example z.object({ refund: oneOrMany(z.object({ id: z.string() })) })
 */
export function oneOrMany<S extends z.ZodType>(item: S) {
  return z.preprocess(
    (value) => (value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value]),
    z.array(item),
  );
}
