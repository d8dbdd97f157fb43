import type { PlainJson } from './plain-json.ts';

export type StepKind = 'call' | 'collect' | 'visit';

/**
 * One step of a run, in the order in which the steps began.
 * - `begun`: it may have been sent, and no reply is known.
 * - `not-sent`: it provably did not reach the provider.
 * - `done`: `reply` is what the flow goes on with.
 */
export interface JournalEntry {
  readonly step: string;
  readonly kind: StepKind;
  readonly state: 'begun' | 'not-sent' | 'done';
  /** How often it may have reached the provider. A send that provably did not arrive is not counted once another follows. */
  readonly sends: number;
  /** ISO 8601: when it first began. */
  readonly begunAt: string;
  readonly reply?: PlainJson;
}

/**
 * The record of a run's intents and their outcomes. Requests are never written, replies only as far as their
 * schema names them, credentials never.
 */
export interface Journal {
  load(run: string): Promise<readonly JournalEntry[]>;
  /** Durable before it resolves: the request leaves only afterwards. Counts a send of an existing step that may have been sent before. */
  begin(run: string, step: string, kind: StepKind): Promise<void>;
  notSent(run: string, step: string): Promise<void>;
  /** The first reply wins. Returns the stored reply. */
  finish(run: string, step: string, reply: PlainJson): Promise<PlainJson>;
}

/**
 * A journal for tests: in memory, as text whenever asked.
 *
 * @param text what an earlier journal held, after a restart
 * @param now milliseconds since 1970, the host's
 */
export function memoryJournal(text = '[]', now: () => number = Date.now): Journal & { readonly text: () => string } {
  const written: readonly (readonly [run: string, entries: readonly JournalEntry[]])[] = JSON.parse(text);
  const runs = new Map(written.map(([run, entries]) => [run, new Map(entries.map((entry) => [entry.step, entry]))]));
  const stepsOf = (run: string) => {
    const steps = runs.get(run) ?? new Map<string, JournalEntry>();
    runs.set(run, steps);
    return steps;
  };
  const change = (run: string, step: string, to: (entry: JournalEntry) => JournalEntry) => {
    const entry = stepsOf(run).get(step);
    if (entry === undefined) throw new Error(`Journal: the step "${step}" of ${run} was never begun.`);
    const changed = to(entry);
    stepsOf(run).set(step, changed);
    return changed;
  };
  return {
    load: async (run) => [...stepsOf(run).values()].map((entry) => structuredClone(entry)),
    async begin(run, step, kind) {
      const entry = stepsOf(run).get(step);
      if (entry?.state === 'done') return;
      const before = entry?.state === 'begun' ? entry.sends : 0;
      const begunAt = entry?.begunAt ?? new Date(now()).toISOString();
      stepsOf(run).set(step, { step, kind, state: 'begun', sends: before + 1, begunAt });
    },
    async notSent(run, step) {
      change(run, step, (entry) => (entry.state === 'begun' ? { ...entry, state: 'not-sent' } : entry));
    },
    async finish(run, step, reply) {
      const entry = change(run, step, (before) =>
        before.state === 'done' ? before : { ...before, state: 'done', reply: structuredClone(reply) },
      );
      return structuredClone(entry.reply ?? null);
    },
    text: () => JSON.stringify([...runs].map(([run, steps]) => [run, [...steps.values()]])),
  };
}
