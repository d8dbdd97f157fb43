import * as z from 'zod';

/**
 * The fields of an object, or of each element of a list of them, also where it may be left out or is made later; nothing for any other
 * schema.
 */
export function shapeWithin(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  if (schema instanceof z.ZodOptional) return shapeWithin(schema.unwrap());
  // `unwrap()` would make it anew.
  if (schema instanceof z.ZodLazy) return shapeWithin(schema._zod.innerType);
  if (schema instanceof z.ZodArray) return shapeWithin(schema.element);
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}
