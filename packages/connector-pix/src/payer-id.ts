import {
  call,
  credential,
  currencyCode,
  defineConnector,
  field,
  fromMinorUnits,
  JsonNumberLiteral,
  type LookedUpPayment,
  minorUnits,
  notFound,
  notificationsFor,
  oauthToken,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  providerApi,
  redirect,
  refusedBy,
  secret,
  statusTable,
  type Steps,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { type ChargeReply, created, lookedUp } from './code.ts';
import { bareDocument } from './documents.ts';
import { pixDocument } from './methods/pix-document.ts';
import { pixPersonal } from './methods/pix-personal.ts';
import { sampleAbsent, sampleNotification, samplePayment, sampleToken } from './payer-id.samples.ts';

const SOURCE = 'packages/connector-pix/README.md, Provider that wants the payer’s document';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  client_secret: secret(z.string().min(1), 'Client secret'),
  notification_token: secret(z.string().min(16), 'Token that notifications carry'),
});

const statuses = statusTable({
  waiting: 'pending',
  approved: 'settled',
  expired: { declined: 'soft', code: 'expired' },
  refused: { declined: 'soft', code: 'declined_by_bank', reason: 'The payer’s bank refused the payment.' },
  blocked: { declined: 'hard', code: 'document_not_accepted' },
});

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);

// Replies.

/** Amounts are whole cents. */
const shared = () => ({
  id: z.string().min(1),
  status: z.string(),
  amount: z.int().nonnegative(),
  currency: currencyCode(),
});
const paymentBody = z.object({
  ...shared(),
  reference: z.string().optional(),
  pix_code: z.string().optional(),
  payment_url: z.url({ protocol: /^https?$/ }).optional(),
  expires_at: z.iso.datetime().optional(),
});
const problem = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  visible: ['id', 'reference', 'status', 'amount', 'currency', 'presentation', 'error.code'],
});

const authenticate = oauthToken(api.endpoint, {
  name: 'authenticate',
  path: '/oauth/token',
  client: ({ client_id: id, client_secret }) => ({ by: 'body', id, secret: client_secret }),
  examples: [{ status: 200, body: sampleToken }],
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface PaymentRequest {
  readonly token: string;
  readonly reference: string;
  readonly cents: string;
  readonly description: string;
  /** `code`: a Pix code comes back. `page`: the provider shows it on a page of its own. */
  readonly presentation: 'code' | 'page';
  readonly document: string | undefined;
  readonly name: string | undefined;
  readonly notifyUrl: string;
  readonly returnUrl: string;
}

/** The provider has no keys and takes a reference any number of times: a request without a reply is never sent again. */
const createPayment = api.endpoint('create-payment', 'POST /payments', {
  repeat: 'once',
  request: (input: PaymentRequest) => ({
    headers: bearer(input.token),
    json: {
      reference: input.reference,
      amount: new JsonNumberLiteral(input.cents),
      currency: 'BRL',
      description: input.description,
      presentation: input.presentation,
      payer: { document: input.document, name: input.name },
      notify_url: input.notifyUrl,
      return_url: input.returnUrl,
    },
  }),
  replies: {
    created: { status: [200, 201], body: paymentBody },
    refused: { status: [400, 402, 422], body: problem },
  },
  examples: [
    { is: 'created', status: 201, body: samplePayment },
    { is: 'refused', status: 402, body: { error: { code: 'document_blocked', message: 'Not accepted.' } } },
  ],
});

const lookup = {
  repeat: 'safe',
  replies: { found: { status: 200, body: paymentBody }, absent: { status: 404, body: problem } },
  examples: [
    { is: 'found', status: 200, body: { ...samplePayment, status: 'approved' } },
    { is: 'absent', status: 404, body: sampleAbsent },
  ],
} as const;
const getPayment = api.endpoint({
  ...lookup,
  name: 'get-payment',
  path: '/payments/{id}',
  request: (input: { readonly token: string; readonly id: string }) => ({
    params: { id: input.id },
    headers: bearer(input.token),
  }),
});
const findPayment = api.endpoint({
  ...lookup,
  name: 'find-payment',
  path: '/payments/reference/{reference}',
  request: (input: { readonly token: string; readonly reference: string }) => ({
    params: { reference: input.reference },
    headers: bearer(input.token),
  }),
});

// Meaning of replies.

function paymentOf(
  body: z.output<typeof paymentBody>,
  merchantReference: string,
  providerReference?: string,
): ChargeReply {
  const amount = fromMinorUnits(body.amount, body.currency);
  const { payment_url: url } = body;
  const show = url === undefined ? undefined : redirect({ url });
  const outcome = statuses.read({ word: body.status, providerReference: body.id, amount, show });
  return {
    outcome: ofThisPayment(outcome, { merchantReference, providerReference }, body.reference),
    code: { content: body.pix_code, amount, validUntil: body.expires_at },
  };
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'shared-secret',
    header: 'x-notification-token',
    value: (settings) => settings.notification_token,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), payment: z.object({ ...shared(), reference: z.string() }) }),
  events: ({ event_id, payment: { id: providerReference, reference, status: word, amount, currency } }) =>
    statuses.events(event_id, reference, { word, providerReference, amount: fromMinorUnits(amount, currency) }),
  acknowledge: { status: 200, body: 'ok' },
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

type Purchase = PaymentInput<
  (typeof pixDocument)['operations']['purchase'] | (typeof pixPersonal)['operations']['purchase']
>;

function* purchase(
  payment: Purchase,
  urls: { readonly notify: string; readonly return: string },
  presentation: PaymentRequest['presentation'],
  document: string | undefined,
): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(createPayment, {
    token,
    reference: payment.merchantReference,
    cents: minorUnits(payment.amount),
    description: payment.order.description,
    presentation,
    document: document === undefined ? undefined : bareDocument(document),
    name: payment.customer?.name,
    notifyUrl: urls.notify,
    returnUrl: urls.return,
  });
  if (answer.reply === 'refused') return refusedBy(answer.body.error, TAKEN_BEFORE);
  return created(paymentOf(answer.body, payment.merchantReference));
}

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const { providerReference: id, merchantReference: reference } = payment;
  const answer =
    id === undefined ? yield* call(findPayment, { token, reference }) : yield* call(getPayment, { token, id });
  if (answer.reply === 'absent') return notFound(answer.body.error);
  return lookedUp(paymentOf(answer.body, reference, id), payment);
}

/** The id is left out for payers of other countries, who have none. */
const idOf = ({ personal_id }: { readonly personal_id?: string }): string | undefined => personal_id;

/** Pix at a provider that wants the payer's document. */
export const payerIdConnector = defineConnector({
  id: 'pix-payer-id',
  contract: 1,
  version: manifest.version,
  title: 'Pix, provider that wants the payer’s document',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    // The code is shown on our page.
    serve(pixDocument, {
      purchase: ({ payment, urls }) => purchase(payment, urls, 'code', payment.parameters.document_number),
      status,
    }),
    // The provider shows the code on its own page.
    serve(pixPersonal, {
      purchase: ({ payment, urls }) => purchase(payment, urls, 'page', idOf(payment.parameters)),
      status,
    }),
  ],
});
