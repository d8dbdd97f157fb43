import { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg';
import { NotConnectedError, SilentServerError } from './database-failure.ts';

/** The terms of shared connections. */
export interface Sharing {
  /** Address, account and limits of a connection. */
  readonly settings: ClientConfig;
  /** Connections that are opened while others still have room. */
  readonly few: number;
  /** Connections at most. */
  readonly most: number;
  /** A server that says nothing for so long while it is asked is gone, and so is its connection. */
  readonly silenceMs: number;
  /** A connection that is not asked for so long is closed. */
  readonly idleMs: number;
  /** Called with the reason when a connection breaks that nothing is waiting on. */
  readonly onLost: (why: string) => void;
}

/** Statements that a connection has under way before another one is opened for more: where a commit takes 5 ms, so many take 80 ms. */
const ROOM = 16;
/** A statement that takes longer may wait for a lock, or read much: no other is sent behind it while another connection has room. */
const SLOW_MS = 250;

/**
 * Connections on which statements follow each other without waiting for the answer of the one before (PostgreSQL: Message Flow,
 * "Pipelining"). Each ends with a Sync, so it is a transaction of its own, and what fails in one means nothing for the next. What is sent
 * in one turn of the event loop goes to the system in one write.
 *
 * @example const { rows } = await connections.query({ text: 'SELECT 1' });
 */
export class SharedConnections {
  readonly #sharing: Sharing;
  #open: SharedConnection[] = [];
  #isClosed = false;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
  }

  /** @throws what `pg` throws, and `NotConnectedError` where the statement was not sent because there is no connection */
  async query(statement: QueryConfig): Promise<QueryResult> {
    if (this.#isClosed) throw new NotConnectedError('The connections are closed.');
    return this.#choose().query(statement);
  }

  /** One that does nothing; up to a few of them a new one; else the one with the least to do, unless all have enough. */
  #choose(): SharedConnection {
    const { few, most } = this.#sharing;
    const least = leastBusy(this.#open);
    if (least?.isIdle === true) return least;
    const count = this.#open.length;
    if (least === undefined || count < few || (count < most && least.load >= ROOM)) return this.#begin();
    return least;
  }

  #begin(): SharedConnection {
    const begun = new SharedConnection(this.#sharing, () => {
      this.#open = this.#open.filter((each) => each !== begun);
    });
    this.#open.push(begun);
    return begun;
  }

  /** Waits for the statements under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#open.map((each) => each.close()));
  }
}

function leastBusy(open: readonly SharedConnection[]): SharedConnection | undefined {
  let least: SharedConnection | undefined;
  for (const each of open) if (least === undefined || each.load < least.load) least = each;
  return least;
}

class SharedConnection {
  readonly #sharing: Sharing;
  readonly #onGone: () => void;
  readonly #socket = new Socket();
  readonly #client: Client;
  readonly #connected: Promise<void>;
  /** When each statement under way was asked for; the server answers them in this order. */
  readonly #askedAt: number[] = [];
  /** When the last statement was answered, or the first after an idle time was asked for. */
  #movedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isConnected = false;
  #isHeldBack = false;
  #isGone = false;

  /** @param onGone called once no statement may be sent over it any more */
  constructor(sharing: Sharing, onGone: () => void) {
    this.#sharing = sharing;
    this.#onGone = onGone;
    this.#client = new Client({ ...sharing.settings, stream: () => this.#socket, pipeline: true });
    this.#client.on('error', ({ message }) => {
      if (!this.#isGone && this.isIdle) sharing.onLost(message);
      this.#go();
    });
    this.#client.once('end', () => this.#go());
    this.#connected = this.#connect();
    this.#connected.catch(() => this.#go());
  }

  #go(): void {
    this.#isGone = true;
    this.#watch();
    this.#onGone();
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      throw new NotConnectedError('There is no connection to the server.', { cause: error });
    }
    this.#isConnected = true;
    this.#watch();
  }

  get isIdle(): boolean {
    return this.#askedAt.length === 0;
  }

  /** Statements under way; behind a slow one as many as there can be. */
  get load(): number {
    const [oldest] = this.#askedAt;
    return oldest === undefined || performance.now() - oldest < SLOW_MS ? this.#askedAt.length : Infinity;
  }

  async query(statement: QueryConfig): Promise<QueryResult> {
    const now = performance.now();
    if (this.isIdle) this.#movedAt = now;
    this.#askedAt.push(now);
    try {
      if (!this.#isConnected) await this.#connected;
      else if (this.#askedAt.length === 1) this.#watch();
      this.#holdBack();
      return await this.#client.query(statement);
    } finally {
      this.#askedAt.shift();
      this.#movedAt = performance.now();
      if (this.isIdle) this.#watch();
    }
  }

  /** Statements of one turn of the event loop are written together. */
  #holdBack(): void {
    if (this.#isHeldBack) return;
    this.#isHeldBack = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#isHeldBack = false;
      this.#socket.uncork();
    });
  }

  /** Looks again when it has been idle, or silent, for as long as it may be. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.#isGone || !this.isIdle) this.#timer = setTimeout(() => this.#look(), this.#leftMs).unref();
  }

  #look(): void {
    if (this.#leftMs > 0) this.#watch();
    else this.#giveUp();
  }

  /** A server that is asked and answers nothing is gone, however much more is sent to it: what is written is no sign of its life. */
  get #leftMs(): number {
    const { idleMs, silenceMs } = this.#sharing;
    return this.#movedAt + (this.isIdle ? idleMs : silenceMs) - performance.now();
  }

  #giveUp(): void {
    if (this.isIdle) void this.close();
    else this.#socket.destroy(new SilentServerError());
  }

  /** Takes no more statements, and waits for those under way. */
  async close(): Promise<void> {
    this.#go();
    await this.#connected.then(
      () => this.#client.end(),
      () => undefined,
    );
  }
}
