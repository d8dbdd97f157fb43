import * as z from 'zod';
import { MOST_DAYS, RETENTION, type RetentionSetting } from '../storage/retention.ts';
import type { Connector, DigitalWallet } from '@railyard/core';
import { contractProblem } from '@railyard/core/driver';
import { isAddressRange } from './addresses.ts';
import { KEY_FORM, createSealer, encryptionKeys, secretValue, secretValues, type Sealer } from '../secrets/index.ts';
import {
  ConfigError,
  httpUrl,
  problemsOf,
  readCatalogue,
  type Catalogue,
  type GivenCatalogue,
  type ReadCatalogue,
} from './catalogue.ts';
import type { Log } from '../log/log.ts';
import type { openDatabase } from '../storage/index.ts';

/** The directory of the embedded database where the configuration names none, relative to where the process was started. */
export const DATA_DIRECTORY = '.railyard';

/** So many requests in so many seconds. */
const rate = (requests: number, seconds: number) =>
  z
    .strictObject({ requests: z.int().min(1).max(10_000_000), seconds: z.int().min(1).max(86_400) })
    .default({ requests, seconds });

/**
 * How much one sender may ask of one process of the service; `false`: no limits, for example because a proxy has them. The
 * defaults stop only a flood.
 */
export const rateLimitsSchema = z
  .union([
    z.literal(false),
    z.strictObject({
      /** Signed requests of a merchant. */
      merchant: rate(5000, 10),
      /** Requests of an address of every kind, except for notifications. */
      address: rate(5000, 10),
      /** Forms sent from one payment page. */
      forms: rate(60, 60),
      /** Views of one payment page and its questions how the payment stands. */
      views: rate(600, 60),
      /** Notifications of one address for one provider account. */
      notifications: rate(10_000, 10),
      /** Wrong signatures of an address, at calls whose signature covers a stored payment: each costs reads of the database. */
      signatures: rate(100, 10),
      /** Declined attempts on payment pages, of an address at one merchant. */
      declines: rate(30, 600),
    }),
  ])
  .default({
    merchant: { requests: 5000, seconds: 10 },
    address: { requests: 5000, seconds: 10 },
    forms: { requests: 60, seconds: 60 },
    views: { requests: 600, seconds: 60 },
    notifications: { requests: 10_000, seconds: 10 },
    signatures: { requests: 100, seconds: 10 },
    declines: { requests: 30, seconds: 600 },
  });

export type RateLimitsConfig = z.output<typeof rateLimitsSchema>;

function days(setting: RetentionSetting) {
  const { days: usual, least, from } = RETENTION[setting];
  return z.int().min(least).max(MOST_DAYS).default(usual).describe(`${from} At least ${least}.`);
}

/** For how many days each kind of personal data is kept. */
export const retentionSchema = z.strictObject({
  sessions: days('sessions'),
  payments: days('payments'),
  runs: days('runs'),
  notifications: days('notifications'),
  events: days('events'),
  callbacks: days('callbacks'),
  attempts: days('attempts'),
  cards: days('cards'),
  drift: days('drift'),
});

const KEY_HINT = 'Use 32 bytes in Base64: openssl rand -base64 32';
const keySchema = z.string().regex(KEY_FORM, KEY_HINT);

const DATABASE_URL_FORM = 'Use "postgres://user:password@host:port/database".';

/** The settings of a process; they do not change while it runs. */
export const serviceSchema = z.strictObject({
  publicUrl: httpUrl.describe('The address under which payers and providers reach this service.'),
  host: z.string().default('127.0.0.1').describe('The address that the service listens on.'),
  port: z.int().min(0).max(65_535).default(8080).describe('The port that the service listens on; 0 for any free one.'),
  dataDir: z.string().default(DATA_DIRECTORY).describe('The directory of the embedded database, or `memory`.'),
  databaseUrl: secretValue(z.url({ protocol: /^postgres(ql)?$/, error: DATABASE_URL_FORM }))
    // A key without a value comes from a variable that is not set. It must not lead to the embedded database.
    .exactOptional()
    .describe(
      'The PostgreSQL server: `postgres://user:password@host:port/database`. Default: the embedded database in `dataDir`.',
    ),
  databasePoolSize: z
    .int()
    .min(2)
    .max(1000)
    .default(32)
    .describe(
      'The most connections to the server that one process opens for requests, 2 to 1000. It opens six more: four for background work and two that listen.',
    ),
  callbackNetwork: z
    .enum(['public', 'any'])
    .default('public')
    .describe(
      'Where callbacks may go. `public`: over https to addresses of the internet. `any`: also over http, to any port, and into the service’s own network; for trials on one machine.',
    ),
  retention: retentionSchema
    .prefault({})
    .describe('For how many days each kind of personal data is kept. Default: as in the next table.'),
  encryptionKey: secretValues(keySchema, KEY_HINT, 10)
    .transform((keys) => [keys].flat())
    .default([])
    .describe(
      'The key that seals texts in the database: 32 bytes in Base64. Of several keys, the newest comes first; keep the older ones as long as a text sealed with them is kept. Required with `databaseUrl`. Default: a key that the service makes in `dataDir`.',
    ),
  commandWaitSeconds: z
    .number()
    .min(0)
    .max(50)
    .default(10)
    .describe(
      'How many seconds a server-to-server command waits for the provider. Then its answer is `UNDEFINED`, and a callback reports the result.',
    ),
  trustedProxies: z
    .array(z.string().refine(isAddressRange, 'Use an address or a CIDR range.'))
    .default([])
    .describe(
      'Proxies in front of the service, as addresses and CIDR ranges. Only these may name the sender, in `X-Forwarded-For`. Default: none.',
    ),
  rateLimits: rateLimitsSchema.describe(
    'How many requests one sender may make to one process. `false`: no limits, for example because a proxy has them.',
  ),
});

type ServiceSettings = z.output<typeof serviceSchema>;

export type ParsedConfig = ServiceSettings &
  Catalogue & {
    readonly connectors: readonly Connector[];
    readonly wallets: readonly DigitalWallet[];
    /** Merchants and MIDs as they were given; the database has the parts that were left out. */
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

/** The database that a configuration names. */
export function databasePlace(
  { databaseUrl, databasePoolSize, dataDir }: ParsedConfig,
  log: Pick<Log, 'warn'>,
): Parameters<typeof openDatabase>[0] {
  if (databaseUrl === undefined) return dataDir === 'memory' ? 'memory' : { dataDir };
  const onLost = (why: string) => log.warn({ event: 'database-connection-lost', error: why });
  return { url: databaseUrl, poolSize: databasePoolSize, onLost };
}

type SealedWith = Pick<ParsedConfig, 'databaseUrl' | 'dataDir' | 'encryptionKey'>;

interface Sealed {
  readonly sealer: Sealer;
  /** Of the embedded database, if it has one. */
  readonly dataDir: string | undefined;
}

/** The sealer of a configuration, and the data directory. */
export function sealerOf({ databaseUrl, dataDir, encryptionKey }: SealedWith): Sealed {
  if (databaseUrl !== undefined)
    return { sealer: createSealer(encryptionKeys(encryptionKey, 'server')), dataDir: undefined };
  const home = dataDir === 'memory' ? dataDir : { dataDir };
  return {
    sealer: createSealer(encryptionKeys(encryptionKey, home)),
    dataDir: dataDir === 'memory' ? undefined : dataDir,
  };
}
