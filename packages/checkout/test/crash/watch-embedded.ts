// Loaded before the service: asks at each statement of the embedded database, which has no wire, whether to die here.
import { PGlite } from '@electric-sql/pglite';
import * as z from 'zod';
import { Gate, type Moment, statementOf } from './gate.ts';

const gate = new Gate();

const markSchema = z.object({
  mark: z.object({
    background: z.object({ quiet: z.array(z.string()), busy: z.array(z.string()) }),
    point: z
      .object({
        link: z.literal('database'),
        what: z.string(),
        nth: z.int(),
        moment: z.enum(['before', 'sent', 'done', 'answered', 'cut']),
      })
      .optional(),
  }),
});

process.on('message', (message) => {
  const { data } = markSchema.safeParse(message);
  if (data === undefined) return;
  gate.mark(data.mark.background, data.mark.point);
  process.send?.({ marked: true });
});
process.channel?.unref();

async function watched<T>(text: string, run: () => Promise<T>): Promise<T> {
  const what = statementOf(text);
  const dieAt = (at: ReturnType<Gate['arrive']>, moment: Moment) => {
    if (gate.isNow(at, moment)) process.kill(process.pid, 'SIGKILL');
  };
  const asked = gate.arrive('database', what);
  dieAt(asked, 'before');
  const result = await run();
  const { rows, affected } = countsOf(result);
  const found = rows + affected > 0;
  const effect = gate.effect(asked, found);
  dieAt(effect, 'done');
  process.send?.({ statement: { what, nth: effect.nth, found, rows } });
  return result;
}

function countsOf(result: unknown): { readonly rows: number; readonly affected: number } {
  if (typeof result !== 'object' || result === null) return { rows: 0, affected: 0 };
  const rows: unknown = Reflect.get(result, 'rows');
  const affected: unknown = Reflect.get(result, 'affectedRows');
  return { rows: Array.isArray(rows) ? rows.length : 0, affected: typeof affected === 'number' ? affected : 0 };
}

/** Puts the watch around a method of the class, so that every instance has it. */
function wrap(name: 'query' | 'exec'): void {
  const plain: unknown = Reflect.get(PGlite.prototype, name);
  if (typeof plain !== 'function') throw new Error(`PGlite has no ${name}.`);
  Object.defineProperty(PGlite.prototype, name, {
    configurable: true,
    value(this: PGlite, text: string, ...rest: unknown[]) {
      return watched(text, () => Reflect.apply(plain, this, [text, ...rest]));
    },
  });
}

wrap('query');
wrap('exec');
