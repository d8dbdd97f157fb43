import { parseArgs } from 'node:util';
import type { Due, Retained } from '../storage/index.ts';
import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './command.ts';
import { withDatabase } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** Deletes and erases as the service does every night, or counts the rows. */
export const retention: Command = {
  usage: ['retention [--dry-run]          delete and erase data that is older than its retention; --dry-run counts it'],
  async run(args) {
    const { 'dry-run': dry, json, config: file } = readArgs(args);
    const given = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { sealerOf } = await import('../deployment/config.ts');
    const { secretsOf } = await import('../deployment/secrets.ts');
    const { createLog, guardedLog } = await import('../log/log.ts');
    const { databaseClock: sqlClock, dueForRetention } = await import('../storage/index.ts');
    const { retain } = await import('../work/upkeep.ts');
    const config = parseConfig(given);
    const show = <T>(answer: readonly T[], text: (answer: readonly T[]) => string) =>
      say(json ? JSON.stringify(answer) : text(answer));
    await withDatabase(given, async ({ db }) => {
      if (dry) return show(await dueForRetention(db, sqlClock, config.retention), dueTable);
      const log = guardedLog(createLog(process.stderr), new Set(secretsOf(config)));
      const { sealer } = sealerOf(config);
      show(await retain({ db, sqlClock, sealer, log }, config.retention), doneTable);
    });
  },
};

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const HEAD = ['setting', 'days', 'tables', 'rows'];
const cellsOf = ({ setting, days, tables, rows }: Retained) => [setting, days, tables.join(', '), rows];
const tableOf = (lines: readonly (readonly (string | number)[])[]) => lines.map((line) => line.join('\t')).join('\n');

/** One rule a line, columns by tabs. */
const doneTable = (done: readonly Retained[]) => tableOf([HEAD, ...done.map(cellsOf)]);

function dueTable(due: readonly Due[]): string {
  const rows = due.map((each) => [...cellsOf(each), each.oldest?.toISOString() ?? '-', each.effect]);
  return tableOf([[...HEAD, 'oldest', 'what happens'], ...rows]);
}
