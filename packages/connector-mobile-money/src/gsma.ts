import {
  amountOf,
  call,
  type ContextOf,
  declined,
  defineConnector,
  type FlowContext,
  type FollowUpFlows,
  type Money,
  type LookedUpPayment,
  moneyOfMinor,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  type Show,
  type Steps,
  unknown,
  withReason,
} from '@railyard/core';
import type * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as gsma from './gsma-endpoints.ts';
import { sampleTransaction } from './gsma.samples.ts';
import { promptOn } from './handset.ts';
import { mobileMoneyGsma } from './methods.ts';

const { api, settings, statuses } = gsma;

// Meaning of replies.

/**
 * The state of a request under its correlation id, which is the name that both sides know it by. It says that the request is over; only
 * the transaction says what became of it, so no state settles an amount.
 */
function stateOutcome(body: gsma.RequestState, id: string, show?: Show): Outcome {
  const { status: word, serverCorrelationId, error } = body;
  const said = { providerReference: id, connectorState: { [id]: serverCorrelationId } };
  if (word === 'completed') return unknown('The request is completed, and its transaction is not known yet.', said);
  const amount = moneyOfMinor(0n, 'USD');
  return statuses.read({ ...said, word, amount, show, ...(error && gsma.wordsOf(error)) });
}

function transactionOutcome(body: gsma.Reported, id: string, amount: Money): Outcome {
  const { transactionStatus: word, transactionReference, requestingOrganisationTransactionReference: ours } = body;
  const connectorState = { [`${id}/transaction`]: transactionReference };
  const outcome = statuses.read({ word, providerReference: id, amount, connectorState });
  return ofThisPayment(outcome, { merchantReference: id }, ours);
}

/** The outcome of a request: by its state, or by its correlation id where the state is not known or no longer there. */
function* lookedUp(id: string, known: LookedUpPayment['connectorState']): Steps<Outcome> {
  const server = known[id];
  const state = server === undefined ? undefined : yield* call(gsma.getRequestState, server);
  const answer = state?.reply === 'found' ? ({ reply: 'accepted', body: state.body } as const) : yield* gsma.madeOf(id);
  if (answer === undefined) return unknown('The provider does not say what it made of the request.');
  if (answer.reply === 'absent') return api.notFound(answer.body);
  if (answer.reply === 'created') return transactionOutcome(answer.body, id, amountOf(answer.body));
  const { status, objectReference } = answer.body;
  if (status !== 'completed' || objectReference === undefined) return stateOutcome(answer.body, id);
  const made = yield* call(gsma.getTransaction, objectReference);
  return made.reply === 'found'
    ? transactionOutcome(made.body, id, amountOf(made.body))
    : stateOutcome(answer.body, id);
}

/** The address of a request's callback ends in its correlation id, and that of a reversal in both: an error names nothing. */
const callbackUrl = ({ urls }: Pick<FlowContext<gsma.Settings>, 'urls'>, ...ids: readonly string[]) =>
  [urls.notify, ...ids].join('/');

const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: gsma.notified,
  events: (body, { raw }) => eventsOf(body, raw.path.split('/').slice(1)),
  acknowledge: { status: 204 },
  examples: [{ body: sampleTransaction, source: gsma.SOURCE }],
});

function eventsOf(
  body: z.output<typeof gsma.notified>,
  [payment, reversal]: readonly string[],
): readonly ProviderEvent[] {
  const isError = 'errorCode' in body;
  const own = isError ? undefined : body.requestingOrganisationTransactionReference;
  const isReversal = reversal !== undefined || (!isError && body.type === 'reversal');
  const merchantReference = payment ?? own;
  const id = isReversal ? (reversal ?? own) : merchantReference;
  if (merchantReference === undefined || id === undefined) return [];
  const outcome = isError
    ? withReason(declined('soft', 'not_completed', { provider: gsma.wordsOf(body) }), gsma.reasons, body.errorCode)
    : transactionOutcome(body, id, amountOf(body));
  const event = { id: `${id}/${isError ? body.errorCode : body.transactionStatus}`, merchantReference, outcome };
  return [{ ...event, kind: isReversal ? 'refund' : 'payment', providerReference: merchantReference }];
}

// The connector.

type Purchase = ContextOf<gsma.Settings, typeof mobileMoneyGsma, 'purchase'>;
type Credit = ContextOf<gsma.Settings, typeof mobileMoneyGsma, 'credit'>;

const merchantOf = ({ party_key: key, party_value: value }: gsma.Settings) => ({ key, value });
const phone = (value: string) => ({ key: 'msisdn', value });

function* moved(
  context: Purchase | Credit,
  asked: Pick<gsma.NewTransaction, 'transactionType' | 'debitParty' | 'creditParty'>,
  show?: (state: gsma.RequestState) => Show,
): Steps<Outcome> {
  const { merchantReference: id, amount, order } = context.payment;
  const answer = yield* call(gsma.createTransaction, {
    correlationId: id,
    callbackUrl: callbackUrl(context, id),
    amount,
    descriptionText: order.description,
    ...asked,
  });
  if (answer.reply === 'refused') return api.refusal(answer.body);
  return answer.reply === 'accepted'
    ? stateOutcome(answer.body, id, show?.(answer.body))
    : transactionOutcome(answer.body, id, amountOf(answer.body));
}

function* purchase(context: Purchase): Steps<Outcome> {
  const { mobile_number: number } = context.payment.parameters;
  const parties = { debitParty: [phone(number)], creditParty: [merchantOf(context.settings)] } as const;
  return yield* moved(context, { transactionType: 'merchantpay', ...parties }, ({ expiryTime: expiresAt }) =>
    promptOn({ number, expiresAt }),
  );
}

function* credit(context: Credit): Steps<Outcome> {
  const { mobile_number: number } = context.payment.parameters;
  const parties = { debitParty: [merchantOf(context.settings)], creditParty: [phone(number)] } as const;
  return yield* moved(context, { transactionType: 'disbursement', ...parties });
}

const followUps = {
  *status({ payment }) {
    return yield* lookedUp(payment.merchantReference, payment.connectorState);
  },

  // A reversal may name an amount; whether less than the whole is taken back stands nowhere in the description.
  refund: {
    partial: false,
    *flow(context) {
      const { payment, id, amount } = context;
      const transactionReference = yield* transactionOf(payment);
      if (transactionReference === undefined)
        return declined('soft', 'provider_error', { reason: 'The provider names no transaction of this payment.' });
      const answer = yield* call(gsma.createReversal, {
        transactionReference,
        correlationId: id,
        callbackUrl: callbackUrl(context, payment.merchantReference, id),
        amount,
      });
      if (answer.reply === 'refused') return api.refusal(answer.body);
      return answer.reply === 'accepted' ? stateOutcome(answer.body, id) : transactionOutcome(answer.body, id, amount);
    },
  },

  *modificationStatus({ payment, modification }) {
    return yield* lookedUp(modification.id, payment.connectorState);
  },
} satisfies FollowUpFlows<gsma.Settings>;

/** The transaction of a payment, kept when it was settled by a lookup. */
function* transactionOf({ merchantReference: id, connectorState }: LookedUpPayment) {
  const kept = connectorState[`${id}/transaction`];
  if (kept !== undefined) return kept;
  const made = yield* gsma.madeOf(id);
  return made?.reply === 'created' ? made.body.transactionReference : undefined;
}

/** Any provider with the GSMA Mobile Money API: checked against its official description, not yet against a live API. */
export const gsmaConnector = defineConnector({
  id: 'mobile-money-gsma',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, GSMA Mobile Money API',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(mobileMoneyGsma, { purchase, credit, ...followUps })],
});
