import type { DeliveryDeps } from '../callbacks/deliver.ts';
import type { QueueName } from '../storage/index.ts';
import type { NotificationDeps } from '../notifications/receive.ts';
import type { AppDeps } from '../http/deps.ts';

/** Everything that the floors below need, made once at the start. */
export type ServiceDeps = AppDeps &
  WorkDeps & {
    /** Milliseconds that never go back and do not step with the clock of the machine. */
    readonly monotonic: () => number;
  };

/** The dependencies of background work. */
export type WorkDeps = NotificationDeps &
  DeliveryDeps & {
    /** There is more work of this kind than this process can take. */
    readonly wakeOthers: (work: QueueName) => void;
  };
