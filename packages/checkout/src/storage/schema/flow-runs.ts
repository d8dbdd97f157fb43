import type { Generated, Timestamp } from './columns.ts';

export type RunState = 'running' | 'suspended' | 'finished';
export type StepKind = 'call' | 'collect' | 'visit';
export type StepState = 'begun' | 'done' | 'not-sent';

export interface FlowRunsTable {
  runId: string;
  paymentId: string;
  purpose: string;
  connectorId: string;
  connectorVersion: string;
  state: RunState;
  startedAt: Timestamp;
  inputText: string;
  leaseOwner: string | null;
  leaseEpoch: Generated<number>;
  /**
   * When the lease runs out by the database's clock, for processes of earlier versions; of a run that no process holds: since when. This
   * version judges a holder by its beats.
   */
  leaseUntil: Timestamp | null;
  /** Signs of life of the holder. */
  beats: Generated<number>;
  tries: Generated<number>;
  /** How often a step of the run began: the position of the newest one. */
  begunSteps: Generated<number>;
  suspendedStep: string | null;
  suspendedText: string | null;
  outcomeText: string | null;
  finishedAt: Timestamp | null;
}

export interface JournalTable {
  runId: string;
  step: string;
  /** The place of the step among those of its run, in the order in which they began; numbers may be missing. */
  position: number;
  kind: StepKind;
  state: StepState;
  sends: number;
  replyText: string | null;
  begunAt: Timestamp;
  doneAt: Timestamp | null;
}
