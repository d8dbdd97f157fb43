import * as z from 'zod';
import type { Issue } from '../issues/issue.ts';
import { issuesOfZod } from '../issues/zod-issues.ts';
import { limitProblem } from './limits.ts';
import { OPERATIONS } from './operation.ts';
import { routingRuleSchema } from './routing-rules.ts';

/** A row of a limits table, as data. */
export const limitRowSchema = z
  .strictObject({
    operation: z.enum(OPERATIONS).optional(),
    currency: z.string(),
    country: z.string().optional(),
    operator: z.string().optional(),
    min: z.string().optional(),
    max: z.string().optional(),
  })
  .check((context) => {
    const message = limitProblem(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
  });

/**
 * The public part of a merchant's configuration. The service exports it, so that a merchant's own validation says exactly
 * what the service will say.
 */
const entrySchema = z.strictObject({
  /** The method behind this key; the key itself may be an alias. */
  method: z.string(),
  /** Parameters that the MID supplies when the request does not carry them. */
  supplied: z.array(z.string()).optional(),
  /** Values of the supplied parameters that conditions, rules, variants or limits look at. */
  values: z.record(z.string(), z.unknown()).optional(),
  /** Optional parameters, paths within them (`cart.items.name`: of each item) or session paths that this MID requires. */
  required: z.array(z.string()).optional(),
  /** `true`: wrong check digits of documents are errors, not warnings. */
  strict_documents: z.boolean().optional(),
  /** The provider's own rules for texts among the parameters, by name. */
  texts: z.record(z.string(), z.strictObject({ pattern: z.string(), says: z.string() })).optional(),
  /** Limits that override the method's own. */
  limits: z.array(limitRowSchema).optional(),
  /** The provider account behind it. */
  mid: z.string().optional(),
  /** The values of `channel_id` that lead to this MID. Without `channel_id` it is always in reach. */
  channels: z.array(z.string()).optional(),
  /** `SMS` accepts no authorization, `DMS` no sale. Default: accepts both. */
  mode: z.enum(['SMS', 'DMS']).optional(),
  /** Currencies that this MID accepts. Default: all of the method. */
  currencies: z.array(z.string()).optional(),
  /** `true`: the account is for tests alone. */
  test: z.boolean().optional(),
});

const methodProfileSchema = entrySchema.extend({
  /** Further MIDs of the same key, in the order in which they are tried. */
  more: z.array(entrySchema).optional(),
});

export const profileSchema = z.strictObject({
  methods: z.record(z.string(), methodProfileSchema),
  /** All values of `channel_id` that lead somewhere. Without this list channels are not checked. */
  channels: z.array(z.string()).optional(),
  /** `latin`: the names of a session are in basic Latin letters (protocol: customer.name, Protocol Mapping). Default: any. */
  names: z.literal('latin').optional(),
  /** Which methods the page offers when a request names none. The first match wins. */
  rules: z.array(routingRuleSchema).optional(),
});

/** The provider's rules for texts, as data. */
export type ProfileTexts = NonNullable<z.output<typeof entrySchema>['texts']>;

export type MethodProfile = z.output<typeof methodProfileSchema>;
export type Profile = z.output<typeof profileSchema>;

export type ParsedProfile =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads a profile that the service has exported.
 *
 * @example
 * const parsed = parseProfile(JSON.parse(text));
 * if (parsed.ok) registry.validate(request, { today, profile: parsed.profile });
 */
export function parseProfile(input: unknown): ParsedProfile {
  const parsed = profileSchema.safeParse(input);
  return parsed.success
    ? { ok: true, profile: parsed.data }
    : { ok: false, issues: issuesOfZod(parsed.error, { prefix: 'profile', input }) };
}
