import type { DeliveryDeps } from '../callbacks/delivery/deps.ts';
import type { QueueName } from '../storage/queue-name.ts';
import type { NotificationDeps } from '../notifications/deps.ts';

/** Needed for what is done in the background. */
export type WorkDeps = NotificationDeps &
  DeliveryDeps & {
    /** There is more work of this kind than this process can take. */
    readonly wakeOthers: (work: QueueName) => void;
  };
