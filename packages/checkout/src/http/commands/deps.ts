import type { OperationDeps } from '../../payments/operations/deps.ts';
import type { HttpDeps } from '../basics/deps.ts';

/** Needed to carry out server-to-server commands. */
export type CommandDeps = OperationDeps & HttpDeps;
