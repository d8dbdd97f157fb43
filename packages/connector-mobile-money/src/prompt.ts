import {
  amountFields,
  amountOf,
  call,
  type ContextOf,
  decimal,
  defineConnector,
  field,
  type LookedUpPayment,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  refusedBy,
  reply,
  secret,
  type Show,
  statusTable,
  type Steps,
  timestampedHmac,
  withAmount,
} from '@railyard/core';
import { withoutPlus } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { askCode, type CodeSteps, NOT_SENT } from './ask-code.ts';
import { afterLookup, promptOn } from './handset.ts';
import { mobileMoneyBeninA, mobileMoneyBeninB, mobileMoneyOtp, mobileMoneyTogoA, mobileMoneyTogoB } from './methods.ts';
import { CODE_NEEDED, sampleAbsent, sampleNotification, sampleRequest } from './prompt.samples.ts';

const SOURCE = 'packages/connector-mobile-money/README.md, Prompt provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

type Settings = z.output<typeof settings>;

/** Words of requests to a phone. `expired` is left out on purpose: see `afterLookup`. */
const statuses = statusTable({
  code_needed: { meaning: 'pending', says: 'the subscriber is asked for a code' },
  waiting: 'pending',
  confirmed: 'settled',
  declined: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The request was declined on the phone.' },
  no_money: { declined: 'soft', code: 'insufficient_funds' },
  refused: {
    meaning: { declined: 'hard', code: 'declined_by_provider', reason: 'The network refused the payment.' },
    says: 'the network refused the request',
  },
});

/** The provider's word for a request that the payer did not confirm in time. */
const TIMED_OUT = 'expired';

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['key_in_use', 'duplicate_reference']);

// Replies.

const reported = () => ({
  id: z.string().min(1),
  reference: z.string().optional(),
  status: z.string(),
  ...amountFields,
});

const phoneRequest = withAmount(
  z.object({
    ...reported(),
    message: z.string().max(255).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  }),
);
const notifiedRequest = withAmount(z.object({ ...reported(), reference: z.string() }));
const sent = z.object({ id: z.string() });
const problem = z.object({ code: z.string(), message: z.string().optional() });

type PhoneRequest = z.output<typeof phoneRequest>;

type RequestReply = Pick<PhoneRequest, 'id' | 'reference' | 'status' | 'amount' | 'currency'>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'reference', 'network', 'confirmation', 'status', 'amount', 'currency', 'code'],
});

const requests = {
  found: reply(200, phoneRequest, sampleRequest, { ...sampleRequest, status: CODE_NEEDED }),
  absent: reply(404, problem, sampleAbsent),
};
const getRequest = api.lookup('get-request', '/requests/{id}', requests);
const findRequest = api.lookup('find-request', '/requests/reference/{reference}', requests);

interface RequestInput {
  readonly reference: string;
  readonly network: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  /** Digits with the calling code. */
  readonly number: string;
  readonly receiver: string | undefined;
  readonly confirmation: 'prompt' | 'code';
  readonly notify_url: string;
}

/** The provider keeps one request for each `idempotency-key`. */
const createRequest = api.endpoint('create-request', 'POST /requests', {
  repeat: 'keyed',
  request: (input: RequestInput) => ({
    json: { ...input },
  }),
  replies: { created: { status: [200, 201], body: phoneRequest }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: { ...sampleRequest, status: CODE_NEEDED } },
    { is: 'created', status: 201, body: sampleRequest },
    { is: 'refused', status: 422, body: { code: 'no_account', message: 'The number has no account.' } },
  ],
});

/** A request that is looked up and still waits for its code has not got this one. */
const sendCode = api.endpoint('send-code', 'POST /requests/{id}/code', {
  repeat: 'by-reference',
  request: ({ id, code }: { readonly id: string; readonly code: string }) => ({ params: { id }, json: { code } }),
  find: {
    endpoint: getRequest,
    input: ({ id }) => id,
    read: (answer) => {
      if (answer.reply === 'absent') return 'unclear';
      return answer.body.status === CODE_NEEDED ? 'absent' : { found: { reply: 'accepted', body: answer.body } };
    },
  },
  replies: {
    accepted: { status: 200, body: phoneRequest },
    wrong: { status: 422, body: problem },
    refused: { status: [400, 404, 409], body: problem },
  },
  examples: [
    { is: 'accepted', status: 200, body: sampleRequest },
    { is: 'wrong', status: 422, body: { code: 'wrong_code' } },
    { is: 'refused', status: 409, body: { code: 'too_many_codes', message: 'The request failed.' } },
  ],
});

/** It sends a message and moves no money. */
const resendCode = api.endpoint('resend-code', 'POST /requests/{id}/code/resend', {
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: {
    sent: { status: 200, body: sent },
    refused: {
      status: [404, 409, 429],
      refuses: { says: '429 too_soon: a code was sent less than a minute ago' },
      body: problem,
    },
  },
  examples: [
    { is: 'sent', status: 200, body: { id: sampleRequest.id } },
    { is: 'refused', status: 429, body: { code: 'too_soon' } },
  ],
});

// Meaning of replies.

/** The outcome of a request that was looked up by our reference, or by its id where it is known. */
function answeredOutcome(
  reply: RequestReply,
  merchantReference: string,
  show?: Show,
  providerReference?: string,
): Outcome {
  const outcome = statuses.read({ ...factsOf(reply), show });
  return ofThisPayment(outcome, { merchantReference, providerReference }, reply.reference);
}

const factsOf = ({ id, status, ...amount }: RequestReply) => ({
  word: status,
  providerReference: id,
  amount: amountOf(amount),
});

/** The prompt on the phone, as the page shows it. */
function showOf({ message, expires_at: expiresAt }: PhoneRequest, number?: string): Show {
  return promptOn({ number, message, expiresAt });
}

const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), request: notifiedRequest }),
  events: ({ event_id, request }) => statuses.events(event_id, request.reference, factsOf(request)),
  acknowledge: { status: 204 },
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

/** The networks of Benin and Togo take the same. */
type NetworkPurchase = ContextOf<Settings, typeof mobileMoneyBeninA, 'purchase'>;
type CodePurchase = ContextOf<Settings, typeof mobileMoneyOtp, 'purchase'>;

/** Makes the flow of a network whose payers confirm on their phones. */
function purchaseAt(network: string) {
  return function* purchase(context: NetworkPurchase): Steps<Outcome> {
    const { mobile_number: number } = context.payment.parameters;
    const answer = yield* call(createRequest, requestOf(context, { network, confirmation: 'prompt' }));
    return answer.reply === 'refused'
      ? refusedBy(answer.body, TAKEN_BEFORE)
      : answeredOutcome(answer.body, context.payment.merchantReference, showOf(answer.body, number));
  };
}

/** The payer enters the code that the provider sends to the phone, and may have to confirm there. */
function* purchaseByCode(context: CodePurchase): Steps<Outcome> {
  const { mobile_number: number, receiver_number: receiver } = context.payment.parameters;
  const answer = yield* call(createRequest, requestOf(context, { network: 'any', confirmation: 'code', receiver }));
  if (answer.reply === 'refused') return refusedBy(answer.body, TAKEN_BEFORE);
  const confirmed = yield* askCode(answer.body, codeSteps(answer.body.id));
  if (confirmed.kind === 'over') return confirmed.outcome;
  const { merchantReference: reference } = context.payment;
  return answeredOutcome(confirmed.payment, reference, showOf(confirmed.payment, number), answer.body.id);
}

interface LookupKey {
  readonly network: string;
  readonly confirmation: 'prompt' | 'code';
  /** E.164. */
  readonly receiver?: string | undefined;
}

function requestOf({ payment, urls }: NetworkPurchase | CodePurchase, { network, confirmation, receiver }: LookupKey) {
  return {
    reference: payment.merchantReference,
    network,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    number: withoutPlus(payment.parameters.mobile_number),
    receiver: receiver === undefined ? undefined : withoutPlus(receiver),
    confirmation,
    notify_url: urls.notify,
  };
}

function codeSteps(id: string): CodeSteps<PhoneRequest> {
  return {
    waits: ({ status }) => status === CODE_NEEDED,
    *send(code) {
      const answer = yield* call(sendCode, { id, code });
      if (answer.reply === 'accepted') return { kind: 'accepted', payment: answer.body };
      return answer.reply === 'wrong'
        ? { kind: 'wrong' }
        : { kind: 'over', outcome: refusedBy(answer.body, TAKEN_BEFORE) };
    },
    *resend() {
      const answer = yield* call(resendCode, id);
      return answer.reply === 'sent' ? undefined : NOT_SENT;
    },
  };
}

/** The state of a request, looked up by the provider's id, or by our reference where its reply was lost. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference, merchantReference: reference } = payment;
  const answer =
    providerReference === undefined ? yield* call(findRequest, reference) : yield* call(getRequest, providerReference);
  if (answer.reply === 'absent') return notFound(answer.body);
  const show = providerReference === undefined ? showOf(answer.body) : undefined;
  return afterLookup(answeredOutcome(answer.body, reference, show, providerReference), TIMED_OUT);
}

/** The networks of Benin and Togo, and collections that a code confirms. */
export const promptConnector = defineConnector({
  id: 'mobile-money-prompt',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, prompt provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(mobileMoneyBeninA, { purchase: purchaseAt('bj-a'), status }),
    serve(mobileMoneyBeninB, { purchase: purchaseAt('bj-b'), status }),
    serve(mobileMoneyTogoA, { purchase: purchaseAt('tg-a'), status }),
    serve(mobileMoneyTogoB, { purchase: purchaseAt('tg-b'), status }),
    serve(mobileMoneyOtp, { purchase: purchaseByCode, status }),
  ],
});
