import { parseArgs } from 'node:util';
import type { LeftNotification } from '../storage/index.ts';
import { type Command, limitOf, loadConfig, say, UsageError, withDatabase } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const USUAL_LIMIT = 100;

/** Shows an operator the genuine notifications of which a part was not applied. */
export const notifications: Command = {
  usage: ['notifications list [--limit N] list genuine notifications that were not understood or not applied'],
  async run(args) {
    const { config, limit, json } = readArgs(args);
    const { databaseClock, notificationsStore } = await import('../storage/index.ts');
    const wanted = limit === undefined ? USUAL_LIMIT : limitOf(limit);
    await withDatabase(await loadConfig(config), async ({ db }) => {
      const left = await notificationsStore(db, databaseClock).left(wanted);
      say(json ? JSON.stringify(left) : tableOf(left));
    });
  },
};

function readArgs(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (positionals.join(' ') === 'list') return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  throw new UsageError('Give the action list.');
}

/** One notification a line, columns by tabs. */
function tableOf(left: readonly LeftNotification[]): string {
  const rows = left.map((each) => [
    each.id,
    each.midId,
    each.connectorId,
    each.state,
    each.receivedAt.toISOString(),
    each.detail ?? '-',
  ]);
  return [['id', 'mid', 'connector', 'state', 'received', 'why'], ...rows].map((row) => row.join('\t')).join('\n');
}
