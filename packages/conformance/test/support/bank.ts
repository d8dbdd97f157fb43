import {
  call,
  decimal,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  type FlowContext,
  fromDecimal,
  limitsTable,
  type LookedUpModification,
  minorUnits,
  type Money,
  notificationsFor,
  type OriginalPayment,
  type Outcome,
  parseMoney,
  pending,
  type ProviderEvent,
  qr,
  secret,
  statusTable,
  type Steps,
  timestampedHmac,
  unknown,
} from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { z } from 'zod';
import type { ConformanceOptions, Golden } from '../../src/index.ts';

/** The ways in which the bank of these tests can be broken, one at a time. */
export type Flaw =
  | 'wrong units'
  | 'a wrong status row'
  | 'every waiting word read as a fault'
  | 'a false keyed'
  | 'unknown taken as pending'
  | 'an unsigned notification trusted'
  | 'a body that the proof does not cover'
  | 'a secret in a reason'
  | 'a clock read'
  | 'a limit edge off by one'
  | 'a required field that only the flow knows'
  | 'a notification applied twice'
  | 'a refund over the rest'
  | 'a reply of another payment trusted'
  | 'the asked amount taken for the paid one'
  | 'state beside the flow'
  | 'a refund that is sent once and never asked for'
  | 'a reply with a word that the table lacks'
  | 'a notification with a word that the table lacks'
  | 'an event with a field that nobody knows'
  | 'a refund reported as a payment'
  | 'a refund that only its reference shows reported as a payment'
  | 'a refund that only a word shows reported as a payment'
  | 'a refund reported under the reference of the payment'
  | 'an unknown payment taken for a declined one'
  | 'an unknown refund taken for a declined one';

const settings = z.object({
  base_url: field(z.url(), { label: 'Address' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(1), 'Secret of notifications'),
});
type Settings = z.output<typeof settings>;

export const bankTransfer = defineMethod({
  key: 'bank-transfer',
  title: 'Bank transfer',
  operations: {
    purchase: {
      parameters: z.strictObject({
        iban: field(z.string().min(5), { label: 'Account', example: 'DE02120300000000202051' }),
        note: field(z.string().max(20), { label: 'Note' }).optional(),
      }),
      completion: ['qr'],
    },
  },
  currencies: ['USD', 'JPY', 'KWD'],
  limits: limitsTable('the bank of these tests', [{ currency: 'USD', min: '1.00', max: '1000.00' }]),
});

const source = 'the manual of the bank of these tests, chapter 1';
const sample = { id: 'ch-1', status: 'OPEN', amount: '25.00', currency: 'USD' };
const refused = { status: 422, body: z.object({ error: z.string() }) } as const;
const absent = { status: 404, body: z.object({ error: z.string() }) } as const;
const charge = z
  .object({
    id: z.string(),
    reference: z.string().optional(),
    status: z.string(),
    amount: z.string(),
    currency: z.string(),
  })
  .refine(({ amount, currency }) => parseMoney(amount, currency).ok);
type Charge = z.output<typeof charge>;
const refund = z.object({ id: z.string(), reference: z.string().optional(), status: z.string() });
const reportedRefund = refund
  .extend({ charge: z.string(), amount: z.string(), currency: z.string() })
  .refine(({ amount, currency }) => parseMoney(amount, currency).ok);
const sampleRefund = { id: 'rf-1', charge: 'ch-1', status: 'PAID', amount: '25.00', currency: 'USD' };
/** Speaks of refunds and tells of none. */
const refundable = {
  terms: 'no_refunds',
  refunds: '/charges/ch-1/refunds',
  note: 'Refunded within a day',
  kind: 'refundable',
};
const news = { event: z.string(), at: z.string() };
interface News {
  readonly event: string;
  readonly at: string;
}

/** A correct connector, or one with a flaw. */
export function bank(flaw?: Flaw | 'basic credentials' | 'words of refunds') {
  const has = (each: Flaw | 'basic credentials' | 'words of refunds') => flaw === each;
  /** Of a refund the bank says `OPEN` once it is made, which is a payment's word for one that waits. */
  const refundWord = has('words of refunds') ? 'OPEN' : 'PAID';
  const statuses = statusTable({
    OPEN: has('a wrong status row') ? 'settled' : 'pending',
    PAID: 'settled',
    FAILED: { declined: 'hard', code: 'declined_by_bank', reason: 'The bank refused the payment.' },
  });
  const refunds = has('words of refunds')
    ? statusTable({ OPEN: 'settled', WAIT: 'pending', FAILED: { declined: 'hard', code: 'declined_by_bank' } })
    : statuses;
  const { endpoint } = providerApi(settings, { source });
  const key = ({ api_key, webhook_secret }: Settings): Readonly<Record<string, string>> =>
    has('basic credentials')
      ? { authorization: `Basic ${Buffer.from(`${api_key}:${webhook_secret}`).toString('base64')}` }
      : { 'x-api-key': api_key };
  const written = (amount: Money) => (has('wrong units') ? minorUnits(amount) : decimal(amount));

  const createCharge = endpoint({
    name: 'create-charge',
    method: 'POST',
    path: '/charges',
    repeat: 'keyed',
    request: (
      input: { reference: string; amount: Money; iban: string; note?: string | undefined; notify: string },
      context,
    ) => ({
      headers: { ...key(context.settings), ...(!has('a false keyed') && { 'idempotency-key': context.key }) },
      json: {
        reference: input.reference,
        amount: written(input.amount),
        currency: input.amount.currency,
        iban: input.iban,
        note: input.note,
        notify: input.notify,
      },
    }),
    replies: { created: { status: 201, body: charge }, refused },
    examples: [
      { is: 'created', status: 201, body: sample, source },
      { is: 'refused', status: 422, body: { error: 'unknown account' }, source },
    ],
    visible: ['id', 'status', 'amount', 'currency', 'reference'],
  });
  const lookup = (name: string, path: string) =>
    endpoint({
      name,
      path,
      repeat: 'safe',
      request: (id: string, context) => ({ params: { id }, headers: key(context.settings) }),
      replies: { found: { status: 200, body: charge }, absent },
      examples: [
        { is: 'found', status: 200, body: { ...sample, status: 'PAID' }, source },
        ...(has('a reply with a word that the table lacks')
          ? [{ is: 'found', status: 200, body: { ...sample, status: 'EXPIRED' }, source }]
          : []),
        { is: 'absent', status: 404, body: { error: 'unknown' }, source },
      ],
      visible: ['id', 'status'],
    });
  const getCharge = lookup('get-charge', '/charges/{id}');
  const findCharge = lookup('find-charge', '/charges/by-reference/{id}');
  const createRefund = endpoint({
    name: 'create-refund',
    method: 'POST',
    path: '/charges/{id}/refunds',
    repeat: has('a refund that is sent once and never asked for') ? 'once' : 'keyed',
    request: (input: { charge: string; reference: string; amount: Money }, context) => ({
      params: { id: input.charge },
      headers: { ...key(context.settings), 'idempotency-key': context.key },
      json: { reference: input.reference, amount: written(input.amount), currency: input.amount.currency },
    }),
    replies: { done: { status: 201, body: refund }, refused },
    examples: [
      { is: 'done', status: 201, body: { id: 'rf-1', status: refundWord }, source },
      { is: 'refused', status: 422, body: { error: 'too much' }, source },
    ],
    visible: ['id', 'status'],
  });

  function outcomeOf(
    found: Charge,
    asked: { readonly reference?: string; readonly id?: string | undefined; readonly amount?: Money },
  ): Outcome {
    const isOther =
      (asked.id !== undefined && found.id !== asked.id) ||
      (asked.reference !== undefined && found.reference !== undefined && found.reference !== asked.reference);
    if (isOther && !has('a reply of another payment trusted'))
      return unknown('The bank answered about another payment.');
    const paid = fromDecimal(found.amount, found.currency);
    const amount = has('the asked amount taken for the paid one') ? (asked.amount ?? paid) : paid;
    if (has('unknown taken as pending') && !(found.status in statuses.rows)) return pending(found.id);
    const outcome = statuses.read({ word: found.status, providerReference: found.id, amount });
    return has('every waiting word read as a fault') && outcome.status === 'pending'
      ? declined('soft', 'provider_error')
      : outcome;
  }

  const chargeEvent = ({ event, at, charge: known }: News & { charge: Charge }): ProviderEvent => ({
    kind: 'payment',
    id: has('a notification applied twice') ? `${event}/${at}` : event,
    providerReference: known.id,
    ...(known.reference !== undefined && { merchantReference: known.reference }),
    outcome: outcomeOf(known, {}),
  });

  const refundEvent = ({
    event,
    refund: reported,
  }: News & { refund: z.output<typeof reportedRefund> }): ProviderEvent => ({
    kind: flaw?.endsWith('reported as a payment') === true ? 'payment' : 'refund',
    id: event,
    providerReference: has('a refund that only a word shows reported as a payment') ? reported.id : reported.charge,
    ...(has('an event with a field that nobody knows') && { action: 'refund' }),
    outcome: refunds.read({
      word: reported.status,
      providerReference: has('a refund reported under the reference of the payment') ? reported.charge : reported.id,
      amount: fromDecimal(reported.amount, reported.currency),
    }),
  });

  let met = 0;

  function* refundFlow({
    payment,
    id,
    amount,
  }: FlowContext<Settings> & { payment: OriginalPayment; id: string; amount: Money }): Steps<Outcome> {
    const asked = has('a refund over the rest') && payment.amount !== 'payer' ? payment.amount : amount;
    const answer = yield* call(createRefund, { charge: payment.providerReference, reference: id, amount: asked });
    if (answer.reply === 'refused')
      return declined('hard', 'declined_by_bank', { reason: 'The bank refused the refund.' });
    const { id: reference, reference: ours, status } = answer.body;
    if (ours !== undefined && ours !== id) return unknown('The bank answered about another refund.');
    return refunds.read({ word: status, providerReference: reference, amount: asked });
  }

  function* refundStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
    const answer = yield* call(findCharge, modification.id);
    return answer.reply === 'absent'
      ? declined('hard', 'not_completed', { reason: 'The bank does not know the refund.' })
      : unknown('The bank answered about a payment.');
  }

  const connector = defineConnector({
    id: 'bank',
    contract: 1,
    version: '1.0.0',
    title: 'A bank',
    settings,
    baseUrl: ({ base_url }) => base_url,
    endpoints: [createCharge, getCharge, findCharge, createRefund],
    statuses,
    ...(has('words of refunds') && { effectStatuses: { refund: refunds } }),
    notifications: notificationsFor(settings)({
      verify: verification(flaw),
      vectors: { none: 'The bank of these tests is made up, and no library signs for it.' },
      codec: 'json',
      body: z.union([z.object({ ...news, charge }), z.object({ ...news, refund: reportedRefund })]),
      events: (body) => ['refund' in body ? refundEvent(body) : chargeEvent(body)],
      examples: [
        { body: { event: 'ev-3', at: '2026-11-21T10:05:00Z', refund: refundAs(flaw) }, source },
        {
          body: { event: 'ev-1', at: '2026-11-21T10:00:00Z', charge: { ...sample, ...refundable, status: 'PAID' } },
          source,
        },
        ...(has('a notification with a word that the table lacks')
          ? [{ body: { event: 'ev-2', at: '2026-11-21T10:00:00Z', charge: { ...sample, status: 'EXPIRED' } }, source }]
          : []),
      ],
    }),
    serves: (serve) => [
      serve(bankTransfer, {
        *purchase({ payment, settings: own, urls }) {
          const { merchantReference: reference, amount, parameters } = payment;
          met += 1;
          const suffix = has('a clock read') ? String(Date.now()) : has('state beside the flow') ? String(met) : '';
          if (has('a limit edge off by one') && amount.minor >= 100_000n)
            return declined('hard', 'limit_exceeded', { reason: 'Too much.' });
          if (has('a required field that only the flow knows') && parameters.note === undefined)
            throw new Error('The note is missing.');
          const note = suffix === '' ? parameters.note : suffix;
          const answer = yield* call(createCharge, {
            reference,
            amount,
            iban: parameters.iban,
            note,
            notify: urls.notify,
          });
          if (answer.reply === 'refused')
            return declined('hard', 'declined_by_bank', {
              reason: has('a secret in a reason')
                ? `Refused for the key ${own.api_key}.`
                : 'The bank refused the payment.',
            });
          const outcome = outcomeOf(answer.body, { reference, amount });
          return outcome.status === 'pending'
            ? pending(outcome.providerReference, qr({ content: answer.body.id }))
            : outcome;
        },
        refund: { partial: true, flow: refundFlow },
        *status({ payment }) {
          const { providerReference: id, merchantReference: reference } = payment;
          const answer = id === undefined ? yield* call(findCharge, reference) : yield* call(getCharge, id);
          if (answer.reply === 'absent')
            return has('an unknown payment taken for a declined one')
              ? declined('hard', 'not_completed', { reason: 'The bank does not know the payment.' })
              : unknown('The bank does not know the payment.');
          return outcomeOf(answer.body, {
            reference,
            id,
            ...(payment.amount !== 'payer' && { amount: payment.amount }),
          });
        },
        ...(has('an unknown refund taken for a declined one') && { modificationStatus: refundStatus }),
      }),
    ],
  });
  return connector;
}

/** The refund of the documented notification: the one of the documented reply, unless the flaw is to be found by less. */
function refundAs(flaw: Parameters<typeof bank>[0]) {
  if (flaw === 'words of refunds') return { ...sampleRefund, status: 'OPEN' };
  if (flaw === 'a refund that only its reference shows reported as a payment') return { ...sampleRefund, id: 'rf-7' };
  return flaw === 'a refund that only a word shows reported as a payment'
    ? { ...sampleRefund, id: 'rf-7', type: 'chargeRefunded' }
    : sampleRefund;
}

function verification(flaw: Parameters<typeof bank>[0]) {
  const signed = timestampedHmac(({ webhook_secret }: Settings) => webhook_secret);
  if (flaw === 'a body that the proof does not cover')
    return {
      ...signed,
      over: ({ headers }: { headers: Readonly<Record<string, string>> }) => headers['x-timestamp'] ?? '',
    } as const;
  if (flaw === 'an unsigned notification trusted')
    return { scheme: 'shared-secret', header: 'x-sender', value: () => 'the-bank' } as const;
  return signed;
}

const reportedFields = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
};
const unknownCharge = { absent: { status: 404, body: { error: 'unknown' } } };
const refundFields = {
  id: 'params.id',
  modificationReference: 'body.reference',
  amount: 'body.amount',
  currency: 'body.currency',
};

export const simulation: Simulation = {
  words: { settled: 'PAID', pending: 'OPEN', declined: 'FAILED' },
  endpoints: {
    'create-charge': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      ...reportedFields,
    },
    'get-charge': { effect: 'read', request: { id: 'params.id' }, ...reportedFields, ...unknownCharge },
    'find-charge': { effect: 'read', request: { merchantReference: 'params.id' }, ...reportedFields, ...unknownCharge },
    'create-refund': {
      effect: 'refund',
      unreported: true,
      request: { ...refundFields, key: 'headers.idempotency-key' },
      reply: { modification: 'id', modificationReference: 'reference', modificationStatus: 'status' },
      refused: { status: 422, body: { error: 'too much' } },
      ...unknownCharge,
    },
  },
  notification: {
    url: 'body.notify',
    headers: ({ now }) => ({ 'x-timestamp': String(Math.floor(Date.parse(now) / 1000)) }),
    body: ({ id, merchantReference: reference, status, amount, currency }, { id: event, now }) => ({
      event,
      at: now,
      charge: { id, reference, status, amount, currency },
    }),
  },
};

const key = { 'x-api-key': '{settings.api_key}' };
const moving = { ...key, 'idempotency-key': '{key}' };
const opened = { ...sample, reference: '{reference}' };

export const goldens: readonly Golden[] = [
  {
    endpoint: 'create-charge',
    source,
    when: 'a charge is made',
    request: {
      method: 'POST',
      path: '/charges',
      headers: moving,
      body: {
        reference: '{reference}',
        amount: '25.00',
        currency: 'USD',
        iban: 'DE02120300000000202051',
        note: 'Thanks',
        notify: '{notify_url}',
      },
    },
    reply: { status: 201, body: opened },
    outcome: { status: 'pending', providerReference: 'ch-1' },
  },
  {
    endpoint: 'get-charge',
    source,
    when: 'the charge is paid',
    request: { method: 'GET', path: '/charges/{provider_reference}', headers: key },
    reply: { status: 200, body: { ...opened, id: '{provider_reference}', status: 'PAID' } },
    outcome: { status: 'settled', amount: '25.00 USD' },
  },
  {
    endpoint: 'find-charge',
    source,
    when: 'the bank never saw the charge',
    request: { method: 'GET', path: '/charges/by-reference/{reference}', headers: key },
    reply: { status: 404, body: { error: 'unknown' } },
    outcome: { status: 'unknown' },
  },
  {
    endpoint: 'create-refund',
    source,
    when: 'money is given back',
    request: {
      method: 'POST',
      path: '/charges/{provider_reference}/refunds',
      headers: moving,
      body: { reference: '{modification}', amount: '25.00', currency: 'USD' },
    },
    reply: { status: 201, body: { id: 'rf-1', reference: '{modification}', status: 'PAID' } },
    outcome: { status: 'settled', providerReference: 'rf-1' },
  },
];

export const options: ConformanceOptions = {
  simulation,
  goldens,
  settings: { base_url: 'https://bank.example/v1', api_key: 'the-api-key', webhook_secret: 'the-webhook-secret' },
  sessions: { 'bank-transfer': { purchase: { parameters: { iban: 'DE02120300000000202051', note: 'Thanks' } } } },
};
