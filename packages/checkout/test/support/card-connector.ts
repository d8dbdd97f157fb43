import {
  call,
  decimal,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  type FlowContext,
  fromDecimal,
  type Outcome,
  type PaymentCard,
  type PaymentInput,
  type PlainOperation,
  settled,
  statusTable,
  type Steps,
  notificationsFor,
  unknown,
  visit,
} from '@railyard/core';
import type { PayeeCard, PayerClient } from '@railyard/core/driver';
import * as z from 'zod';

const operation = { card: true, parameters: z.strictObject({}), completion: ['redirect'] } as const;

/** Payments by card, and payouts to one. */
export const cardMethod = defineMethod({
  key: 'card',
  title: 'Card',
  operations: {
    purchase: operation,
    debit: operation,
    credit: operation,
    transfer: { ...operation, payeeCard: true },
  },
});

const settings = z.object({ base_url: z.url() });
export const NOTIFY_TOKEN = 'test-notify-token';
const { endpoint } = providerApi(settings, { source: 'a test' });

const paid = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  /** What a lookup may say beyond that. */
  message: z.string().optional(),
  token: z.string().optional(),
  cvv: z.string().optional(),
});
const challenge = z.object({ id: z.string(), url: z.url(), method: z.enum(['GET', 'POST']), creq: z.string() });
const refusal = z.object({ id: z.string(), message: z.string() });

const findPayments = endpoint({
  name: 'find-payments',
  path: '/payments',
  repeat: 'safe',
  request: (reference: string) => ({ query: { reference } }),
  reply: z.object({ payments: z.array(z.object({ ...paid.shape, challenge: challenge.optional() })) }),
  visible: ['payments.id', 'payments.status', 'payments.message', 'payments.token', 'payments.cvv'],
});

interface Asked {
  readonly kind: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly card: PaymentCard;
  readonly payee: PayeeCard | undefined;
  readonly payeeName: string | undefined;
  readonly client: PayerClient | undefined;
  readonly returnUrl: string;
}

const authorise = endpoint({
  name: 'authorise',
  method: 'POST',
  path: '/payments',
  repeat: 'by-reference',
  timeoutMs: 5000,
  visible: ['id', 'message', 'reference'],
  request: ({ kind, reference, amount, currency, card, payee, payeeName, client, returnUrl }: Asked) => ({
    json: {
      kind,
      reference,
      amount,
      currency,
      card: {
        number: card.number,
        ...(card.cvv && { cvv: card.cvv }),
        expiry: `${card.expiryMonth}/${card.expiryYear}`,
        holder: card.holder,
        bin: card.bin,
        brand: card.brand,
        ...(card.coBranded && { co_branded: true }),
        ...(card.stored && { stored: true }),
      },
      ...(payee && { payee: payee.number }),
      ...(payeeName !== undefined && { payee_name: payeeName }),
      client: { ...client },
      return_url: returnUrl,
    },
  }),
  find: {
    endpoint: findPayments,
    input: ({ reference }) => reference,
    read: ({ payments: [payment] }) => {
      if (payment === undefined) return 'absent';
      if (payment.challenge !== undefined) return { found: { reply: 'challenge', body: payment.challenge } };
      return payment.status === 'PAID' ? { found: { reply: 'paid', body: payment } } : 'unclear';
    },
  },
  replies: {
    paid: { status: 200, body: paid },
    challenge: { status: 202, body: challenge },
    refused: { status: 402, body: refusal },
  },
});

const complete = endpoint({
  name: 'complete',
  method: 'POST',
  path: '/payments/{id}/complete',
  repeat: 'keyed',
  request: ({ id, cres }: { id: string; cres: string }, { key }) => ({
    params: { id },
    headers: { 'idempotency-key': key },
    json: { cres },
  }),
  replies: { paid: { status: 200, body: paid }, refused: { status: 402, body: refusal } },
});

const statuses = statusTable({
  PAID: 'settled',
  CHALLENGE: 'pending',
  REFUSED: { declined: 'soft', code: 'card_declined', reason: 'Declined by processing.' },
});

type Context = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation & { readonly card: true }> };

const refused = ({ id, message }: z.output<typeof refusal>): Outcome =>
  declined('soft', 'card_declined', { reason: message, providerReference: id });
const done = ({ id, amount, currency }: z.output<typeof paid>): Outcome => settled(id, fromDecimal(amount, currency));

function* pay({ payment, urls }: Context, payee?: PayeeCard): Steps<Outcome> {
  const { operation: kind, merchantReference: reference, amount, card, client } = payment;
  const asked = {
    kind,
    reference,
    amount: decimal(amount),
    currency: amount.currency,
    card,
    payee,
    payeeName: payment.payee?.name,
    client,
    returnUrl: urls.return,
  };
  const answer = yield* call(authorise, asked);
  if (answer.reply === 'refused') return refused(answer.body);
  if (answer.reply === 'paid') return done(answer.body);
  const { id, url, method, creq } = answer.body;
  const back = {
    purpose: method === 'POST' ? 'authenticate' : 'approve',
    url,
    method,
    fields: { creq },
    reference: id,
    until: z.object({ cres: z.string() }),
    mayTurnBack: true,
  } as const;
  const { cres } = yield* visit(back);
  const completed = yield* call(complete, { id, cres });
  return completed.reply === 'refused' ? refused(completed.body) : done(completed.body);
}

const saidIn = ({ message, token, cvv }: z.output<typeof paid>) => ({
  ...(message !== undefined && { message }),
  ...(token !== undefined && { agreement: { token, ...(cvv !== undefined && { cvv }) } }),
});

/** Test-only: pays with a card, at once, after 3-D Secure by form, or on a page that it is led to. */
export const cardConnector = defineConnector({
  id: 'test-card',
  contract: 1,
  version: '1.0.0',
  title: 'Cards',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [findPayments, authorise, complete],
  statuses,
  serves: (serve) => [
    serve(cardMethod, {
      cardBrands: ['cartes_bancaires', 'visa', 'mastercard'],
      purchase: (context) => pay(context),
      debit: (context) => pay(context),
      credit: (context) => pay(context),
      transfer: (context) => pay(context, context.payment.payeeCard),
      *status({ payment }) {
        const { payments } = yield* call(findPayments, payment.merchantReference);
        const [first] = payments;
        if (first === undefined) return unknown('The provider does not know the payment.');
        const { id, status, amount, currency } = first;
        const money = fromDecimal(amount, currency);
        return statuses.read({ word: status, providerReference: id, amount: money, ...saidIn(first) });
      },
    }),
  ],
  notifications: notificationsFor(settings)({
    verify: { scheme: 'shared-secret', header: 'x-token', value: () => NOTIFY_TOKEN },
    codec: 'json',
    body: z.looseObject({ event: z.string(), ...paid.shape }),
    events: (told) => {
      const { event, id, status: word, amount, currency } = told;
      const money = fromDecimal(amount, currency);
      return [
        {
          id: event,
          kind: 'payment',
          providerReference: id,
          outcome: statuses.read({ word, providerReference: id, amount: money, ...saidIn(told) }),
        },
      ];
    },
  }),
});
