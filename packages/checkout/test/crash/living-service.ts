import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import type { BuiltChild } from './build-child.ts';
import type { Given } from './config.ts';
import type { Background, Point } from './gate.ts';

/** Longer than any hold in the database: whatever a killed process held is due when the next one starts. */
export const LATER_MS = 120_000;
/** A service that ends by itself so often is not started again. */
const MAX_TROUBLES = 3;

const heardSchema = z.union([
  z.object({ listening: z.literal(true) }),
  z.object({ marked: z.literal(true) }),
  z.object({ statement: z.object({ what: z.string(), nth: z.int().optional(), found: z.boolean(), rows: z.int() }) }),
]);

export interface Statement {
  readonly what: string;
  /** Unset where it is only the service looking for something to do. */
  readonly nth?: number | undefined;
  readonly found: boolean;
  /** How many rows it answered with. */
  readonly rows: number;
}

interface Options {
  readonly built: BuiltChild;
  readonly given: Omit<Given, 'offsetMs'>;
  /** Whether to watch the embedded database, which has no wire. */
  readonly watched: boolean;
  readonly onStatement: (statement: Statement) => void;
  /** Called when something has happened to the process. */
  readonly onNews: () => void;
}

/** The service as a process of its own; whenever it is killed, the next one is started with a clock that is two minutes ahead. */
export class LivingService {
  readonly #options: Options;
  #child: ChildProcess;
  #offsetMs = 0;
  #said = '';
  #output = '';
  #ending = false;
  /** How often it was started. */
  generation = 0;
  listening = false;
  marked = false;
  kills = 0;
  /** How it ended when nobody had killed it. */
  readonly troubles: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#child = this.#spawn();
  }

  #spawn(): ChildProcess {
    const { built, given, watched, onNews } = this.#options;
    this.generation += 1;
    this.listening = false;
    this.#said = '';
    const child = spawn(process.execPath, [...(watched ? ['--import', built.preload] : []), built.program], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: built.cache,
        CHECKOUT_CRASH: JSON.stringify({ ...given, offsetMs: this.#offsetMs }),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
        this.#output += text;
      });
    child.on('message', (message) => this.#hear(message));
    child.once('exit', (code, signal) => {
      if (!this.#ending) this.#again(code, signal);
      onNews();
    });
    return child;
  }

  #hear(message: unknown): void {
    const heard = heardSchema.parse(message);
    if ('listening' in heard) this.listening = true;
    if ('marked' in heard) this.marked = true;
    if ('statement' in heard) this.#options.onStatement(heard.statement);
    this.#options.onNews();
  }

  #again(code: number | null, signal: string | null): void {
    if (signal === 'SIGKILL') this.kills += 1;
    else this.troubles.push(`The service ended with ${signal ?? code}: ${this.#said.slice(-2000)}`);
    this.#offsetMs += LATER_MS;
    if (!this.isDead) this.#child = this.#spawn();
  }

  /** Whether it ends by itself again and again. */
  get isDead(): boolean {
    return this.troubles.length >= MAX_TROUBLES;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.given.port}`;
  }

  /** What it wrote since it was started. */
  get said(): string {
    return this.#said;
  }

  /** All that it wrote, killed or not. */
  get output(): string {
    return this.#output;
  }

  /** Its clock, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Time passes for it. */
  advance(): void {
    this.#offsetMs += LATER_MS;
    if (this.#child.connected) this.#child.send({ advance: LATER_MS });
  }

  /** Tells the watch on the embedded database from where to count, and where to die. */
  mark(background: Background, point: Point | undefined): void {
    this.marked = !this.#options.watched;
    if (this.#options.watched && this.#child.connected)
      this.#child.send({ mark: { background, ...(point?.link === 'database' && { point }) } });
  }

  /** Ends it as an operator does. @returns how it ended */
  async stop(): Promise<unknown> {
    this.#ending = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code]: unknown[] = await ended;
    return code;
  }

  async end(): Promise<void> {
    this.#ending = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
