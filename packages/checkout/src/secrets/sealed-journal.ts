import type { Journal } from '@railyard/runtime';
import { openJson, sealedAt, sealJson } from './sealed-at.ts';
import type { Sealer } from './sealer.ts';

/** A journal whose replies are sealed where they are kept: they hold account details and the codes that payers enter. */
export function sealedJournal(journal: Journal, sealer: Sealer): Journal {
  return {
    begin: (run, step, kind) => journal.begin(run, step, kind),
    notSent: (run, step) => journal.notSent(run, step),
    async load(run) {
      const entries = await journal.load(run);
      return entries.map(({ reply, ...entry }) => ({
        ...entry,
        ...(reply !== undefined && { reply: openJson(sealer, reply, sealedAt.reply(run, entry.step)) }),
      }));
    },
    async finish(run, step, reply) {
      const place = sealedAt.reply(run, step);
      return openJson(sealer, await journal.finish(run, step, sealJson(sealer, reply, place)), place);
    },
  };
}
