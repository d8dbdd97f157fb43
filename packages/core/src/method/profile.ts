import * as z from 'zod';
import { OPERATIONS } from './operation.ts';

/**
 * The public part of a merchant's configuration. The service exports it, so that a merchant's own validation says exactly
 * what the service will say.
 */
export const methodProfile = z.strictObject({
  /** The method behind this key; the key itself may be an alias. */
  method: z.string(),
  /** Parameters that the MID supplies when the request does not carry them. */
  supplied: z.array(z.string()).optional(),
  /** Optional parameters or session paths that this MID requires. */
  required: z.array(z.string()).optional(),
  /** `true`: wrong check digits of documents are errors, not warnings. */
  strict_documents: z.boolean().optional(),
  /** Rows that stand before the method's own limits. */
  limits: z
    .array(
      z.strictObject({
        operation: z.enum(OPERATIONS).optional(),
        currency: z.string(),
        country: z.string().optional(),
        operator: z.string().optional(),
        min: z.string().optional(),
        max: z.string().optional(),
      }),
    )
    .optional(),
});

export const profileSchema = z.strictObject({ methods: z.record(z.string(), methodProfile) });

export type MethodProfile = z.output<typeof methodProfile>;
export type Profile = z.output<typeof profileSchema>;
