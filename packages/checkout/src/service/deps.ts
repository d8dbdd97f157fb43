import type { AppDeps } from '../http/deps.ts';
import type { WorkDeps } from '../work/deps.ts';

/** Everything that the floors below need, made once at the start. */
export type ServiceDeps = AppDeps &
  WorkDeps & {
    /** Milliseconds that never go back and do not step with the clock of the machine. */
    readonly monotonic: () => number;
  };
