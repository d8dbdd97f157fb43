import type { Body } from './client.ts';
import type { Deployment } from './deployment.ts';
import type { Point } from './gate.ts';
import type { Effect } from './outside.ts';

/** What must be there in the end of an order. */
export interface Expected {
  readonly order: string;
  /** What happens at the provider, each once. */
  readonly effects: readonly Effect[];
  /** How its payment stands. */
  readonly state: 'settled' | 'refunded' | 'declined';
}

export const expected = (
  order: string,
  effects: readonly Effect[],
  state: Expected['state'] = 'settled',
): Expected => ({ order, effects, state });

/** A way of paying, as its client executes it. */
export interface Flow {
  readonly name: string;
  body(): Body;
  /** By the number of the session's order: the orders that come of it, in the order in which they are paid. */
  expects(number: string): readonly Expected[];
  /** What comes before, and is never killed here: the points of another flow are the same. */
  prepare?(deployment: Deployment, body: Body): Promise<void>;
  /** Drives a payment to its end, repeating what a client repeats. */
  pay(deployment: Deployment, body: Body): Promise<void>;
  /**
   * Whether the code of a card dies with the process. Then a charge that was written down and never left is not sent any more: it stays
   * unknown, and the provider has nothing of it.
   */
  readonly hasCode?: boolean;
  /** Whether a read is one point, not one for each of its moments: it makes hundreds of points fewer, all alike. */
  readonly readsOnce?: boolean;
  /** Which of the points are its own: the others are like those of another flow. All unless given. */
  readonly at?: (point: Point) => boolean;
}
