import type { CardDeps } from '../../cards/deps.ts';
import type { ParsedConfig } from '../../deployment/config.ts';
import type { SessionDeps } from '../../sessions/deps.ts';
import type { TransitionDeps } from '../transitions/deps.ts';
import type { RunsUnderWay } from './runs-under-way.ts';

/** Needed to build an attempt and to hold its run. */
export interface AttemptDeps extends TransitionDeps, SessionDeps, CardDeps {
  readonly config: ParsedConfig;
  /** Which process executes a run. */
  readonly owner: string;
  /** The runs that this process has in hand. */
  readonly underWay: RunsUnderWay;
}
