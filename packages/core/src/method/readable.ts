import * as z from 'zod';
import type { Money } from '../money/money.ts';
import { checkBody } from '../session/body-limits.ts';
import { sessionSchema } from '../session/session-schema.ts';
import { blockOf } from '../session/session-schema.ts';
import { ownProperty } from '../plain-data.ts';
import { isPlainObject } from '../session/fields.ts';
import { normalise } from '../session/normalise.ts';
import { soundFields } from '../session/sound-fields.ts';
import type { Operation } from './operation.ts';
import { orderOf } from './order-of.ts';

/** The parts of a request that its methods check. */
export interface Readable {
  readonly fields: object;
  readonly operation: Operation;
  readonly currency: string | undefined;
  readonly amount: Money | undefined;
  readonly methods: readonly string[];
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The readable parts of a refused request, so that its methods are checked as well and all issues are reported at once.
 * Nothing where the operation is not known or the body is too large to look at.
 */
export function readableOf(input: unknown): Readable | undefined {
  if (!isPlainObject(input) || checkBody(input).excess !== undefined) return undefined;
  const body = normalise(input);
  const { operation, methods = [] } = soundFields(body);
  if (operation === undefined) return undefined;
  const fields = validFields(sessionSchema, body);
  const parameters = isPlainObject(body.parameters) ? Object.entries(body.parameters) : [];
  return {
    fields,
    operation,
    ...orderOf(fields),
    methods,
    parameters: Object.fromEntries(
      parameters.flatMap(([key, own]) => (isPlainObject(own) ? [[key, own] as const] : [])),
    ),
  };
}

/** The fields that are valid by themselves, within blocks too. */
function validFields(schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, type]): [string, unknown][] => {
      const given = ownProperty(value, name);
      const block = blockOf(type);
      if (block !== undefined) return isPlainObject(given) ? [[name, validFields(block, given)]] : [];
      const parsed = z.safeParse(type, given);
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
    }),
  );
}
