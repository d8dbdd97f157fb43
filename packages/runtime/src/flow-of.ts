import type { Outcome, StatusReport, Steps } from '@railyard/core';
import type { Run } from './run.ts';

/** The generator of a run's flow, at its beginning. */
export function flowOf(run: Run): Steps<Outcome | StatusReport> {
  const served = run.connector.serves.find((each) => each.method.key === run.method.key);
  const flow = served?.flows[run.flow];
  if (flow === undefined)
    throw new Error(`Connector ${run.connector.id} does not support ${run.flow} for ${run.method.key}.`);
  return typeof flow === 'function' ? flow(run.context) : flow.flow(run.context);
}
