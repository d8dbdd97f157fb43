import type { Log } from '../../log/log.ts';
import type { Directory } from '../../merchants/directory.ts';
import type { Sealer } from '../../secrets/index.ts';
import type { Stores } from '../../storage/index.ts';
import type { QueueName } from '../../storage/queue-name.ts';
import type { CallbackSender } from './sender.ts';

/** Needed to send callbacks. */
export interface DeliveryDeps {
  readonly directory: Directory;
  readonly stores: Pick<Stores, 'callbacks'>;
  readonly sealer: Sealer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, for what must not come all at once. */
  readonly random: () => number;
  readonly log: Log;
  readonly callbackSender: CallbackSender;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: QueueName, inMs?: number) => void;
}
