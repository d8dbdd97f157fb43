import { readFileSync } from 'node:fs';
import {
  authorized,
  declined,
  JsonNumberLiteral,
  money,
  type Outcome,
  type ProviderEvent,
  settled,
} from '@railyard/core';
import type { Wire } from '@railyard/core/driver';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  commonFaults,
  type Fault,
  faultsAreCaught,
  notificationFaults,
} from '../../conformance/test/support/common-faults.ts';
import {
  endpoints,
  everyEvent,
  events,
  lookedUpActions,
  lookedUpContexts,
  outcomes,
  type Plant,
  purchaseContexts,
  refundContexts,
  refundOutcomes,
  replies,
  requests,
  statusContexts,
  statusReports,
  withFields,
} from '../../conformance/test/support/planted.ts';
import { acquirerConnector } from '../src/index.ts';
import { oneMethod, oneMethodOptions } from './support/one-method.ts';

/** One status of payments reported as money that was paid. */
const asSettled = (status: Outcome['status']): Plant =>
  events((event) =>
    event.kind === 'payment' && event.outcome.status === status
      ? { ...event, outcome: settled(event.providerReference, money('25.00', 'USD')) }
      : event,
  );

/** A body whose amount is a hundred times as many. */
const inCents = (json: Wire['json']): Wire['json'] =>
  typeof json === 'object' && json !== null && 'amount' in json && JsonNumberLiteral.is(json.amount)
    ? { ...json, amount: new JsonNumberLiteral(`${json.amount.literal}00`) }
    : json;

const withoutEci = (json: Wire['json']): Wire['json'] => {
  const { three_d_secure: done, ...rest } = Object(json);
  return { ...rest, ...(done && { three_d_secure: { ...done, eci: undefined } }) };
};

const withoutNetwork = (json: Wire['json']): Wire['json'] => {
  const { card, ...rest } = Object(json);
  return { ...rest, card: { ...card, network: undefined } };
};

const byCard = z.looseObject({ payment: z.looseObject({ card: z.looseObject({}).optional() }) });
const alwaysCoBranded: Plant = purchaseContexts((context) => {
  const { payment, ...rest } = byCard.parse(context);
  return { ...rest, payment: { ...payment, ...(payment.card && { card: { ...payment.card, coBranded: true } }) } };
});

const serverErrorsRefuse: Plant = endpoints((endpoint) => {
  const { refused } = endpoint.variants;
  if (refused === undefined) return endpoint;
  const status = [refused.status, 500, 502, 503].flat();
  const body = z.unknown().transform(() => ({ code: 'failed' }));
  return { ...endpoint, variants: { ...endpoint.variants, refused: { status, refuses: false, body } } };
});

let sends = 0;
const keyOfEachSend: Plant = requests(/-payment$/, (wire) => {
  sends += 1;
  const { 'idempotency-key': key, ...headers } = wire.headers ?? {};
  return key === undefined ? wire : { ...wire, headers: { ...headers, 'idempotency-key': `send-${sends}` } };
});

/** A refusal without its code taken for a payment. */
const codelessIsPaid: Plant = (connector) => {
  const coded = z.looseObject({ code: z.string() });
  const naming = replies(/^create-sale$/, (body) =>
    typeof body === 'object' && body !== null && 'message' in body && !coded.safeParse(body).success
      ? { ...body, code: 'left_out' }
      : body,
  );
  const paid = outcomes((outcome) =>
    outcome.status === 'declined' && outcome.provider?.code === 'left_out'
      ? settled('none', money('25.00', 'USD'))
      : outcome,
  );
  return paid(naming(connector));
};

const lookedUpDisputes = (change: (event: ProviderEvent) => readonly ProviderEvent[]): Plant =>
  statusReports((report) =>
    'events' in report
      ? { events: report.events.flatMap((event) => (event.kind === 'chargeback' ? change(event) : [event])) }
      : report,
  );

const lookedUp = z.looseObject({ modification: z.looseObject({ name: z.string() }) });
const refundsAlone: Plant = lookedUpContexts((context) => {
  if (lookedUp.parse(context).modification.name !== 'refund') throw new Error('It is no refund.');
  return context;
});

const withPayment = z.looseObject({ payment: z.looseObject({ id: z.string(), providerReference: z.string() }) });

/** Faults as authors make them, and the check that says so. */
const FAULTS: readonly Fault[] = [
  [
    'cents taken for units',
    'amounts-reach-the-provider',
    requests(/^create-/, ({ json, ...wire }) => ({ ...wire, json: inCents(json) })),
  ],
  [
    "the ECI of a merchant's own 3-D Secure left out",
    'authentication-reaches-the-provider',
    requests(/^create-sale$/, ({ json, ...wire }) => ({ ...wire, json: withoutEci(json) })),
  ],
  [
    'the network that a payer chose left out',
    'card-brand-reaches-the-provider',
    requests(/^create-sale$/, ({ json, ...wire }) => ({ ...wire, json: withoutNetwork(json) })),
  ],
  ['the network of every card sent', 'card-brand-reaches-the-provider', alwaysCoBranded],
  ['a new id on every retry', 'keys-are-on-the-wire', keyOfEachSend],
  ['an error of the server taken for a decline', 'reply-server-errors', serverErrorsRefuse],
  [
    'a refund that is not found taken for a declined one',
    'refused-repeat-in-modifications',
    lookedUpActions((outcome) => (outcome.status === 'unknown' ? declined('hard', 'not_completed') : outcome)),
  ],
  [
    'a refund that is pending taken for one that is made',
    'modifications-stay-pending',
    refundOutcomes((outcome) =>
      outcome.status === 'pending' ? settled(outcome.providerReference, money('25.00', 'USD')) : outcome,
    ),
  ],
  [
    'a refund that failed later looked up as settled',
    'modifications-fail-later',
    lookedUpActions((outcome) =>
      outcome.status === 'declined' ? settled(outcome.providerReference ?? '', money('25.00', 'USD')) : outcome,
    ),
  ],
  ['a lookup that knows no action but refunds', 'every-reply-is-handled', refundsAlone],
  ['a refusal without its code taken for a payment', 'refusals-without-parts-are-no-money', codelessIsPaid],
  ['a declined payment reported as settled', 'notification-of-each-state', asSettled('declined')],
  ['a hold reported as settled', 'notification-of-each-state', asSettled('authorized')],
  [
    'a cancellation reported as a chargeback',
    'notification-of-each-state',
    events((event) => (event.kind === 'reversal' ? { ...event, kind: 'chargeback' } : event)),
  ],
  [
    "a refund under the charge's reference",
    'refunds-are-not-under-the-charge',
    refundOutcomes((outcome, context) => ({
      ...outcome,
      providerReference: withPayment.parse(context).payment.providerReference,
    })),
  ],
  [
    'a lookup by our id of the payment instead of its reference',
    'timeout-after-charge',
    statusContexts((context) => withFields(context, 'payment', ({ id }) => ({ merchantReference: id }))),
  ],
  [
    'the id of an event without its kind',
    'events-of-one-payment-differ',
    events((event) => ({ ...event, id: event.providerReference })),
  ],
  [
    'one id for all refunds',
    'refunds-have-ids-of-their-own',
    refundContexts((context) => {
      const { payment, ...rest } = withPayment.parse(context);
      return { ...rest, payment, id: payment.id };
    }),
  ],
  [
    "the failure of a refund reported under the payment's reference",
    'modifications-fail-later',
    events((event) =>
      event.kind === 'refund'
        ? { ...event, outcome: { ...event.outcome, providerReference: event.providerReference } }
        : event,
    ),
  ],
  [
    'an expired hold reported as a decline',
    'expired-holds-are-released',
    events((event) =>
      event.kind === 'hold-expired'
        ? {
            ...event,
            kind: 'payment',
            outcome: declined('hard', 'expired', { providerReference: event.providerReference }),
          }
        : event,
    ),
  ],
  [
    'an expired hold looked up as held',
    'expired-holds-are-released',
    statusReports((report) =>
      'events' in report && report.events.some(({ kind }) => kind === 'hold-expired')
        ? authorized(report.events[0]?.providerReference ?? '', money('25.00', 'USD'))
        : report,
    ),
  ],
  [
    'a dispute that is won reported as lost',
    'notification-of-each-state',
    events((event) => (event.kind === 'chargeback' && event.result === 'won' ? { ...event, result: 'lost' } : event)),
  ],
  ['a dispute that the lookup does not tell', 'disputes-are-told', lookedUpDisputes(() => [])],
  [
    'a dispute that the lookup tells under another id',
    'disputes-are-told',
    lookedUpDisputes((event) => [{ ...event, id: `${event.id}/looked-up` }]),
  ],
  [
    'a dispute that is won reported as nothing',
    'disputes-are-decided',
    everyEvent((all) => all.filter((event) => event.kind !== 'chargeback' || event.result !== 'won')),
  ],
  [
    'a refund that the merchant makes at the provider reported as nothing',
    'refunds-made-elsewhere-are-told',
    everyEvent((all) => all.filter(({ kind }) => kind !== 'refund')),
  ],
];

/** Faults that are planted in an adapter of every package, but for what has a row of its own above. */
const COMMON = [
  ...commonFaults({
    creates: /^create-/,
    lookups: /^(?:get|find)-/,
    state: 'status',
    word: 'APPROVED',
    rare: 'EXPIRED',
    secret: 'api_key',
  }),
  ...notificationFaults,
].filter(([fault]) => FAULTS.every(([own]) => own !== fault));

/** Planted in the false-alarms test, because it takes another provider. */
const ELSEWHERE = 'decimals by ISO, where the provider has its own';

test('the page of checks names each fault and its check', () => {
  const page = readFileSync(new URL('../../conformance/CHECKS.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| ([^`|]+) \| ([a-z]+-[a-z-]+) \|$/gm)].map(([, fault, check]) => [fault, check]);
  expect(listed.filter(([fault]) => fault !== ELSEWHERE)).toEqual(
    expect.arrayContaining(FAULTS.map(([fault, check]) => [fault, check])),
  );
  expect(listed).toHaveLength(FAULTS.length + 1);
});

faultsAreCaught(oneMethod(acquirerConnector), oneMethodOptions, [...FAULTS, ...COMMON]);
