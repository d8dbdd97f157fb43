import { parseArgs } from 'node:util';
import type { FoundOutcome, PaymentOperator } from '../payments/operators.ts';
import type { LeftPayment } from '../storage/index.ts';
import { type Command, limitOf, say, UsageError } from './command.ts';
import { loadConfig } from './command.ts';
import { withDeciding } from './command.ts';

const OPTIONS = {
  config: { type: 'string' },
  settled: { type: 'boolean', default: false },
  authorized: { type: 'boolean', default: false },
  declined: { type: 'boolean', default: false },
  reference: { type: 'string' },
  amount: { type: 'string' },
  'by-hand': { type: 'boolean', default: false },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

type Given = ReturnType<typeof readArgs>;

/** Looks after open payments whose automatic checks have stopped: lists them, checks one once more, records its result. */
export const payments: Command = {
  usage: [
    'payments list [--limit N]      unknown outcomes, money to decide about, payments that nothing looks up',
    'payments sync ID               ask the provider about one again, now',
    'payments resolve ID --settled | --authorized [--reference REF] [--amount AMOUNT]',
    'payments resolve ID --declined set the result of one whose outcome is unknown',
    'payments accept ID             take what a provider approved of the amount as it is',
    'payments give-back ID [--by-hand]',
    '                               give it back, or say that it was given back at the provider',
    'payments dismiss ID            say that money that was set aside has been dealt with',
  ],
  async run(args) {
    const given = readArgs(args);
    const execute = modificationOf(given);
    const { paymentOperator } = await import('../payments/operators.ts');
    await withDeciding(await loadConfig(given.values.config), async (context) =>
      say(await execute(paymentOperator(context))),
    );
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
function modificationOf({ values, positionals }: Given): (operator: PaymentOperator) => Promise<string> {
  const [modification, id, ...more] = positionals;
  const show = <T>(answer: T, text: (answer: T) => string) => (values.json ? JSON.stringify(answer) : text(answer));
  if (modification === 'list' && id === undefined) {
    const query = values.limit === undefined ? {} : { limit: limitOf(values.limit) };
    return async (operator) => show(await operator.list(query), tableOf);
  }
  if (id === undefined || more.length > 0) throw new UsageError('Say what to do with which payment, by its id.');
  if (modification === 'sync')
    return async (operator) => {
      await operator.sync(id);
      return show({ id }, () => 'The service asks the provider at its next poll.');
    };
  if (modification === 'accept')
    return async (operator) => show(await operator.accept(id), ({ state }) => `The payment ${id} is ${state}.`);
  if (modification === 'dismiss')
    return async (operator) =>
      show(await operator.dismiss(id), () => `Of the payment ${id} no money is set aside any more.`);
  if (modification === 'give-back') {
    const byHand = values['by-hand'];
    const said = byHand ? 'is declined.' : 'is given back by the service at its next poll.';
    return async (operator) => show(await operator.giveBack(id, { byHand }), () => `The payment ${id} ${said}`);
  }
  if (modification !== 'resolve') throw new UsageError('Say what to do with payments.');
  const found = foundOutcome(values);
  return async (operator) => show(await operator.resolve(id, found), ({ state }) => `The payment ${id} is ${state}.`);
}

function foundOutcome({ settled, authorized, declined, reference, amount }: Given['values']): FoundOutcome {
  if ([settled, authorized, declined].filter(Boolean).length !== 1)
    throw new UsageError('Say one of --settled, --authorized and --declined.');
  if (reference === '') throw new UsageError('--reference takes the id that the provider gave.');
  if (declined) {
    if (reference !== undefined || amount !== undefined)
      throw new UsageError('--declined takes neither --reference nor --amount.');
    return { outcome: 'declined' };
  }
  return {
    outcome: settled ? 'settled' : 'authorized',
    ...(reference !== undefined && { providerReference: reference }),
    ...(amount !== undefined && { amount }),
  };
}

/** One payment a line, columns by tabs. */
function tableOf(left: readonly LeftPayment[]): string {
  const head = [
    'id',
    'state',
    'tries',
    'amount',
    'set aside',
    'merchant',
    'order',
    'method',
    'mid',
    'our reference',
    "provider's",
    'made',
  ];
  const rows = left.map((each) => [
    each.id,
    each.unknown ? 'unknown' : each.state,
    each.polls,
    `${each.amountText ?? 'payer'} ${each.currency}`,
    each.asideText ?? '-',
    each.merchantKey,
    each.orderNumber,
    each.method,
    each.midId,
    each.merchantReference,
    each.providerReference ?? '-',
    each.createdAt.toISOString(),
  ]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}
