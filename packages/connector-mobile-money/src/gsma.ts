import {
  amountOf,
  call,
  type ContextOf,
  credential,
  declined,
  defineConnector,
  type FlowContext,
  type FollowUpFlows,
  type Money,
  type LookedUpPayment,
  moneyOfMinor,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  refusedBy,
  type Show,
  type Steps,
  unknown,
  withReason,
} from '@railyard/core';
import { shortDecimal } from '@railyard/core/formats';
import type * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import {
  api,
  authenticate,
  createReversal,
  createTransaction,
  getRequestState,
  getTransaction,
  madeOf,
  notified,
  type NewTransaction,
  type problem,
  reasons,
  type Reported,
  type RequestState,
  settings,
  type Settings,
  SOURCE,
  statuses,
  TAKEN_BEFORE,
} from './gsma-endpoints.ts';
import { sampleTransaction } from './gsma.samples.ts';
import { promptOn } from './handset.ts';
import { mobileMoneyGsma } from './methods.ts';

// Meaning of replies.

const wordsOf = ({ errorCode: code, errordescription: message }: z.output<typeof problem>) => ({
  code,
  ...(message !== undefined && { message }),
});

/** A request that was not taken: no transaction was made, unless the provider has one with this correlation id. */
const refusal = (body: z.output<typeof problem>) =>
  withReason(refusedBy(wordsOf(body), TAKEN_BEFORE), reasons, body.errorCode);

/**
 * The state of a request under its correlation id, which is the name that both sides know it by. It says that the request is over; only
 * the transaction says what became of it, so no state settles an amount.
 */
function stateOutcome(body: RequestState, id: string, show?: Show): Outcome {
  const { status: word, serverCorrelationId, error } = body;
  const said = { providerReference: id, connectorState: { [id]: serverCorrelationId } };
  if (word === 'completed') return unknown('The request is completed, and its transaction is not known yet.', said);
  const amount = moneyOfMinor(0n, 'USD');
  return statuses.read({ ...said, word, amount, show, ...(error && wordsOf(error)) });
}

function transactionOutcome(body: Reported, id: string, amount: Money): Outcome {
  const { transactionStatus: word, transactionReference, requestingOrganisationTransactionReference: ours } = body;
  const connectorState = { [`${id}/transaction`]: transactionReference };
  const outcome = statuses.read({ word, providerReference: id, amount, connectorState });
  return ofThisPayment(outcome, { merchantReference: id }, ours);
}

/** The outcome of a request: by its state, or by its correlation id where the state is not known or no longer there. */
function* lookedUp(id: string, known: LookedUpPayment['connectorState']): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const server = known[id];
  const state = server === undefined ? undefined : yield* call(getRequestState, { token, id: server });
  const answer =
    state?.reply === 'found' ? ({ reply: 'accepted', body: state.body } as const) : yield* madeOf(token, id);
  if (answer === undefined) return unknown('The provider does not say what it made of the request.');
  if (answer.reply === 'absent') return notFound(wordsOf(answer.body));
  if (answer.reply === 'created') return transactionOutcome(answer.body, id, amountOf(answer.body));
  const { status, objectReference } = answer.body;
  if (status !== 'completed' || objectReference === undefined) return stateOutcome(answer.body, id);
  const made = yield* call(getTransaction, { token, id: objectReference });
  return made.reply === 'found'
    ? transactionOutcome(made.body, id, amountOf(made.body))
    : stateOutcome(answer.body, id);
}

/** The address of a request's callback ends in its correlation id, and that of a reversal in both: an error names nothing. */
const callbackUrl = ({ urls }: Pick<FlowContext<Settings>, 'urls'>, ...ids: readonly string[]) =>
  [urls.notify, ...ids].join('/');

const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: notified,
  events: (body, { raw }) => eventsOf(body, raw.path.split('/').slice(1)),
  acknowledge: { status: 204 },
  examples: [{ body: sampleTransaction, source: SOURCE }],
});

function eventsOf(body: z.output<typeof notified>, [payment, reversal]: readonly string[]): readonly ProviderEvent[] {
  const isError = 'errorCode' in body;
  const own = isError ? undefined : body.requestingOrganisationTransactionReference;
  const isReversal = reversal !== undefined || (!isError && body.type === 'reversal');
  const merchantReference = payment ?? own;
  const id = isReversal ? (reversal ?? own) : merchantReference;
  if (merchantReference === undefined || id === undefined) return [];
  const outcome = isError
    ? withReason(declined('soft', 'not_completed', { provider: wordsOf(body) }), reasons, body.errorCode)
    : transactionOutcome(body, id, amountOf(body));
  const event = { id: `${id}/${isError ? body.errorCode : body.transactionStatus}`, merchantReference, outcome };
  return [{ ...event, kind: isReversal ? 'refund' : 'payment', providerReference: merchantReference }];
}

// The connector.

type Purchase = ContextOf<Settings, typeof mobileMoneyGsma, 'purchase'>;
type Credit = ContextOf<Settings, typeof mobileMoneyGsma, 'credit'>;

const merchantOf = ({ party_key: key, party_value: value }: Settings) => ({ key, value });
const phone = (value: string) => ({ key: 'msisdn', value });

function* moved(
  context: Purchase | Credit,
  asked: Pick<NewTransaction, 'transactionType'> & Pick<NewTransaction['json'], 'debitParty' | 'creditParty'>,
  show?: (state: RequestState) => Show,
): Steps<Outcome> {
  const { merchantReference: id, amount, order } = context.payment;
  const { transactionType, ...parties } = asked;
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(createTransaction, {
    token,
    correlationId: id,
    callbackUrl: callbackUrl(context, id),
    transactionType,
    json: {
      requestingOrganisationTransactionReference: id,
      amount: shortDecimal(amount),
      currency: order.currency,
      descriptionText: [...order.description].slice(0, DESCRIPTION).join(''),
      ...parties,
    },
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  return answer.reply === 'accepted'
    ? stateOutcome(answer.body, id, show?.(answer.body))
    : transactionOutcome(answer.body, id, amountOf(answer.body));
}

/** descriptionText takes so many characters. */
const DESCRIPTION = 160;

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
      const { access_token: token } = yield* credential(authenticate);
      const transactionReference = yield* transactionOf(payment, token);
      if (transactionReference === undefined)
        return declined('soft', 'provider_error', { reason: 'The provider names no transaction of this payment.' });
      const answer = yield* call(createReversal, {
        token,
        transactionReference,
        correlationId: id,
        callbackUrl: callbackUrl(context, payment.merchantReference, id),
        json: {
          requestingOrganisationTransactionReference: id,
          type: 'reversal',
          amount: shortDecimal(amount),
          currency: payment.order.currency,
        },
      });
      if (answer.reply === 'refused') return refusal(answer.body);
      return answer.reply === 'accepted' ? stateOutcome(answer.body, id) : transactionOutcome(answer.body, id, amount);
    },
  },

  *modificationStatus({ payment, modification }) {
    return yield* lookedUp(modification.id, payment.connectorState);
  },
} satisfies FollowUpFlows<Settings>;

/** The transaction of a payment, kept when it was settled by a lookup. */
function* transactionOf({ merchantReference: id, connectorState }: LookedUpPayment, token: string) {
  const kept = connectorState[`${id}/transaction`];
  if (kept !== undefined) return kept;
  const made = yield* madeOf(token, id);
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
