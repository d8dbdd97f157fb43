import { randomBytes } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import { memoryCredentials } from '@railyard/runtime';
import type { CallbackRequest } from '../../src/callbacks/sender.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { pageTokens } from '../../src/sessions/page-token.ts';
import { type CheckoutConfig, createLog } from '../../src/index.ts';
import { createRateLimits } from '../../src/http/basics/limits.ts';
import { createSealer } from '../../src/secrets/index.ts';
import { unmatchedHints } from '../../src/payments/change/deps.ts';
import { createQuestions } from '../../src/notifications/questions.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import { paymentQueues } from '../../src/payments/change/deps.ts';
import { runsUnderWay } from '../../src/payments/runs/deps.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { kyselyOver } from '../../src/storage/database/open.ts';
import { clockFrom, type Db, releaseHolds, storesOf } from '../../src/storage/index.ts';
import { cardVault, createEnteredCodes, createSecurityCodes } from '../../src/cards/index.ts';
import { callbackSecret } from '../support/receiver.ts';
import { merchant } from '../support/service.ts';
import { hintsConnector, modelConnector, SIGNED, UNSIGNED } from './model-connector.ts';
import { HINTS_URL, type ModelProvider, modelProvider } from './model-provider.ts';
import { Reports } from './model-reports.ts';

const config: CheckoutConfig = {
  publicUrl: 'https://pay.example',
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [modelConnector, hintsConnector],
  mids: [
    { id: 'main', connector: modelConnector.id, settings: { base_url: 'https://provider.example' } },
    { id: 'hints', connector: hintsConnector.id, settings: { base_url: HINTS_URL } },
  ],
  merchants: [
    {
      ...merchant,
      name: 'Model shop',
      callbackUrl: 'https://shop.example/callback',
      callbackSecret,
      methods: [...SIGNED.map((key) => ({ key, mid: 'main' })), ...UNSIGNED.map((key) => ({ key, mid: 'hints' }))],
      maxDeclines: 3,
    },
  ],
};

const parsed = parseConfig(config);
const directory = createDirectory(parsed);
const sealer = createSealer([randomBytes(32)]);
const fingerprintKey = randomBytes(32);
const tokens = pageTokens(randomBytes(32));
const START = Date.parse('2026-01-01T00:00:00Z');

/** What a process that was killed does next. */
const never = () => new Promise<never>(() => undefined);

/** What the merchant heard, in the order in which it was delivered. */
export interface Heard {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type ReceiverMood = 'well' | 'failing' | 'lost';

/**
 * A service with its provider and its merchant, whose process can be killed before and after each statement and each request. What it
 * was doing then never goes on, as after a real SIGKILL; what the database has, stays.
 */
export class World {
  readonly provider: ModelProvider = modelProvider(() => this.#at - this.#ahead);
  readonly heard: Heard[] = [];
  /** What the service wrote into its log. */
  readonly reports = new Reports(() => this.provider.withMoney());
  readonly #pglite: PGlite;
  readonly #db: Db;
  #at = START;
  /** How far the service's clock is ahead of the provider's. */
  #ahead = 0;
  #ids = 0;
  #mood: ReceiverMood = 'well';
  #life = new Life();
  #context: ServiceDeps;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
    this.#db = kyselyOver(pglite);
    this.#context = this.#start();
  }

  /** The database as it is, for whoever looks in the end. */
  get db(): Db {
    return this.#db;
  }

  get context(): ServiceDeps {
    return this.#context;
  }

  get directory() {
    return directory;
  }

  advance(ms: number): void {
    this.#at += ms;
  }

  /** The service's clock is set to another time. */
  step(ms: number): void {
    this.#at += ms;
    this.#ahead += ms;
  }

  receiverIs(mood: ReceiverMood): void {
    this.#mood = mood;
  }

  /**
   * Does something in the process that runs now.
   *
   * @param killAt the process is killed at so many points from now, if it comes so far, and a new one starts
   * @param alone the new process has the database to itself, and lets go of what the other held
   */
  async run(work: (context: ServiceDeps) => Promise<unknown>, killAt: number | undefined, alone: boolean) {
    this.#life.killAt(killAt);
    // What a killed process threw afterwards, nobody hears.
    await Promise.race([work(this.#context), this.#life.killed]);
    this.#life.killAt(undefined);
    if (!this.#life.isOver) return;
    this.#life = new Life();
    this.#context = this.#start();
    if (alone) await releaseHolds(this.#db, this.#context.sqlClock);
  }

  #start(): ServiceDeps {
    const life = this.#life;
    const db = kyselyOver(mortal(this.#pglite, life));
    const now = () => this.#at;
    const sqlClock = clockFrom(() => new Date(now()));
    const transport = this.provider.transport(() => life.point());
    const log = createLog({ write: (line) => this.reports.take(line) });
    const vault = cardVault(sealer, fingerprintKey);
    return {
      config: parsed,
      directory,
      db,
      sqlClock,
      now,
      monotonic: () => this.#at - this.#ahead,
      newId: () => this.#newId(),
      random: () => 0.5,
      stores: storesOf(db, sqlClock),
      sealer,
      vault,
      securityCodes: createSecurityCodes(),
      enteredCodes: createEnteredCodes(vault, () => false, log),
      pageTokens: tokens,
      unmatchedHints: unmatchedHints(),
      queues: paymentQueues(),
      limits: createRateLimits(false),
      transport,
      questions: createQuestions(transport, { monotonic: () => this.#at - this.#ahead, log }),
      breakers: createBreakers(transport, { monotonic: () => this.#at - this.#ahead, log }),
      callbackSender: { send: (callback) => this.#receive(callback, life), close: async () => undefined },
      credentials: memoryCredentials(now),
      log,
      logCall: () => undefined,
      drift: () => undefined,
      owner: this.#newId(),
      underWay: runsUnderWay(() => this.#at - this.#ahead),
      stopping: new AbortController().signal,
      changed: () => undefined,
      wake: () => undefined,
      wakeOthers: () => undefined,
    };
  }

  async #receive({ headers, body }: CallbackRequest, life: Life) {
    await life.point();
    const mood = this.#mood;
    if (mood === 'failing') return { kind: 'reply', status: 500, retryAfter: undefined } as const;
    this.heard.push({ id: headers['webhook-id'] ?? '', fields: Object.fromEntries(new URLSearchParams(body)) });
    await life.point();
    if (mood === 'lost') return { kind: 'failed', why: 'reset' } as const;
    return { kind: 'reply', status: 200, retryAfter: undefined } as const;
  }

  /** The same in every repetition, so that a failure can be played again. */
  #newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${this.#ids.toString(16).padStart(12, '0')}`;
  }
}

/** A process: it can be killed at a point, and then gets no further. */
class Life {
  readonly killed: Promise<void>;
  #kill: () => void = () => undefined;
  #left: number | undefined;
  isOver = false;

  constructor() {
    this.killed = new Promise((resolve) => {
      this.#kill = resolve;
    });
  }

  killAt(points: number | undefined): void {
    this.#left = points;
  }

  async point(): Promise<void> {
    if (this.isOver) return never();
    if (this.#left === undefined) return;
    this.#left -= 1;
    if (this.#left > 0) return;
    this.isOver = true;
    this.#kill();
    return never();
  }
}

/** The database as a process sees it that may be killed before or after any statement. */
function mortal(pglite: PGlite, life: Life): PGlite {
  return new Proxy(pglite, {
    get(target, name) {
      if (name !== 'query') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (...query: Parameters<PGlite['query']>) => {
        await life.point();
        const result = await target.query(...query);
        await life.point();
        return result;
      };
    },
  });
}
