import { type Attributes, metrics } from '@opentelemetry/api';
import type { Log, LogField, LogLine } from '../log/log.ts';

/** The counter of each event, and the fields it is counted by; each has few values. */
const COUNTED: Readonly<
  Record<string, { readonly name: string; readonly description: string; readonly by: readonly LogField[] }>
> = {
  'session-created': { name: 'railyard.sessions', description: 'Sessions created.', by: ['operation', 'test'] },
  payment: { name: 'railyard.payments', description: 'Payments by the state they came to.', by: ['to', 'unknown'] },
  modification: {
    name: 'railyard.modifications',
    description: 'Captures, refunds and voids by the state they came to.',
    by: ['kind', 'to'],
  },
  'provider-call': {
    name: 'railyard.provider.calls',
    description: 'Calls of providers by how they went.',
    by: ['connector', 'endpoint', 'result'],
  },
  callback: { name: 'railyard.callbacks', description: 'Callbacks by how sending went.', by: ['result'] },
  'needs-attention': { name: 'railyard.attention', description: 'What a person should look at.', by: ['finding'] },
};

/** A log whose events are also counted: what happened is said in one place. */
export function countingLog(log: Log): Log {
  const meter = metrics.getMeter('@railyard/checkout');
  const counters = new Map(
    Object.entries(COUNTED).map(([event, { name, description, by }]) => [
      event,
      { counter: meter.createCounter(name, { description }), by },
    ]),
  );
  const count = (line: LogLine): void => {
    const counted = counters.get(line.event);
    counted?.counter.add(1, attributesOf(line, counted.by));
  };
  const counterOf = (level: 'info' | 'warn' | 'error') => (line: LogLine) => {
    count(line);
    log[level](line);
  };
  return {
    info: counterOf('info'),
    warn: counterOf('warn'),
    error: counterOf('error'),
    ...(log.state && { state: log.state }),
  };
}

function attributesOf(line: LogLine, by: readonly LogField[]): Attributes {
  const attributes: Attributes = {};
  for (const name of by) {
    const value = line[name];
    if (typeof value === 'string' || typeof value === 'boolean') attributes[name] = value;
  }
  return attributes;
}
