import { parseArgs } from 'node:util';
import type { FoundOut } from '../payments/operators.ts';
import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './command.ts';
import { withDeciding } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  succeeded: { type: 'boolean', default: false },
  failed: { type: 'boolean', default: false },
  reference: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Ends a modification whose result neither its run nor any lookup could find out. */
export const modifications: Command = {
  usage: [
    'modifications resolve ID --succeeded | --failed [--reference REF]',
    '                               record the result of a capture, void or refund whose outcome is unknown',
  ],
  async run(args) {
    const { values, positionals } = readArgs(args);
    const [modification, id, ...more] = positionals;
    if (modification !== 'resolve' || id === undefined || more.length > 0)
      throw new UsageError('Give "resolve" and the id of one modification. The log names it, in needs-attention.');
    const found = foundOut(values);
    const { modificationOperator } = await import('../payments/operators.ts');
    await withDeciding(await loadConfig(values.config), async (context) => {
      const resolved = await modificationOperator(context).resolve(id, found);
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
  if (succeeded === failed) throw new UsageError('Give either --succeeded or --failed.');
  if (reference === '')
    throw new UsageError('--reference is empty. Give the id that the provider gave the modification.');
  return {
    result: succeeded ? 'succeeded' : 'failed',
    ...(reference !== undefined && { providerReference: reference }),
  };
}
