import { parseArgs } from 'node:util';
import type { Attention, AttentionKind } from '../storage/index.ts';
import { type Command, limitOf, loadConfig, say, UsageError, withDatabase } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const USUAL_LIMIT = 100;

/** Lists everything that an operator should look at now, with its age and the command that goes on from it. */
export const attention: Command = {
  usage: ['needs-attention [--limit N]    list what an operator should look at now, with its age and what to do next'],
  async run(args) {
    const { config, limit, json } = readArgs(args);
    const most = limit === undefined ? USUAL_LIMIT : limitOf(limit);
    const { databaseClock, findingsStore } = await import('../storage/index.ts');
    await withDatabase(await loadConfig(config), async ({ db }) => {
      const found = await findingsStore(db, databaseClock).list(most);
      say(json ? JSON.stringify(found.map((each) => ({ ...each, next: NEXT[each.kind](each) }))) : tableOf(found));
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

const showPayment = ({ subject }: Attention) => `payments show ${subject}`;
/** The detail of a modification or a run ends with its payment. */
const showPaymentOf = ({ detail }: Attention) => `payments show ${detail.split(' ').at(-1)}`;
const listNotifications = () => 'notifications list';

/** The command that goes on from a finding. */
const NEXT: Readonly<Record<AttentionKind, (found: Attention) => string>> = {
  'outcome-unknown': showPayment,
  'modification-unknown': showPaymentOf,
  'payment-without-lookup': showPayment,
  'lookup-overdue': showPayment,
  'modification-without-lookup': showPaymentOf,
  'modification-lookup-overdue': showPaymentOf,
  'run-overdue': showPaymentOf,
  'callback-overdue': ({ subject }) => `callbacks show ${subject}`,
  'callback-failing': ({ subject }) => `callbacks resume ${subject.split(' ').at(-1)}`,
  'notification-overdue': listNotifications,
  'notification-unread': listNotifications,
  'event-unmatched': listNotifications,
  'money-set-aside': showPayment,
  'partial-approval': showPayment,
  'paid-twice': showPayment,
  'breaker-open': ({ subject }) => `payments find --mid ${subject} --state unknown`,
};

/** One finding a line, columns by tabs. */
function tableOf(found: readonly Attention[]): string {
  if (found.length === 0) return 'Nothing needs attention.';
  const rows = found.map((each) => [
    each.kind,
    each.subject,
    ageOf(each.ageSeconds),
    each.detail,
    NEXT[each.kind](each),
  ]);
  return [['finding', 'subject', 'age', 'detail', 'next'], ...rows].map((row) => row.join('\t')).join('\n');
}

/** In its two largest units: `2 h 5 min`. */
function ageOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
