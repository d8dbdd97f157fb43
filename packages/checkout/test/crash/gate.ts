/** What the service talks over. */
export type Link = 'database' | 'provider' | 'merchant';

/**
 * - `before`: killed before anything is passed on.
 * - `sent`: passed on, then killed at once.
 * - `done`: it had its effect, the answer is withheld, killed.
 * - `answered`: the answer was passed back, then killed.
 * - `cut`: it had its effect, the connection breaks instead of an answer; the service lives.
 */
export type Moment = 'before' | 'sent' | 'done' | 'answered' | 'cut';

/** One exchange of a payment: the n-th time that the service sends this since the mark. */
export interface Exchange {
  readonly link: Link;
  /** A statement's text, or an HTTP method and path. */
  readonly what: string;
  readonly nth: number;
}

/** Where the service is killed. */
export interface Point extends Exchange {
  readonly moment: Moment;
}

/** The job library's own statements. They say when somebody looks, never what there is to do, and come when they like. */
const JOBS = /railyard_jobs/;

export const isOfJobs = (what: string): boolean => JOBS.test(what);

/** A statement by its text: how many ids a list has depends on what is done in one go, and makes no other statement. */
export const statementOf = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ in \(\$\d+(?:, \$\d+)*\)/g, ' in (…)')
    .trim();

/** Signs of life of a process that executes something, and looks for those of others: they come by the clock. */
const isPulse = (what: string): boolean => /SET beats = beats|"lease_epoch", "beats" from "flow_runs"/.test(what);

/** What the service sends without any payment. */
export interface Background {
  /** Looks for something to do and finds nothing: it counts when it finds something, so it is no point before that. */
  readonly quiet: readonly string[];
  /** Finds something each time, so it says nothing about payments and never counts. */
  readonly busy: readonly string[];
}

interface Ask {
  readonly link: Link;
  readonly what: string;
  /** Unset as long as it does not count. */
  readonly nth: number | undefined;
}

/** Counts exchanges and says at which one the service dies. One for all links of a service. */
export class Gate {
  #counts = new Map<string, number>();
  #armed: Point | undefined;
  #background: Background = { quiet: [], busy: [] };
  #seen: Exchange[] = [];
  fired: Point | undefined;

  /** From here on exchanges are numbered anew. */
  mark(background: Background, armed?: Point): void {
    this.#counts = new Map();
    this.#background = background;
    this.#armed = armed;
    this.#seen = [];
    this.fired = undefined;
  }

  /** The exchanges since the mark, in the order in which they began. */
  get seen(): readonly Exchange[] {
    return this.#seen;
  }

  /** Something is to be passed on. */
  arrive(link: Link, what: string): Ask {
    const { quiet } = this.#background;
    return { link, what, nth: this.#isNoise(what) || quiet.includes(what) ? undefined : this.#count(link, what) };
  }

  /** Something has had its effect. @param found whether it found something to do */
  effect(ask: Ask, found: boolean): Ask {
    const counts = ask.nth === undefined && found && !this.#isNoise(ask.what);
    return counts ? { ...ask, nth: this.#count(ask.link, ask.what) } : ask;
  }

  /** Whether the service dies here. Answers yes once. */
  isNow({ link, what, nth }: Ask, moment: Moment): boolean {
    const point = this.#armed;
    if (point === undefined || point.moment !== moment || point.link !== link) return false;
    if (point.what !== what || point.nth !== nth) return false;
    this.#armed = undefined;
    this.fired = point;
    return true;
  }

  #isNoise(what: string): boolean {
    return isOfJobs(what) || isPulse(what) || this.#background.busy.includes(what);
  }

  #count(link: Link, what: string): number {
    const key = `${link} ${what}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    this.#seen.push({ link, what, nth });
    return nth;
  }
}

/** For a report. */
export function nameOf({ link, what, nth, moment }: Point): string {
  const text = what.length > 90 ? `${what.slice(0, 60)} … ${what.slice(-28)}` : what;
  return `${link} ${moment} #${nth} ${text}`;
}
