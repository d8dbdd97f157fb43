import type { DeliveryDeps } from '../callbacks/delivery/deps.ts';
import type { NotificationDeps } from '../notifications/deps.ts';

/** Needed for what is done in the background. */
export type WorkDeps = NotificationDeps & DeliveryDeps;
