import type { ConformanceOptions } from '@railyard/conformance';
import {
  type Connector,
  declined,
  fromDecimal,
  JsonNumberLiteral,
  type Money,
  moneyOfMinor,
  type Outcome,
  pending,
  readPath,
  settled,
  unknown,
} from '@railyard/core';
import { type ReplyVariant, type Wire, withPlace } from '@railyard/core/driver';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints, events, outcomes, type Plant, replies, requests } from './planted.ts';
import { failedAmong } from './run-only.ts';

/** A fault as authors make it, and the check of the kit that says so. */
export type Fault = readonly [fault: string, check: string, plant: Plant];

/** The names that one adapter has for what every adapter has. */
export interface Names {
  /** The endpoint that makes a payment, and those by which it is looked up. */
  readonly creates: RegExp;
  readonly lookups: RegExp;
  /** The dotted place of a reply that has its word, the word that says that money moved, and one that the provider seldom says. */
  readonly state: string;
  readonly word: string;
  readonly rare: string;
  /** The setting that is a secret of every request. */
  readonly secret: string;
}

const block = z.record(z.string(), z.unknown());

type Fields = NonNullable<Wire['form']>;

/** Other fields of the body of a request, in JSON or of a form. */
export const sending = (names: RegExp, fields: Fields): Plant => requests(names, (wire) => withBody(wire, fields));

function withBody(wire: Wire, fields: Fields): Wire {
  if (wire.form !== undefined) return { ...wire, form: { ...wire.form, ...fields } };
  return typeof wire.json === 'object' ? { ...wire, json: { ...wire.json, ...fields } } : wire;
}

/** A hundred times as many: without the point, or with two zeros more where there is none. */
const hundredfold = (text: string) => (text.includes('.') ? text.replace('.', '') : `${text}00`);

const inCents: Plant = requests(/./, (wire) => {
  const amount = readPath(wire.form ?? wire.json, 'amount');
  if (typeof amount === 'string') return withBody(wire, { amount: hundredfold(amount) });
  return JsonNumberLiteral.is(amount)
    ? withBody(wire, { amount: new JsonNumberLiteral(hundredfold(amount.literal)) })
    : wire;
});

/** Other outcomes of one status. */
const inPlaceOf = (status: Outcome['status'], other: (outcome: Outcome, amount: Money) => Outcome, why = ''): Plant =>
  outcomes((outcome, context) => {
    const { payment } = z.object({ payment: z.object({ amount: z.custom<Money>() }) }).parse(context);
    const isMeant = outcome.status === status && (outcome.status !== 'unknown' || outcome.why.includes(why));
    return isMeant ? other(outcome, payment.amount) : outcome;
  });
const referenceOf = ({ providerReference = 'none' }: Outcome): string => providerReference;

const wordOf = ({ state }: Names, change: (word: unknown) => unknown): Plant =>
  replies(/./, (body) => {
    const word = readPath(body, state);
    return word === undefined ? body : withPlace(body, state, change(word));
  });

/** What is read as paid, as another amount. */
const paidAs = (other: (paid: Money) => Money): Plant =>
  outcomes((outcome) => (outcome.status === 'settled' ? { ...outcome, amount: other(outcome.amount) } : outcome));

/** The reply `refused` of every endpoint that has it, otherwise. */
const refusing = (change: (refused: ReplyVariant) => ReplyVariant): Plant =>
  endpoints((endpoint) => {
    const { refused } = endpoint.variants;
    return refused === undefined
      ? endpoint
      : { ...endpoint, variants: { ...endpoint.variants, refused: change(refused) } };
  });

/** Faults that every adapter can have: of what is asked for, of what is read, of repeats and lookups, and of secrets. */
export const commonFaults = (names: Names): readonly Fault[] => [
  ['an amount in hundredths', 'amounts-reach-the-provider', inCents],
  ['a currency that is lost', 'amounts-reach-the-provider', sending(names.creates, { currency: undefined })],
  [
    'an error of the server taken for a decline',
    'reply-server-errors',
    refusing(({ status }) => ({
      status: [status, 500, 502, 503].flat(),
      refuses: false,
      body: z.unknown().transform(() => ({ code: 'failed', message: 'Failed.' })),
    })),
  ],
  [
    'a limit on requests described as a refusal',
    'reply-too-many-requests',
    refusing((refused) => ({ ...refused, status: [refused.status, 429].flat() })),
  ],
  [
    'a limit on requests taken for a decline, with a quotation that does not say so',
    'reply-too-many-requests',
    refusing((refused) => ({ ...refused, status: [refused.status, 429].flat(), refuses: { says: 'slow down' } })),
  ],
  [
    'a payment that is declined read as paid',
    'status-rows-decide',
    inPlaceOf('declined', (outcome, amount) => settled(referenceOf(outcome), amount)),
  ],
  [
    'a word of the provider that is not known',
    'examples-speak-the-table',
    wordOf(names, (word) => (word === names.word ? 'a-word-of-none' : word)),
  ],
  [
    'a word that the table lacks read as a decline',
    'invented-status-is-unknown',
    inPlaceOf('unknown', () => declined('hard', 'not_completed'), 'unknown status'),
  ],
  [
    'the amount that was asked for in the place of the one that was paid',
    'settled-amount-is-the-providers',
    inPlaceOf('settled', (outcome, amount) => settled(referenceOf(outcome), amount)),
  ],
  [
    'a paid amount read in hundredths',
    'amounts-are-read-back',
    paidAs(({ minor, currency }) => moneyOfMinor(minor / 100n, currency)),
  ],
  [
    'a paid amount read in another currency',
    'amounts-are-read-back',
    paidAs(({ minor, currency }) => moneyOfMinor(minor, currency === 'EUR' ? 'USD' : 'EUR')),
  ],
  [
    'a word of the table that is seldom said read as unknown',
    'status-rows-are-read',
    outcomes((outcome) =>
      outcome.provider?.status === names.rare ? unknown('The provider said something.') : outcome,
    ),
  ],
  [
    'a word of the table that nothing shows, read as paid',
    'status-words-are-proven',
    ({ statuses, ...connector }) => ({
      ...connector,
      statuses: { ...statuses, rows: { ...statuses.rows, 'held for review': 'settled' } },
    }),
  ],
  [
    'a request that makes a payment and may be sent again unasked',
    'moving-money-is-not-safe',
    endpoints((endpoint) => (names.creates.test(endpoint.name) ? { ...endpoint, repeat: 'safe' } : endpoint)),
  ],
  [
    'a reply about another payment believed',
    'reply-of-another-payment',
    inPlaceOf('unknown', (outcome, amount) => settled(referenceOf(outcome), amount), 'different payment'),
  ],
  [
    'a lookup that never finds',
    'timeout-after-charge',
    requests(names.lookups, ({ params = {}, ...wire }) => ({
      ...wire,
      params: Object.fromEntries(Object.keys(params).map((name) => [name, 'another'])),
    })),
  ],
  [
    'a secret in the address of a request',
    'secrets-travel-in-headers-or-bodies',
    requests(names.creates, (wire, settings) => ({
      ...wire,
      query: { key: z.string().parse(block.parse(settings)[names.secret]) },
    })),
  ],
  [
    'a secret in what the payment keeps',
    'secrets-not-in-outcomes',
    outcomes((outcome, context) => {
      const { settings } = z.object({ settings: block }).parse(context);
      return outcome.status === 'pending' || outcome.status === 'settled'
        ? { ...outcome, providerReference: `${outcome.providerReference}/${String(settings[names.secret])}` }
        : outcome;
    }),
  ],
];

/** Of an adapter whose notifications are signed with a key of the account. */
export const notificationFaults: readonly Fault[] = [
  [
    'a payment that is declined reported as pending',
    'notification-of-each-state',
    events((event) =>
      event.kind === 'payment' && event.outcome.status === 'declined'
        ? { ...event, outcome: pending(event.providerReference) }
        : event,
    ),
  ],
  [
    'a payment that is declined reported as paid',
    'notification-of-each-state',
    events((event) =>
      event.kind === 'payment' && event.outcome.status === 'declined'
        ? { ...event, outcome: settled(event.providerReference, fromDecimal('1', 'JPY')) }
        : event,
    ),
  ],
  [
    'the kind of each event in the place of its id',
    'events-of-one-payment-differ',
    events((event) => ({ ...event, id: event.kind })),
  ],
  [
    'events of a payment that the provider does not name',
    'notification-settles',
    events((event) => ({
      ...event,
      providerReference: 'none',
      merchantReference: 'none',
    })),
  ],
  [
    'notifications that are taken without their signature',
    'secrets-are-read',
    ({ notifications, ...connector }) =>
      notifications === undefined
        ? connector
        : { ...connector, notifications: { ...notifications, verify: { scheme: 'unsigned', confirm: 'status' } } },
  ],
];

/** Of an adapter whose provider refuses a request that it has already. */
export const refusedRepeat: Fault = [
  'the refusal of a repeat read as a decline',
  'taken-before-is-no-decline',
  outcomes((outcome) =>
    outcome.status === 'unknown' && outcome.why.includes('already') ? declined('hard', 'not_completed') : outcome,
  ),
];

/** A fault of an adapter whose requests carry a key in a header. */
export function keyOfEachSend(header: string): Fault {
  let sends = 0;
  return [
    'a key of its own for each send',
    'keys-are-on-the-wire',
    requests(/./, (wire) => {
      if (wire.headers?.[header] === undefined) return wire;
      sends += 1;
      return { ...wire, headers: { ...wire.headers, [header]: `send-${sends}` } };
    }),
  ];
}

/** The adapter with some of its methods, so that the kit can run once for each fault. */
export const servingOnly = (keys: string | readonly string[], { serves, ...connector }: Connector): Connector => ({
  ...connector,
  serves: serves.filter(({ method }) => [keys].flat().includes(method.key)),
});

/** Plants each fault alone. */
export function faultsAreCaught(adapter: Connector, options: ConformanceOptions, faults: readonly Fault[]): void {
  describe(adapter.id, () => {
    it('without a fault passes each check that a fault fails', async () => {
      const checks = [...new Set(faults.map(([, check]) => check))];
      expect(await failedAmong(checks, adapter, options)).toEqual([]);
    });

    it.each(faults)('with %s is caught by %s', async (_fault, check, plant) => {
      expect(await failedAmong([check], plant(adapter), options)).toEqual([check]);
    });

    it('is given each fault once', () => {
      expect(new Set(faults.map(([fault]) => fault)).size).toBe(faults.length);
    });
  });
}
