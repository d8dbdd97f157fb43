import { setTimeout as sleep } from 'node:timers/promises';

/** How payments arrive. */
export interface Arrivals {
  /** A second, on average. They do not wait for each other, as payers do not. */
  readonly rate: number;
  readonly seconds: number;
  /** The same text draws the same arrivals. */
  readonly seed: string;
}

/** One that arrived. */
export interface Finished {
  readonly isPaid: boolean;
  /** Of the payer's request to pay, without the provider's time. */
  readonly payMs: number;
  /** From the session to the merchant's callback, without the provider's time. */
  readonly wholeMs: number;
}

export interface OpenResult {
  /** Finished a second, from the third second to the last arrival. */
  readonly perSecond: number;
  readonly failed: number;
  readonly arrived: number;
  readonly payMs: readonly [p50: number, p99: number];
  readonly wholeMs: readonly [p50: number, p99: number];
}

/** Until then the arrivals before have not filled the service. */
const SETTLING_MS = 2000;

/**
 * Lets payments arrive at random times, whatever has become of those before: an open model. A closed one, in which each caller waits for
 * its answer, sends less when the service is slow and so hides how slow it is.
 */
export async function openModel(
  { rate, seconds, seed }: Arrivals,
  pay: (at: number, providerMs: number) => Promise<Finished>,
): Promise<OpenResult> {
  const random = seeded(seed);
  const start = performance.now();
  const end = seconds * 1000;
  const settling = Math.min(SETTLING_MS, end / 2);
  let inTime = 0;
  const counted = async (paying: Promise<Finished>) => {
    const one = await paying;
    const finished = performance.now() - start;
    if (finished >= settling && finished < end) inTime += 1;
    return one;
  };
  const all: Promise<Finished>[] = [];
  for (let at = gap(random, rate); at < end; at += gap(random, rate)) {
    const wait = start + at - performance.now();
    if (wait > 0) await sleep(wait);
    all.push(counted(pay(all.length, providerTime(random))));
  }
  await sleep(Math.max(0, start + end - performance.now()));
  const perSecond = (inTime * 1000) / (end - settling);
  const finished = await Promise.all(all);
  const paid = finished.filter(({ isPaid }) => isPaid);
  return {
    perSecond,
    failed: finished.length - paid.length,
    arrived: finished.length,
    payMs: middleAndTail(paid.map(({ payMs }) => payMs)),
    wholeMs: middleAndTail(paid.map(({ wholeMs }) => wholeMs)),
  };
}

/** Milliseconds to the next arrival of a Poisson process. */
const gap = (random: () => number, rate: number) => (-Math.log(1 - random()) / rate) * 1000;

const P50_MS = 120;
const P99_MS = 380;
/** The 99th percentile of the normal distribution. */
const P99 = 2.326;

/** Whole milliseconds that a provider takes: half of its answers come within 120, 99 of 100 within 380, log-normal. */
function providerTime(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(P50_MS * Math.exp((Math.log(P99_MS / P50_MS) / P99) * normal));
}

function middleAndTail(values: readonly number[]): [p50: number, p99: number] {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return [at(0.5), at(0.99)];
}

/** Numbers from 0 to 1 (mulberry32). */
function seeded(seed: string): () => number {
  let state = [...seed].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
