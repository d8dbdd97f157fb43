import { parseArgs } from 'node:util';
import type { FoundOutcome, PaymentOperator, PaymentSearch } from '../payments/operators.ts';
import type { PaymentStory } from '../payments/story.ts';
import type { FoundBySearch, FoundPayments, LeftPayment } from '../storage/index.ts';
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
  merchant: { type: 'string' },
  method: { type: 'string' },
  mid: { type: 'string' },
  state: { type: 'string' },
  currency: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'last-four': { type: 'string' },
  initiator: { type: 'string' },
  source: { type: 'string' },
  sequence: { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

type Given = ReturnType<typeof readArgs>;

/** Finds payments, tells the story of one, and looks after open payments whose automatic checks have stopped. */
export const payments: Command = {
  usage: [
    'payments find TEXT [--limit N] find payments by order number, payment, session, request, our reference or the provider’s',
    'payments find [--merchant KEY] [--method KEY] [--mid ID] [--state STATE] [--amount AMOUNT --currency CODE]',
    '              [--from TIME] [--to TIME] [--last-four DIGITS] [--initiator WORD] [--source WORD] [--sequence WORD]',
    '              [--after ID]     find payments by their properties, newest first; --after ID: older ones than this payment',
    'payments show TEXT             tell what happened to a payment, what it waits for, and what you can do',
    'payments list [--limit N]      list payments that need a decision, and those whose lookups are used up',
    'payments sync ID               ask the provider about a payment again',
    'payments resolve ID --settled | --authorized [--reference REF] [--amount AMOUNT]',
    'payments resolve ID --declined record the result of a payment whose outcome is unknown',
    'payments accept ID             accept the part of the amount that the provider approved',
    'payments give-back ID [--by-hand]',
    '                               give an approved part or a second payment back; --by-hand: you did so at the provider',
    'payments dismiss ID            mark unexpected money as handled',
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
  if (modification === 'find' && id === undefined) {
    const query = searchOf(values);
    return async (operator) =>
      show(await searched(operator, query), ({ found, next }) =>
        [
          found.length === 0 ? 'No payment fits.' : foundTable(found),
          ...(next === undefined ? [] : [`Older payments: repeat the command with --after ${next}`]),
        ].join('\n'),
      );
  }
  if (id === undefined || more.length > 0)
    throw new UsageError('Give an action and one payment id. "railyard-checkout payments find" finds ids.');
  if (modification === 'find') {
    const { limit: _limit, ...properties } = searchOf(values);
    if (Object.keys(properties).length > 0)
      throw new UsageError('Give either a text to find or properties, such as --state. A text finds by an id.');
    const query = values.limit === undefined ? {} : { limit: limitOf(values.limit) };
    return async (operator) =>
      show(await operator.find(id, query), (found) =>
        found.length === 0 ? `Nothing has the id ${id}.` : foundTable(found),
      );
  }
  if (modification === 'show') return async (operator) => show(await storyOf(operator, id), storyText);
  if (modification === 'sync')
    return async (operator) => {
      await operator.sync(id);
      return show({ id }, () => `Queued. The service asks the provider about ${id} within ten seconds.`);
    };
  if (modification === 'accept')
    return async (operator) => show(await operator.accept(id), ({ state }) => `The payment ${id} is ${state}.`);
  if (modification === 'dismiss')
    return async (operator) =>
      show(await operator.dismiss(id), () => `The unexpected money of the payment ${id} is marked as handled.`);
  if (modification === 'give-back') {
    const byHand = values['by-hand'];
    const said = byHand ? 'is declined.' : 'is queued. The service gives its money back within ten seconds.';
    return async (operator) => show(await operator.giveBack(id, { byHand }), () => `The payment ${id} ${said}`);
  }
  if (modification !== 'resolve')
    throw new UsageError('Give an action: find, show, list, sync, resolve, accept, give-back or dismiss.');
  const found = foundOutcome(values);
  return async (operator) => show(await operator.resolve(id, found), ({ state }) => `The payment ${id} is ${state}.`);
}

function foundOutcome({ settled, authorized, declined, reference, amount }: Given['values']): FoundOutcome {
  if ([settled, authorized, declined].filter(Boolean).length !== 1)
    throw new UsageError('Give one of --settled, --authorized and --declined.');
  if (reference === '') throw new UsageError('--reference is empty. Give the id that the provider gave the payment.');
  if (declined) {
    if (reference !== undefined || amount !== undefined)
      throw new UsageError('--declined accepts neither --reference nor --amount. Leave them out.');
    return { outcome: 'declined' };
  }
  return {
    outcome: settled ? 'settled' : 'authorized',
    ...(reference !== undefined && { providerReference: reference }),
    ...(amount !== undefined && { amount }),
  };
}

/** Every word for `--state`. */
const STATE_WORDS: Readonly<Record<NonNullable<PaymentSearch['state']>, true>> = {
  created: true,
  pending: true,
  unknown: true,
  authorized: true,
  partially_approved: true,
  settled: true,
  declined: true,
  expired: true,
  refunded: true,
  voided: true,
  reversed: true,
  charged_back: true,
};

const isState = (word: string): word is NonNullable<PaymentSearch['state']> => Object.hasOwn(STATE_WORDS, word);

/** The filters that the arguments name. */
function searchOf(values: Given['values']): PaymentSearch {
  const { merchant, method, mid, state, amount, currency, from, to, initiator, source, sequence, after, limit } =
    values;
  const lastFour = values['last-four'];
  if (lastFour !== undefined && !/^\d{4}$/.test(lastFour)) throw new UsageError('--last-four takes four digits.');
  if (state !== undefined && !isState(state))
    throw new UsageError(`--state takes ${Object.keys(STATE_WORDS).join(', ')}.`);
  if ((amount === undefined) !== (currency === undefined))
    throw new UsageError('Give --amount and --currency together: --amount 10.00 --currency EUR.');
  const [since, until] = [timeOf('from', from), timeOf('to', to)];
  return {
    ...(merchant !== undefined && { merchant }),
    ...(method !== undefined && { method }),
    ...(mid !== undefined && { mid }),
    ...(state !== undefined && { state }),
    ...(amount !== undefined && currency !== undefined && { amount: { text: amount, currency } }),
    ...(since && { from: since }),
    ...(until && { to: until }),
    ...(lastFour !== undefined && { lastFour }),
    ...(initiator !== undefined && { initiator }),
    ...(source !== undefined && { source }),
    ...(sequence !== undefined && { sequence }),
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit: limitOf(limit) }),
  };
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?(Z|[+-]\d\d:\d\d)?)?$/;

/** In UTC, where no other zone is written. */
function timeOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, day = '', clock, zone] = WRITTEN.exec(text) ?? [];
  const time = new Date(clock === undefined || zone !== undefined ? text : `${text}Z`);
  // A day that the month has not is none: JavaScript reads the next month's.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  if (day === '' || !isDay || Number.isNaN(time.getTime()))
    throw new UsageError(`--${name} takes a day or a time: 2026-11-29 or 2026-11-29T14:00:00Z.`);
  return time;
}

const USUAL_LIMIT = 100;

/** Goes on from page to page until enough payments are found. */
async function searched(operator: PaymentOperator, query: PaymentSearch): Promise<FoundPayments> {
  const { limit = USUAL_LIMIT } = query;
  const found: FoundBySearch[] = [];
  let next = query.after;
  do {
    const page = await operator.search({
      ...query,
      limit: limit - found.length,
      ...(next !== undefined && { after: next }),
    });
    found.push(...page.found);
    next = page.next;
  } while (next !== undefined && found.length < limit);
  return { found, next };
}

/** By any id, where it names one payment. */
async function storyOf(operator: PaymentOperator, text: string): Promise<PaymentStory> {
  const found = (await operator.find(text)).flatMap(({ payment }) => (payment === null ? [] : [payment.id]));
  const [only, ...others] = found.includes(text) ? [text] : found;
  if (only === undefined)
    throw new Error(
      `No payment has the id ${text}. Give the order number, the payment, the session, our reference or the provider’s.`,
    );
  if (others.length > 0)
    throw new Error(`${found.length} payments have the id ${text}. Give one of: ${found.join(', ')}`);
  return operator.show(only);
}

/** One payment a line, columns by tabs; a session without a payment has a line too. */
function foundTable(found: readonly FoundBySearch[]): string {
  const head = [
    'payment',
    'state',
    'amount',
    'merchant',
    'order',
    'method',
    'mid',
    'our reference',
    "provider's",
    'session',
    'made',
  ];
  const rows = found.map(({ payment, session, sessionState, merchantKey, orderNumber, createdAt }) => [
    ...(payment === null
      ? ['-', `session ${sessionState}`, '-']
      : [
          payment.id,
          payment.unknown ? 'unknown' : payment.state,
          `${payment.amountText ?? 'payer'} ${payment.currency}`,
        ]),
    merchantKey,
    orderNumber,
    ...(payment === null
      ? ['-', '-', '-', '-']
      : [payment.method, payment.midId, payment.merchantReference, payment.providerReference ?? '-']),
    session,
    createdAt.toISOString(),
  ]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}

/** The entries of a story, one line each; then what the payment waits for, and the commands for it. */
function storyText({ payment, entries, awaits, actions }: PaymentStory): string {
  const known = Object.entries(payment).filter(([, value]) => value !== null && value !== false);
  return [
    ...known.map(([name, value]) => `${name}: ${value}`),
    '',
    ...entries.map(({ at, what, facts }) => `${at.toISOString()}  ${what.padEnd(12)}  ${factsText(facts)}`),
    '',
    ...(awaits.length > 0 ? awaits : ['The payment waits for nothing.']),
    ...actions.map((action) => `railyard-checkout payments ${action} ${payment.id}`),
  ].join('\n');
}

const factsText = (facts: PaymentStory['entries'][number]['facts']): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

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
