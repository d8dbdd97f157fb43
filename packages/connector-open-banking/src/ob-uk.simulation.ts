import { readPath } from '@railyard/core';
import type { SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleRefusal } from './ob-uk.samples.ts';

declare const atob: (base64: string) => string;

/** The consent that a signed request object names; nothing where a page's address has none. */
function consentIn({ request = '' }: Readonly<Record<string, string>>): string | undefined {
  const [, claims] = request.split('.');
  if (claims === undefined) return undefined;
  const said: unknown = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
  const id = readPath(said, 'claims.id_token.openbanking_intent_id.value');
  return typeof id === 'string' ? id : undefined;
}

/** A payment has an id of its own, which is not the consent's. */
const PAYMENT = 'DP-';

/** A payment that was made has consumed its consent. */
const consentWord = (status: string) => (status === 'ACSC' ? 'COND' : status);

const initiationOf = ({ request, amount: Amount, currency: Currency }: SimulatedPayment) => ({
  'Data.Initiation': readPath(request, 'Data.Initiation'),
  'Data.Initiation.InstructedAmount': { Amount, Currency },
});
const REFERENCE = 'body.Data.Initiation.EndToEndIdentification';
const places = {
  id: 'Data.ConsentId',
  merchantReference: 'Data.Initiation.EndToEndIdentification',
  status: 'Data.Status',
};
const absent = { status: 400, body: sampleAbsent };
const refused = { status: 400, body: sampleRefusal };
const consent = {
  reply: places,
  compute: (payment) => ({ ...initiationOf(payment), 'Data.Status': consentWord(payment.status) }),
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;
const payment = {
  reply: places,
  compute: (held) => ({
    ...initiationOf(held),
    'Data.DomesticPaymentId': `${PAYMENT}${held.merchantReference}`,
  }),
  absent,
  refused,
} satisfies Partial<SimulatedEndpoint>;
const token = (grant: string) =>
  ({ effect: 'credential', where: { 'body.grant_type': grant }, request: {}, reply: {} }) as const;

/** How a local provider plays a bank of Open Banking UK. */
export const obUkSimulation: Simulation & { readonly page: object } = {
  page: {
    returnUrl: 'query.redirect_uri',
    payment: consentIn,
    values: ({ id, status }) => (status === 'RJCT' ? { error: 'access_denied' } : { code: `code-${id}` }),
  },
  endpoints: {
    authenticate: token('client_credentials'),
    'exchange-code': token('authorization_code'),
    'create-consent': {
      effect: 'charge',
      prepares: true,
      request: {
        merchantReference: REFERENCE,
        key: 'headers.x-idempotency-key',
        amount: 'body.Data.Initiation.InstructedAmount.Amount',
        currency: 'body.Data.Initiation.InstructedAmount.Currency',
      },
      ...consent,
    },
    'get-consent': { effect: 'read', request: { id: 'params.ConsentId' }, ...consent },
    'create-payment': {
      effect: 'complete',
      namedByReply: true,
      request: { id: 'body.Data.ConsentId', merchantReference: REFERENCE, key: 'headers.x-idempotency-key' },
      ...payment,
    },
    'get-payment': {
      effect: 'read',
      request: { merchantReference: 'params.DomesticPaymentId', merchantReferenceIn: /^DP-(.+)$/ },
      ...payment,
    },
  },
  /** A consent always waits for the payer, and its payment for the merchant's side. */
  course: ({ endpoint }) =>
    endpoint === 'create-consent' ? { starts: 'challenged', leadsTo: 'settled', finishedBy: 'merchant' } : undefined,
  words: { settled: 'ACSC', pending: 'AWAU', declined: 'RJCT', challenged: 'AWAU', authenticated: 'AUTH' },
};
