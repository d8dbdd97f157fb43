import type { OperationDeps } from '../operations/deps.ts';

/** Needed to ask providers and to apply what they report; a part that is given back begins an operation. */
export type LookupDeps = OperationDeps;
