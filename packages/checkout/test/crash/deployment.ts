import { type Db, openDatabase } from '../../src/storage/index.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/listen.ts';
import type { BuiltChild } from './build-child.ts';
import { type Background, type Exchange, Gate, isOfJobs, type Moment, type Point } from './gate.ts';
import { Arrivals } from './arrivals.ts';
import { callbackCounts } from './callback-counts.ts';
import { LivingService, type Statement } from './living-service.ts';
import { type Outside, outside } from './outside.ts';
import { postgresProxy } from './postgres-proxy.ts';

/** How often a service that does not get on is given more time by its clock, and after how many real milliseconds. */
const PATIENCE = { rounds: 8, ms: 5000 };
/** A service makes its database when it begins, which takes a busy machine long. */
const ROUNDS_TO_BEGIN = 30;
/** So many statements without a new one: everything that comes by itself has been seen. */
const IDLE_STATEMENTS = 40;
/** So often it is to look for callbacks and find none: one that is under way is not found either. */
const LOOKS = 3;
const looksForCallbacks = (what: string): boolean => /^WITH addresses AS /i.test(what);
/** A client gives up after so many tries. */
const TRIES = 10;

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A service between its database, its providers and its merchant, each reached through a gate. */
export class Deployment {
  readonly #news = new Arrivals();
  readonly #gate = new Gate();
  readonly #directory: DataDir;
  #service: LivingService | undefined;
  #outside: Outside | undefined;
  #proxy: Awaited<ReturnType<typeof postgresProxy>> | undefined;
  #statements: Statement[] = [];
  readonly #callbacks = callbackCounts(
    () => this.service.generation,
    () => this.#news.announce(),
  );
  #armed: Point | undefined;
  #killsBefore = 0;

  private constructor(directory: DataDir) {
    this.#directory = directory;
  }

  static async start(built: BuiltChild): Promise<Deployment> {
    const deployment = new Deployment(await newDataDir());
    await deployment.#begin(built);
    return deployment;
  }

  async #begin(built: BuiltChild): Promise<void> {
    const gate = this.#gate;
    const fire = (moment: Moment) => (moment === 'cut' ? this.service.advance() : this.service.kill());
    const port = await freePort();
    const serviceUrl = `http://127.0.0.1:${port}`;
    this.#outside = await outside({ gate, fire, connected: this.#callbacks.connected, serviceUrl });
    const { place } = this.#directory;
    const { databaseUrl } = place;
    if (databaseUrl !== undefined)
      this.#proxy = await postgresProxy({
        url: databaseUrl,
        gate,
        fire,
        heard: (what, found, rows) => this.#hear({ what, found, rows }),
      });
    this.#service = new LivingService({
      built,
      given: {
        port,
        ...place,
        ...(this.#proxy && { databaseUrl: this.#proxy.url }),
        ...this.#outside.addresses,
        ...this.#outside.accounts,
      },
      watched: this.#proxy === undefined,
      onStatement: (statement) => this.#hear(statement),
      onNews: () => this.#news.announce(),
    });
    await this.until(() => this.service.listening, 'the service', ROUNDS_TO_BEGIN);
  }

  get service(): LivingService {
    if (this.#service === undefined) throw new Error('The service was not started.');
    return this.#service;
  }

  get outside(): Outside {
    if (this.#outside === undefined) throw new Error('The doubles were not started.');
    return this.#outside;
  }

  #hear(statement: Statement): void {
    this.#statements.push(statement);
    // One statement records deliveries of several callbacks, each with a row; of those that it leaves out it has none.
    if (statement.what.includes('INSERT INTO callback_attempts')) this.#callbacks.recorded(statement.rows);
    this.#news.announce();
  }

  /** Waits for something to become true; a service that does not get on is given more time by its clock. */
  async until(condition: () => boolean | Promise<boolean>, what: string, rounds = PATIENCE.rounds): Promise<void> {
    for (let round = 0; round < rounds && !this.service.isDead; round += 1) {
      const patience = AbortSignal.timeout(PATIENCE.ms);
      while (!patience.aborted && !this.service.isDead) {
        const { seen } = this.#news;
        if (await condition()) return;
        await this.#news.after(seen, patience);
      }
      if (round > 0) this.service.advance();
    }
    throw new Error(`${what} did not come. ${this.service.troubles.join('\n')}${this.service.said.slice(-400)}`);
  }

  /** From here on exchanges are numbered; at `point` the service is killed. */
  async mark(background: Background, point?: Point): Promise<void> {
    await this.until(() => this.service.listening, 'the service', ROUNDS_TO_BEGIN);
    this.#statements = [];
    this.#armed = point;
    this.#killsBefore = this.service.kills;
    this.#gate.mark(background, point);
    // A process that dies of what came before takes the mark with it: the next one is told again.
    let told = 0;
    const marked = () => {
      if (told !== this.service.generation && this.service.listening) {
        told = this.service.generation;
        this.service.mark(background, point);
      }
      return told === this.service.generation && this.service.marked;
    };
    await this.until(marked, 'the mark');
  }

  /** Waits until the service was killed where it should be, and lives again. @returns whether it was */
  async fired(): Promise<boolean> {
    const point = this.#armed;
    if (point === undefined) return true;
    const gone = () => (point.moment === 'cut' ? this.#gate.fired === point : this.service.kills > this.#killsBefore);
    try {
      await this.until(() => gone() && this.service.listening, 'The point');
    } catch (missed) {
      // The payment is over and no service was killed: the statement did not come, or not as often.
      if (this.service.isDead || gone()) throw missed;
      return false;
    }
    return true;
  }

  /** What passed since the mark. */
  get exchanges(): readonly Exchange[] {
    const watched = this.#statements.flatMap(({ what, nth }): Exchange[] =>
      nth === undefined ? [] : [{ link: 'database', what, nth }],
    );
    return [...this.#gate.seen, ...watched];
  }

  /** Changes when the service was killed, or what it waited for was lost: whoever sees it looks again. */
  get upsets(): number {
    return this.service.kills + (this.#gate.fired === undefined ? 0 : 1);
  }

  /** Whether its database is a server, with a wire between. */
  get onServer(): boolean {
    return this.#proxy !== undefined;
  }

  /** Waits until nothing is left to tell: time passes for the service, and it looks for callbacks several times and finds none. */
  async rest(): Promise<void> {
    await this.until(() => this.service.listening, 'the service', ROUNDS_TO_BEGIN);
    this.service.advance();
    const from = this.#statements.length;
    const looks = () => this.#statements.slice(from).filter(({ what }) => looksForCallbacks(what));
    const none = () =>
      looks().length >= LOOKS &&
      looks()
        .slice(-LOOKS)
        .every(({ found }) => !found);
    await this.until(none, 'The end of the callbacks');
    await this.quiet();
  }

  /** Learns what the service sends by itself. */
  async idle(): Promise<Background> {
    await this.mark({ quiet: [], busy: [] });
    const seen = new Set<string>();
    const busy = new Set<string>();
    let since = 0;
    let read = 0;
    const settled = () => {
      for (const { what, found } of this.#statements.slice(read).filter((each) => !isOfJobs(each.what))) {
        since = seen.has(what) ? since + 1 : 0;
        seen.add(what);
        if (found) busy.add(what);
      }
      read = this.#statements.length;
      return since >= IDLE_STATEMENTS;
    };
    await this.until(settled, 'Rest');
    return { quiet: [...seen].filter((each) => !busy.has(each)), busy: [...busy] };
  }

  /** Waits until it is recorded how each callback went: one that failed is due again by the clock of its record. */
  async quiet(): Promise<void> {
    await this.until(this.#callbacks.areWritten, 'the record of a callback');
  }

  /** A request that is repeated, as clients do, when the service dies or fails before it answers. */
  async request(path: string, init: RequestInit = {}): Promise<Reply> {
    return this.repeat(async () => {
      const reply = await fetch(new URL(path, this.service.url), { redirect: 'manual', ...init });
      return { status: reply.status, text: await reply.text() };
    }, path);
  }

  /** Repeats something until it is answered. */
  async repeat<T extends { readonly status: number }>(send: () => Promise<T>, what: string): Promise<T> {
    for (let left = TRIES; left > 0; left -= 1) {
      await this.until(() => this.service.listening, 'the service', ROUNDS_TO_BEGIN);
      const { generation, url } = this.service;
      try {
        const reply = await send();
        if (reply.status < 500) return reply;
      } catch {
        // It died, or it was another one that had kept this connection.
        const lives = await fetch(new URL('/health', url)).then(
          (health) => health.ok,
          () => false,
        );
        if (!lives)
          await this.until(() => this.service.listening && this.service.generation > generation, 'the service');
      }
    }
    throw new Error(`${what} failed ${TRIES} times. ${this.service.said.slice(-400)}`);
  }

  /** Ends the service as an operator does and reads what it left. */
  async stopAndRead<T>(read: (db: Db) => Promise<T>): Promise<{ readonly code: unknown; readonly found: T }> {
    const code = await this.service.stop();
    const { databaseUrl, dataDir } = this.#directory.place;
    const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
    try {
      return { code, found: await read(db) };
    } finally {
      await close();
    }
  }

  async end(): Promise<void> {
    await this.service.end();
    await this.#proxy?.close();
    await this.outside.close();
    await this.#directory.remove();
  }
}
