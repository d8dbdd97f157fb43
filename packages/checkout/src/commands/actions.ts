import { parseArgs } from 'node:util';
import type { CheckoutConfig } from '../index.ts';
import type { ActionOperator, FoundOut } from '../payments/operator.ts';
import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { withDatabase } from './with-database.ts';

const OPTIONS = {
  config: { type: 'string' },
  succeeded: { type: 'boolean', default: false },
  failed: { type: 'boolean', default: false },
  reference: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Ends an action of which neither its run nor any lookup could tell what became of it. */
export const actions: Command = {
  usage: [
    'actions resolve ID --succeeded | --failed [--reference REF]',
    '                               say what became of a capture, void or refund that nobody knows of',
  ],
  async run(args) {
    const { values, positionals } = readArgs(args);
    const [action, id, ...more] = positionals;
    if (action !== 'resolve' || id === undefined || more.length > 0)
      throw new UsageError('Say which action to resolve, by its id.');
    const found = foundOut(values);
    await withOperator(await loadConfig(values.config), async (operator) => {
      const resolved = await operator.resolve(id, found);
      const { kind, state, payment } = resolved;
      say(
        values.json ? JSON.stringify(resolved) : `The ${kind} ${state}. The payment ${payment.id} is ${payment.state}.`,
      );
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

function foundOut({ succeeded, failed, reference }: ReturnType<typeof readArgs>['values']): FoundOut {
  if (succeeded === failed) throw new UsageError('Say either --succeeded or --failed.');
  if (reference === '') throw new UsageError('--reference takes the id that the provider gave.');
  return { result: succeeded ? 'succeeded' : 'failed', ...(reference !== undefined && { reference }) };
}

/** Beside a running service on a server, which delivers the callback; else the next start does. */
async function withOperator(given: CheckoutConfig, use: (operator: ActionOperator) => Promise<void>): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const { parseConfig } = await import('../config/config.ts');
  const { sealerOf } = await import('../config/sealer-of.ts');
  const { secretsOf } = await import('../config/secrets-of.ts');
  const { catalogueAccess, loadNewest } = await import('../config/stored-catalogue.ts');
  const { createLog, guardedLog } = await import('../log.ts');
  const { actionOperator } = await import('../payments/operator.ts');
  const { databaseClock, storesOf } = await import('../storage/index.ts');
  const config = parseConfig(given);
  await withDatabase(given, async ({ db }) => {
    const { sealer } = sealerOf(config);
    const loaded = await loadNewest(catalogueAccess(db, databaseClock, sealer, config));
    if (loaded === undefined) throw new Error('No service has stored its merchants in this database yet.');
    const { directory } = loaded;
    await use(
      actionOperator({
        directory,
        stores: storesOf(db, databaseClock),
        sealer,
        now: Date.now,
        newId: randomUUID,
        log: guardedLog(createLog(process.stderr), new Set([...secretsOf(config), ...directory.secrets])),
        // The service finds what is due at its next look.
        changed: () => undefined,
        wake: () => undefined,
      }),
    );
  });
}
