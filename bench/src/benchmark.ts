import type { Spread } from './measure.ts';

/** One line of the report. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly value: Spread;
  /** Beside which it was measured, in the same unit. */
  readonly against?: { readonly what: string; readonly value: Spread };
  /** More is better. */
  readonly ratio?: Spread;
  /** A run fails above it, a quick one too: it does not depend on the machine. */
  readonly bound?: number;
}

export interface Result {
  readonly rounds: number;
  readonly rows: readonly Row[];
  /** Conditions that a reader of the numbers must know. */
  readonly notes: readonly string[];
}

export interface Benchmark {
  readonly name: string;
  /** The things that it compares. */
  readonly title: string;
  /** @param quick as short as possible: only whether it runs */
  run(quick: boolean): Promise<Result>;
}

/** Whether it has grown above its bound. A quick run counts a few things once, so the lower quarter decides. */
export const isAbove = ({ value, bound }: Row): boolean => bound !== undefined && value.low > bound;
