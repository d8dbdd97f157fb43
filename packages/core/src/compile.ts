import type * as z from 'zod';

/**
 * Makes a form of a schema that gives the same answers faster: `z.compile`. It is given by who wants it, because it generates
 * code, which some environments forbid, takes milliseconds per schema, and would add 8 KB to every browser bundle.
 */
export type Compile = <S extends z.ZodType>(schema: S) => S;

/** Schemas as they were declared. */
export const asDeclared: Compile = (schema) => schema;
