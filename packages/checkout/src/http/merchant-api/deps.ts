import type { OperationDeps } from '../../payments/operations/deps.ts';
import type { HttpDeps } from '../basics/deps.ts';

/** Needed to answer merchants' servers. */
export type MerchantApiDeps = OperationDeps & HttpDeps;
