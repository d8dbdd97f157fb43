import type { Journal } from '@railyard/runtime';
import { sealJson, sealedAt, sealedJournal } from '../../secrets/index.ts';
import { fromJsonText, toJsonText, type RunLease, type Transition } from '../../storage/index.ts';
import type { RunDeps } from './deps.ts';

type StepReply = NonNullable<NonNullable<Transition['run']>['reply']>;

/** A call's reply that is written together with what follows from it. */
export interface ReplyInHand {
  /** It, as it is written; `undefined` where there is none. */
  current(): StepReply | undefined;
  /** It was written with something else. */
  written(): void;
  /** Writes it alone. */
  flush(): Promise<void>;
}

export interface DeferredJournal {
  readonly journal: Journal;
  readonly reply: ReplyInHand;
}

/**
 * The journal of a run, which writes the reply of a call together with what follows from it: the change of the payment, or before the next
 * step. Until then it is as if the reply had not come: its step was begun and has none, and nothing was sent or reported because of it.
 *
 * @param isNew nothing is written down of the run yet, so that its first reader need not look
 */
export function deferredJournal(context: RunDeps, lease: RunLease, isNew: boolean): DeferredJournal {
  const { sealer } = context;
  const inner = sealedJournal(context.stores.journals.of(lease), sealer);
  const begun = new Set<string>();
  let isEmpty = isNew;
  let held: { readonly step: string; readonly reply: Parameters<Journal['finish']>[2] } | undefined;
  const flush = async () => {
    if (held === undefined) return;
    await inner.finish(lease.runId, held.step, held.reply);
    held = undefined;
  };
  const journal: Journal = {
    async load(run) {
      await flush();
      const entries = isEmpty ? [] : await inner.load(run);
      isEmpty = false;
      return entries;
    },
    async begin(run, step, kind) {
      await flush();
      await inner.begin(run, step, kind);
      if (kind === 'call') begun.add(step);
    },
    notSent: inner.notSent,
    async finish(run, step, reply) {
      await flush();
      // Of a call that this process has sent just now the reply is known to no other.
      if (!begun.has(step)) return inner.finish(run, step, reply);
      const asStored = fromJsonText(toJsonText(reply));
      held = { step, reply: asStored };
      return asStored;
    },
  };
  const current = () =>
    held && {
      step: held.step,
      text: toJsonText(sealJson(sealer, held.reply, sealedAt.reply(lease.runId, held.step))),
    };
  return { journal, reply: { current, written: () => (held = undefined), flush } };
}
