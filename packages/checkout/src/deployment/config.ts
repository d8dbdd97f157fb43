import type { Connector, DigitalWallet } from '@railyard/core';
import { contractProblem } from '@railyard/core/driver';
import * as z from 'zod';
import { isAddressRange } from './client-address.ts';
import { DATA_DIRECTORY } from './data-directory.ts';
import { KEY_FORM, secretValue, secretValues } from '../secrets/index.ts';
import { type Catalogue, type GivenCatalogue, httpUrl } from './catalogue-schema.ts';
import { type ReadCatalogue, readCatalogue } from './read-catalogue.ts';
import { rateLimitsSchema } from './rate-limits.ts';
import { retentionSchema } from './retention.ts';
import { ConfigError, problemsOf } from './problems.ts';

const KEY_HINT = 'Use 32 bytes in Base64: openssl rand -base64 32';
const keySchema = z.string().regex(KEY_FORM, KEY_HINT);

const DATABASE_URL_FORM = 'Use "postgres://user:password@host:port/database".';

/** The settings of a process; they do not change while it runs. */
export const serviceSchema = z.strictObject({
  publicUrl: httpUrl.describe('The address under which payers and providers reach this service.'),
  host: z.string().default('127.0.0.1').describe('The address it listens on.'),
  port: z.int().min(0).max(65_535).default(8080).describe('The port it listens on; 0 for any free one.'),
  dataDir: z.string().default(DATA_DIRECTORY).describe('The directory of the embedded database, or `memory`.'),
  databaseUrl: secretValue(z.url({ protocol: /^postgres(ql)?$/, error: DATABASE_URL_FORM }))
    // One that is there without a value is a variable that is not set: it must not lead to the embedded database.
    .exactOptional()
    .describe('A PostgreSQL server in place of the embedded database: `postgres://user:password@host:port/database`.'),
  databasePoolSize: z
    .int()
    .min(2)
    .max(1000)
    .default(32)
    .describe(
      'Connections to the server that one process opens at most for requests, 2 to 1000. It opens six more: four for background work and two that listen.',
    ),
  callbackNetwork: z
    .enum(['public', 'any'])
    .default('public')
    .describe(
      'Where callbacks may go. `public`: over https to addresses of the internet. `any`: also over http, to any port, and into the network that the service runs in; for trials on one machine.',
    ),
  retention: retentionSchema
    .prefault({})
    .describe('For how many days what is personal is kept; each has a default, see below.'),
  encryptionKey: secretValues(keySchema, KEY_HINT, 10)
    .transform((keys) => [keys].flat())
    .default([])
    .describe(
      'What is sealed in the database is sealed with it: 32 bytes in Base64. Several: the newest first, and the older ones as long as something sealed with them is kept. A data directory makes its own unless it is given; a database server needs one.',
    ),
  commandWaitSeconds: z
    .number()
    .min(0)
    .max(50)
    .default(10)
    .describe(
      'How long a server-to-server command waits for the provider. After that it is answered as undefined, and a callback reports the result.',
    ),
  trustedProxies: z
    .array(z.string().refine(isAddressRange, 'Use an address or a CIDR range.'))
    .default([])
    .describe(
      'Proxies in front of the service, as addresses and CIDR ranges: only these may say in `X-Forwarded-For` whom they pass on.',
    ),
  rateLimits: rateLimitsSchema.describe(
    'How much one sender may ask of one process; `false`: no limits, for example because a proxy has them.',
  ),
});

type ServiceSettings = z.output<typeof serviceSchema>;

export type ParsedConfig = ServiceSettings &
  Catalogue & {
    readonly connectors: readonly Connector[];
    readonly wallets: readonly DigitalWallet[];
    /** Merchants and MIDs as they were given; what was left out comes from the database. */
    readonly given: GivenCatalogue | undefined;
  };

/**
 * The configuration that a deployment gives to `startCheckout`. `mids` and `merchants` are left out together where the database
 * has them already.
 */
export type CheckoutConfig = z.input<typeof serviceSchema> &
  Partial<GivenCatalogue> & {
    readonly connectors: readonly Connector[];
    /** Digital wallets whose settings merchants may have. */
    readonly wallets?: readonly DigitalWallet[];
  };

/**
 * Reads a configuration.
 *
 * @throws ConfigError naming the path of every problem; values are not repeated, because they may be secrets.
 */
export function parseConfig({
  connectors: given,
  wallets = [],
  mids,
  merchants,
  ...rest
}: CheckoutConfig): ParsedConfig {
  // A configuration in JavaScript is checked by no compiler.
  const connectors = Array.isArray(given) ? given.filter(isConnector) : [];
  const service = serviceSchema.safeParse(rest);
  const network = serviceSchema.shape.callbackNetwork.safeParse(rest.callbackNetwork).data ?? 'public';
  const left = mids === undefined && merchants === undefined;
  const read: ReadCatalogue | typeof LEFT_OUT = left
    ? LEFT_OUT
    : readCatalogue({ mids, merchants }, connectors, network);
  const unrecognised = [...connectorProblems(given), ...contractProblems(connectors)];
  if (service.success && read.ok && unrecognised.length === 0)
    return { ...service.data, mids: [], merchants: [], ...read.catalogue, connectors, wallets, given: read.given };
  throw new ConfigError([
    ...(service.success ? [] : problemsOf(service.error)),
    ...unrecognised,
    ...(read.ok ? [] : read.problems),
  ]);
}

const isConnector = (each: unknown): each is Connector => typeof each === 'object' && each !== null && 'serves' in each;

function connectorProblems(given: unknown): string[] {
  if (!Array.isArray(given)) return ['connectors: is missing: the list of the connectors that the service runs.'];
  return given.flatMap((each, index) =>
    isConnector(each) ? [] : [`connectors.${index}: is no connector. Name what its package exports.`],
  );
}

/** A connector may bring a core of its own, which found nothing wrong with it. */
function contractProblems(connectors: readonly Connector[]): string[] {
  return connectors.flatMap((connector, index) => {
    const problem = contractProblem(connector);
    return problem === undefined ? [] : [`connectors.${index}: ${problem}`];
  });
}

const LEFT_OUT = { ok: true, catalogue: undefined, given: undefined } as const;
