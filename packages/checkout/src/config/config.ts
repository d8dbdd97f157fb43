import type { Connector } from '@railyard/core';
import * as z from 'zod';

const httpUrl = z.url({ protocol: /^https?$/ });

/** One provider account: which connector speaks to it, its credentials, and the values it supplies for methods. */
const midSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use lower-case letters, digits and "-".'),
  connector: z.string(),
  settings: z.record(z.string(), z.unknown()),
  /** Values of method parameters that are used when a request does not carry them: method key → parameter → value. */
  defaults: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/** A method that a merchant offers, under its own key or under an alias. */
const offerSchema = z.strictObject({
  /** The key that requests use. */
  key: z.string(),
  /** The method behind it; the key itself unless given. */
  method: z.string().optional(),
  mid: z.string(),
  /** Optional parameters or session paths that are required here. */
  required: z.array(z.string()).optional(),
  strict_documents: z.boolean().optional(),
});

const merchantSchema = z.strictObject({
  /** `merchant_key` of requests. */
  key: z.string().min(1),
  /** With this key everything is marked as a test. */
  testKey: z.string().min(1).optional(),
  name: z.string().min(1),
  /** The secret of the protocol's hash. */
  password: z.string().min(1),
  /** Inner digest of the hash; `both` accepts either. */
  digest: z.enum(['md5', 'sha256', 'both']).default('md5'),
  /** Where callbacks go. Without it none are sent. */
  callbackUrl: httpUrl.optional(),
  /** The secret of the Standard Webhooks signature: `whsec_` and 24 to 64 bytes in Base64. */
  callbackSecret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'Use "whsec_" followed by 24 to 64 bytes in Base64.')
    .optional(),
  methods: z.array(offerSchema).min(1),
  /** Declined attempts after which the payer is sent to cancel_url. */
  maxDeclines: z.int().min(1).max(100).default(3),
});

const configSchema = z.strictObject({
  /** The address under which payers and providers reach this service. */
  publicUrl: httpUrl,
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8080),
  /** A directory, or `memory`. */
  dataDir: z.string().default('.railyard'),
  mids: z.array(midSchema).min(1),
  merchants: z.array(merchantSchema).min(1),
});

export type MerchantConfig = z.output<typeof merchantSchema>;
export type MidConfig = z.output<typeof midSchema>;
export type OfferConfig = z.output<typeof offerSchema>;
export type ParsedConfig = z.output<typeof configSchema> & { readonly connectors: readonly Connector[] };

/** What a deployment gives to `createCheckout`. */
export type CheckoutConfig = z.input<typeof configSchema> & { readonly connectors: readonly Connector[] };

/** A configuration that cannot be run; the message lists every problem with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((each) => `  - ${each}`).join('\n')}`);
  }
}

/**
 * Reads a configuration.
 *
 * @throws ConfigError naming the path of every problem; values are not repeated, because they may be secrets.
 */
export function parseConfig({ connectors, ...rest }: CheckoutConfig): ParsedConfig {
  const parsed = configSchema.safeParse(rest);
  if (parsed.success) return { ...parsed.data, connectors };
  // What is wrong with the settings of the MIDs is told along with it, so that nothing has to be found one by one.
  throw new ConfigError([...problemsOf(parsed.error), ...settingsProblems(rest.mids, connectors)]);
}

/** Each problem with its path. What is missing is often a secret whose environment variable is not set. */
export function problemsOf(error: z.ZodError, prefix = ''): string[] {
  return error.issues.map(({ path, message }) => {
    const missing = message.endsWith('received undefined');
    return `${prefix}${path.join('.')}: ${missing ? 'is missing (is the environment variable set?).' : message}`;
  });
}

function settingsProblems(mids: CheckoutConfig['mids'], connectors: readonly Connector[]): string[] {
  return Array.isArray(mids)
    ? mids.flatMap((mid, index) => {
        const parsed = connectors.find((each) => each.id === mid?.connector)?.settings.safeParse(mid?.settings);
        return parsed?.success === false ? problemsOf(parsed.error, `mids.${index}.settings.`) : [];
      })
    : [];
}
