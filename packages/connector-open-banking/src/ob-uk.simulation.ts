import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readPath } from '@railyard/core';
import type { SimulatedEndpoint, SimulatedPayment, SimulatedVisit, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleKeys, sampleRefusal } from './ob-uk.samples.ts';

type Query = SimulatedVisit['query'];

/** The claim of a signed request object; nothing where a page's address has none. */
function claimIn({ request = '' }: Query, place: string): string | undefined {
  const [, claims] = request.split('.');
  if (claims === undefined) return undefined;
  const value = readPath(JSON.parse(Buffer.from(claims, 'base64url').toString()), place);
  return typeof value === 'string' ? value : undefined;
}

const consentIn = (query: Query) => claimIn(query, 'claims.id_token.openbanking_intent_id.value');

const [KEY] = sampleKeys.keys;
/** RFC 7515, A.3.1. */
const PRIVATE = createPrivateKey({ key: { ...KEY, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' }, format: 'jwk' });

function signedJwt(claims: object): string {
  const parts = [{ alg: 'ES256', kid: KEY?.kid, typ: 'JWT' }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(text), { key: PRIVATE, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** OpenID Connect Core 1.0, 3.3.2.11. */
const halfDigest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

const isHybrid = (query: Query) => claimIn(query, 'response_type') === 'code id_token';

/** JARM, 2.1; FAPI 1.0 Advanced, 5.1.1. */
function signedAnswer(values: Query, { query, now }: SimulatedVisit): Query {
  const iat = Math.floor(now / 1000);
  const own = { iss: claimIn(query, 'aud'), aud: claimIn(query, 'client_id'), iat, exp: iat + 600 };
  const state = claimIn(query, 'state') ?? '';
  const { code } = values;
  if (!isHybrid(query)) return { response: signedJwt({ ...own, ...values, state }) };
  if (code === undefined) return { ...values, state };
  const nonce = claimIn(query, 'nonce');
  const digests = { c_hash: halfDigest(code), s_hash: halfDigest(state) };
  return { code, state, id_token: signedJwt({ ...own, sub: consentIn(query), nonce, ...digests }) };
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
export const obUkSimulation = {
  page: {
    returnUrl: 'query.redirect_uri',
    payment: consentIn,
    values: ({ id, status }) => (status === 'RJCT' ? { error: 'access_denied' } : { code: `code-${id}` }),
    signed: signedAnswer,
    inFragment: isHybrid,
  },
  endpoints: {
    authenticate: token('client_credentials'),
    'exchange-code': token('authorization_code'),
    'get-keys': { effect: 'credential', request: {}, reply: {} },
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
} satisfies Simulation;
