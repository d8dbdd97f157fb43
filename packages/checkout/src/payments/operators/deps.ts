import type { TransitionDeps } from '../transitions/deps.ts';

/** Needed for what operators do by command, beside a running service or without one. */
export type OperatorDeps = TransitionDeps;
