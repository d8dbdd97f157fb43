import type { RunDeps } from '../runs/deps.ts';

/** Needed to pay, charge, pay out, capture and refund: each begins a run. */
export type OperationDeps = RunDeps;
