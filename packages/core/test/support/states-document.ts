import {
  MODIFICATION_TRANSITIONS,
  MODIFICATIONS,
  modificationWords,
  callbackWords,
  isFinal,
  PAYMENT_STATES,
  type PaymentStateName,
  statusWord,
  TRANSITIONS,
  type TransitionRow,
} from '../../src/payment.ts';

/** What a state means to somebody who reads the documentation. */
const MEANINGS: Readonly<Record<PaymentStateName, string>> = {
  created: 'the payer chose a method; the provider has not answered yet',
  pending: 'under way at the provider, or unknown (then `unknown` is set beside it)',
  authorized: 'money is held and can be captured or released',
  partially_approved: 'less than the amount was received or is held, and the merchant’s rule has not decided yet',
  settled: 'money was received; a part of it may have been refunded',
  declined: 'refused',
  expired: 'the session ended, and the provider knows of no money',
  voided: 'settled money was taken back before it was cleared',
  refunded: 'everything that was received was given back',
  reversed: 'a hold was released, or the bank took the money back',
  charged_back: 'the payer disputed it',
};

/** `docs/states.md`, from the table in core. */
export function statesDocument(): string {
  return [
    '# States of a payment',
    '',
    'This page is written from the table in `packages/core/src/payment/transitions.ts`, and a test compares them. The code decides by the same',
    'table, and the database refuses every change of state that is not in it.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...diagramLines(TRANSITIONS),
    '```',
    '',
    '## States',
    '',
    'A partial capture or refund is no state. Sums beside the state have it: held, received, refunded, and reserved by refunds under way.',
    '',
    ...table(
      ['state', 'means', 'final', 'status lookup', 'callback (`type`, `status`, `order_status`)'],
      PAYMENT_STATES.map((state) => [
        `\`${state}\``,
        MEANINGS[state],
        isFinal(state) ? 'yes' : '',
        `\`${statusWord({ state, unknown: false })}\``,
        words(callbackWords('purchase', { state, unknown: false })),
      ]),
    ),
    '',
    `A pending payment whose outcome is unknown is reported as ${words(callbackWords('purchase', { state: 'pending', unknown: true }))}`,
    'and looked up until the outcome is known. The table has the words of a purchase; `debit`, `credit` and `transfer` have their own name as `type`.',
    '',
    '## Transitions',
    '',
    'An event without a row is older than the known state, and changes nothing. An event that is “set aside” is kept for an operator. A row',
    'marked *solicited* needs the provider’s reply to a lookup. If another event reports it, the service sets it aside and looks the',
    'payment up.',
    '',
    ...table(
      ['from', 'what happens', 'to', 'when', 'source'],
      TRANSITIONS.map((row) => [
        row.from === 'none' ? '' : `\`${row.from}\``,
        row.solicited === true ? `${row.on} (*solicited*)` : row.on,
        row.to === 'set-aside' ? 'set aside' : `\`${row.to}\``,
        row.when,
        row.source,
      ]),
    ),
    '',
    '## Modifications',
    '',
    'Capture, void, release (CREDITVOID of a hold) and refund have states of their own. Only their success changes the payment. While a',
    'modification is under way its amount is reserved, so that two at once cannot take more than there is. One capture, void or release runs',
    'at a time, and none beside a refund. Refunds run side by side.',
    '',
    ...table(
      ['modification', 'allowed in', 'operations', 'amount', 'source'],
      Object.entries(MODIFICATIONS).map(([name, { from, operations, amount, source }]) => [
        name,
        from.map((state) => `\`${state}\``).join(', '),
        operations.join(', '),
        { whole: 'all of it', once: 'all or one part, once', parts: 'several parts' }[amount],
        source,
      ]),
    ),
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...diagramLines(MODIFICATION_TRANSITIONS),
    '```',
    '',
    ...table(
      ['from', 'outcome', 'to', 'when'],
      MODIFICATION_TRANSITIONS.map(({ from, on, to, when }) => [
        from === 'none' ? '' : `\`${from}\``,
        on,
        to === 'set-aside' ? 'set aside' : `\`${to}\``,
        when,
      ]),
    ),
    '',
    '## Callbacks of modifications',
    '',
    'The words come from `packages/core/src/payment/callback.ts` and the rows of `modifications.ts` beside it. `order_status` is that of the payment',
    'afterwards, which `decide-modification.ts` decides. A failed refund says `decline`, and the payment stays paid. A pending modification has a',
    'callback only if its outcome was unknown before.',
    '',
    ...table(['modification', 'outcome', 'callback (`type`, `status`, `order_status`)'], modificationCallbacks()),
    '',
  ].join('\n');
}

type AnyRow = Pick<TransitionRow, 'on'> | { readonly on: string };

function diagramLines(rows: readonly (AnyRow & { readonly from: string; readonly to: string })[]): string[] {
  const labels = new Map<string, string[]>();
  for (const { from, to, on } of rows) {
    if (to === 'set-aside' || from === to) continue;
    const arrow = `${from === 'none' ? '[*]' : from} --> ${to}`;
    labels.set(arrow, [...new Set([...(labels.get(arrow) ?? []), on])]);
  }
  return [...labels].map(([arrow, names]) => `  ${arrow} : ${names.join(', ')}`);
}

function modificationCallbacks(): string[][] {
  const settled = { state: 'settled', unknown: false } as const;
  const held = { state: 'authorized', unknown: false } as const;
  return [
    ['capture', 'succeeded', words(modificationWords({ name: 'capture', state: 'succeeded' }, settled))],
    ['capture', 'failed', words(modificationWords({ name: 'capture', state: 'failed' }, held))],
    [
      'refund',
      'succeeded, full',
      words(modificationWords({ name: 'refund', state: 'succeeded' }, { ...settled, state: 'refunded' })),
    ],
    ['refund', 'succeeded, partial', words(modificationWords({ name: 'refund', state: 'succeeded' }, settled))],
    [
      'refund',
      'succeeded after a chargeback',
      words(modificationWords({ name: 'refund', state: 'succeeded' }, { ...settled, state: 'charged_back' })),
    ],
    ['refund', 'failed', words(modificationWords({ name: 'refund', state: 'failed' }, settled))],
    [
      'void',
      'succeeded',
      words(modificationWords({ name: 'void', state: 'succeeded' }, { ...settled, state: 'voided' })),
    ],
    ['void', 'failed', words(modificationWords({ name: 'void', state: 'failed' }, settled))],
    [
      'release',
      'succeeded',
      words(modificationWords({ name: 'release', state: 'succeeded' }, { ...held, state: 'reversed' })),
    ],
    ['release', 'failed', words(modificationWords({ name: 'release', state: 'failed' }, held))],
    ['refund', 'pending', words(modificationWords({ name: 'refund', state: 'pending' }, settled))],
    [
      'any',
      'unknown',
      words(modificationWords({ name: 'refund', state: 'unknown' }, settled)).replace('refund', 'the modification'),
    ],
  ];
}

function words({ type, status, order_status }: ReturnType<typeof callbackWords>): string {
  return `\`${type}\`, \`${status}\`, \`${order_status}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
