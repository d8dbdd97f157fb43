import { parseArgs } from 'node:util';
import type { CallbackOperator, ShownCallback } from '../callbacks/deliver.ts';
import type { ListedCallback } from '../storage/index.ts';
import { type Command, limitOf, say, UsageError } from './command.ts';
import { loadConfig } from './command.ts';
import { withDatabase } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  dead: { type: 'boolean', default: false },
  merchant: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

type Given = ReturnType<typeof readArgs>;

/** Looks after callbacks: which could not be delivered, sending them again, calling an address again. */
export const callbacks: Command = {
  usage: [
    'callbacks list [--dead] [--merchant KEY] [--limit N]   list callbacks with their delivery state, newest first',
    'callbacks show ID                                      show a callback: its masked body, and each try with its answer',
    'callbacks replay ID... | --dead [--merchant KEY]       send delivered or dead callbacks again',
    'callbacks resume URL                                   call a paused or disabled address again',
    '  --config FILE names another configuration, --json answers for programs',
  ],
  async run(args) {
    const given = readArgs(args);
    const execute = modificationOf(given);
    const { callbackOperator } = await import('../callbacks/deliver.ts');
    const { callbacksStore, databaseClock } = await import('../storage/index.ts');
    const { parseConfig, sealerOf } = await import('../deployment/config.ts');
    const config = await loadConfig(given.values.config);
    await withDatabase(config, async ({ db }) => {
      // Only a body needs the key.
      const sealer = () => sealerOf(parseConfig(config)).sealer;
      say(await execute(callbackOperator({ store: callbacksStore(db, databaseClock), sealer })));
    });
  },
};

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The modification that the arguments ask for; it returns the text to show. */
function modificationOf({ values, positionals }: Given): (operator: CallbackOperator) => Promise<string> {
  const [modification, ...names] = positionals;
  const show = <T>(answer: T, text: (answer: T) => string) => (values.json ? JSON.stringify(answer) : text(answer));
  const ofMerchant = values.merchant !== undefined && { merchant: values.merchant };
  if (modification === 'list' && names.length === 0) {
    const query = {
      dead: values.dead,
      ...ofMerchant,
      ...(values.limit !== undefined && { limit: limitOf(values.limit) }),
    };
    return async (operator) => show(await operator.list(query), tableOf);
  }
  const [name] = names;
  if (modification === 'show' && name !== undefined && names.length === 1)
    return async (operator) => show(await operator.show(name), shownText);
  if (modification === 'replay' && values.dead !== names.length > 0) {
    const which = values.dead ? ({ dead: true, ...ofMerchant } as const) : names;
    return async (operator) =>
      show({ replayed: await operator.replay(which) }, ({ replayed }) =>
        ['Will be sent again:', ...replayed].join('\n'),
      );
  }
  const [url] = names;
  if (modification === 'resume' && url !== undefined && names.length === 1)
    return async (operator) =>
      show(await operator.resume(url), ({ wasPaused, enabledFor, due }) => {
        const was = wasPaused
          ? 'The address was paused.'
          : enabledFor.length > 0
            ? 'The address was disabled.'
            : 'The address was neither paused nor disabled.';
        return `${was} Callbacks that are due now: ${due}.`;
      });
  throw new UsageError('Give an action: list, show ID, replay ID… or --dead, or resume URL.');
}

/** The callback, its body, and a line for each try. */
function shownText({ body, tries, ...callback }: ShownCallback): string {
  return [
    tableOf([callback]),
    '',
    typeof body === 'string' ? body : JSON.stringify(body, undefined, 2),
    '',
    ...(tries.length === 0 ? ['It was not sent yet.'] : []),
    ...tries.map(
      ({ at, attempt, status, error, durationMs }) =>
        `${at.toISOString()}  try ${attempt}: ${status ?? error ?? 'no answer'}, ${durationMs} ms`,
    ),
  ].join('\n');
}

/** One callback a line, columns by tabs. */
function tableOf(listed: readonly ListedCallback[]): string {
  const head = ['id', 'state', 'attempts', 'last', 'payment', 'version', 'merchant', 'made', 'next try', 'address'];
  const rows = listed.map((each) => [
    each.id,
    each.held ?? each.state,
    each.attempts,
    each.lastStatus ?? each.lastError ?? '-',
    each.paymentId,
    each.seq,
    each.merchantKey,
    each.createdAt.toISOString(),
    each.state === 'waiting' ? each.nextTryAt.toISOString() : '-',
    each.url,
  ]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}
