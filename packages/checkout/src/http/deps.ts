import type { NotificationDeps } from '../notifications/deps.ts';
import type { MerchantApiDeps } from './merchant-api/deps.ts';
import type { PageDeps } from './page/deps.ts';

/** Needed by all routes together. */
export type AppDeps = PageDeps & MerchantApiDeps & NotificationDeps;
