import {
  amountOf,
  call,
  type ContextOf,
  credential,
  decimal,
  declined,
  defineConnector,
  field,
  type LookedUpPayment,
  notFound,
  type Outcome,
  providerApi,
  reply,
  secret,
  statusTable,
  type Steps,
  visit,
  withAmount,
} from '@railyard/core';
import type { OAuthClient } from '@railyard/core/driver';
import { atMost, compactId } from '@railyard/core/formats';
import { jwkSet, oauthCode, signedForOpenBanking } from '@railyard/core/proofs';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { reasons, words } from './iso-20022.ts';
import { openBanking } from './methods.ts';
import { inState, sampleAbsent, sampleConsent, sampleKeys, samplePayment, sampleRefusal } from './ob-uk.samples.ts';

const address = () => z.url({ protocol: /^https?$/ });
const pem = () => z.string().min(1);

/** Each bank has its own addresses. */
const settings = z.object({
  base_url: field(address(), {
    label: 'Address of the bank’s payment initiation API',
    help: 'To the end of its path: https://bank.example/open-banking/v4.0/pisp.',
  }),
  authorization_url: field(address(), { label: 'Address to which the payer is sent (authorization_endpoint)' }),
  oauth_url: field(address(), { label: 'Address of the bank’s token endpoint (token_endpoint)' }),
  jwks_uri: field(address(), { label: 'Address of the bank’s public keys (jwks_uri)' }),
  response: field(z.enum(['jwt', 'id_token']).default('jwt'), {
    label: 'Signed answer of the bank’s authorisation server',
    help: 'jwt: code with response_mode jwt. id_token: code id_token, behind the # of the address.',
  }),
  issuer: field(z.string().min(1), { label: 'Name of the bank’s authorisation server (issuer)' }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  token_endpoint_auth_method: field(z.enum(['private_key_jwt', 'tls_client_auth']).default('private_key_jwt'), {
    label: 'Proof at the token endpoint',
  }),
  signing_key: secret(pem(), 'Private signing key, in PEM'),
  kid: field(z.string().min(1), { label: 'Key id of the signing key' }),
  signature_issuer: field(z.string().min(1), {
    label: 'Issuer of signatures (http://openbanking.org.uk/iss)',
    help: 'Organisation id and software statement id with a slash between them, of a certificate of the directory.',
  }),
  trust_anchor: field(z.string().min(1).default('openbanking.org.uk'), {
    label: 'Trust anchor of signatures (http://openbanking.org.uk/tan)',
  }),
  redirect_uri: field(address(), {
    label: 'Registered address to which the payer comes back',
    help: 'It sends the browser on to the address in state, with all that came. The payment’s own address unless given.',
  }).optional(),
  certificate: field(pem(), { label: 'Certificate for mutual TLS, in PEM' }).optional(),
  certificate_key: secret(pem(), 'Private key of the certificate, in PEM').optional(),
  ca: field(pem(), { label: 'Authority of the bank’s certificate, in PEM' }).optional(),
});

type Settings = z.output<typeof settings>;

/** The words of a consent and of a payment: the enumerations of `Status`. */
const statuses = statusTable(
  {
    ...words,
    AWAU: 'pending',
    AUTH: 'pending',
    // The payment was made of it.
    COND: 'pending',
    BLCK: { declined: 'soft', code: 'declined_by_bank', reason: 'The bank blocked the payment.' },
  },
  reasons,
);

// Replies.

const instructed = withAmount(
  z
    .object({ Amount: z.string(), Currency: z.string() })
    .transform(({ Amount: amount, Currency: currency }) => ({ amount, currency })),
);
const shared = () => ({
  ConsentId: z.string().min(1),
  Status: z.string(),
  StatusReason: z.array(z.object({ StatusReasonCode: z.string().max(4).optional() })).optional(),
  // Neither accounts nor texts: what is not read is written down nowhere.
  Initiation: z.object({ EndToEndIdentification: z.string(), InstructedAmount: instructed }),
});
const consent = z.object({ Data: z.object(shared()) });
const payment = z.object({ Data: z.object({ ...shared(), DomesticPaymentId: z.string().min(1) }) });
const problem = z.object({ Errors: z.tuple([z.object({ ErrorCode: z.string().max(64) })], z.unknown()) });

type Reported = z.output<typeof consent>['Data'] & { readonly DomesticPaymentId?: string };

// Endpoints.

const tokens = {
  url: ({ oauth_url }: Settings) => oauth_url,
  client: ({ client_id: id, signing_key: key, kid: keyId, ...settings }: Settings): OAuthClient =>
    settings.token_endpoint_auth_method === 'tls_client_auth'
      ? { by: 'tls', id }
      : { by: 'private-key-jwt', id, key, keyId, algorithm: 'PS256', audience: settings.oauth_url },
};
const api = providerApi(settings, {
  source: 'https://github.com/OpenBankingUK/read-write-api-specs, payment initiation 4.0',
  keyHeader: 'x-idempotency-key',
  token: { ...tokens, name: 'authenticate', scope: 'payments' },
  // The description has no 404 of a consent or a payment: an id that the bank does not know is a bad request.
  absent: reply(400, problem, sampleAbsent),
  words: ({ Errors: [{ ErrorCode: code }] }) => ({ code }),
  reasons,
  visible: [
    'Data.ConsentId',
    'Data.DomesticPaymentId',
    'Data.Status',
    'Data.StatusReason.0.StatusReasonCode',
    'Data.Initiation.EndToEndIdentification',
    'Data.Initiation.InstructedAmount.Amount',
    'Data.Initiation.InstructedAmount.Currency',
    'Errors.0.ErrorCode',
  ],
});

/** Fetched before the way to the bank: what comes back is believed by nothing else. */
const getKeys = jwkSet(api.endpoint, {
  url: ({ jwks_uri }) => jwks_uri,
  sample: { body: sampleKeys, source: 'https://www.rfc-editor.org/rfc/rfc7515, A.3.1' },
});

const exchangeCode = oauthCode(api.endpoint, tokens);

const signature = ({ signing_key: key, kid: keyId, signature_issuer: issuer, trust_anchor }: Settings) =>
  signedForOpenBanking({ key, keyId, issuer, trustAnchor: trust_anchor });

type Purchase = ContextOf<Settings, typeof openBanking, 'purchase'>;

/** A roll number says which account of a building society it is. Of the other ways to name an account the standard's examples show none. */
function creditorOf({ payee_name: Name, payee_identifications: given }: Purchase['payment']['parameters']) {
  const of = new Map(given.map(({ type, identification }) => [type, identification]));
  const [sortCode, number, iban] = [of.get('SORT_CODE'), of.get('ACCOUNT_NUMBER'), of.get('IBAN')];
  const named = { Name, SecondaryIdentification: of.get('ROLL_NUMBER') };
  if (sortCode !== undefined && number !== undefined)
    return { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: sortCode + number, ...named };
  return iban === undefined ? undefined : { SchemeName: 'UK.OBIE.IBAN', Identification: iban, ...named };
}

function initiationOf({ payment: { merchantReference, amount, order, parameters } }: Purchase) {
  const CreditorAccount = creditorOf(parameters);
  if (CreditorAccount === undefined) return undefined;
  return {
    InstructionIdentification: compactId(merchantReference),
    EndToEndIdentification: compactId(merchantReference),
    InstructedAmount: { Amount: decimal(amount), Currency: order.currency },
    CreditorAccount,
    RemittanceInformation: { Unstructured: [atMost(order.description, 140, 'utf-16')] },
  };
}

type Initiation = NonNullable<ReturnType<typeof initiationOf>>;

/** The merchant is the payee and asks for the payment: Merchant Flow of the profile's risk scoring information. */
const Risk = { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' };
const refused = reply([400, 403], problem, sampleRefusal);

/**
 * A consent moves no money: only the payment that is made of it does, once the payer has agreed. The bank keeps one for each
 * `x-idempotency-key`, for 24 hours.
 */
const createConsent = api.endpoint('create-consent', 'POST /domestic-payment-consents', {
  repeat: 'safe',
  request: (Initiation: Initiation, { settings, key }) => ({
    headers: { 'x-idempotency-key': key },
    json: { Data: { Initiation }, Risk },
    sign: signature(settings),
  }),
  replies: { created: reply(201, consent, sampleConsent), refused },
});

type NewPayment = Readonly<Record<'token' | 'ConsentId', string>> & { readonly Initiation: Initiation };

/** The payer's token allows it, and the same initiation as in the consent. */
const createPayment = api.endpoint('create-payment', 'POST /domestic-payments', {
  repeat: 'keyed',
  keyed: { forHours: 24 },
  bearer: false,
  request: ({ token, ...Data }: NewPayment, { settings }) => ({
    headers: { authorization: `Bearer ${token}` },
    json: { Data, Risk },
    sign: signature(settings),
  }),
  replies: { created: reply(201, payment, samplePayment, inState(samplePayment, 'RJCT', 'AM04')), refused },
});

const consented = reply(200, consent, inState(sampleConsent, 'AUTH'));
const getConsent = api.lookup('get-consent', '/domestic-payment-consents/{ConsentId}', consented);
const paid = reply(200, payment, inState(samplePayment, 'ACSC'));
const getPayment = api.lookup('get-payment', '/domestic-payments/{DomesticPaymentId}', paid);

// Meaning of replies.

type OwnPayment = Pick<LookedUpPayment, 'merchantReference' | 'providerReference'>;

/** A payment is known by its consent, of which one payment can be made; its own id is kept beside it. */
function outcomeOf(said: Reported, { merchantReference, providerReference }: OwnPayment): Outcome {
  const { ConsentId, DomesticPaymentId, Status, StatusReason, Initiation } = said;
  const facts = {
    word: Status,
    providerReference: ConsentId,
    merchantReference: Initiation.EndToEndIdentification,
    amount: amountOf(Initiation.InstructedAmount),
    code: StatusReason?.[0]?.StatusReasonCode,
    connectorState: { DomesticPaymentId },
  };
  return statuses.read(facts, { merchantReference: compactId(merchantReference), providerReference });
}

/** Only the merchant's side makes a payment of a consent, so one that is not gone on with moves no money. */
function notAuthorised(error: string | undefined): Outcome {
  return declined('soft', error === 'access_denied' ? 'cancelled_by_payer' : 'not_completed', {
    ...(error !== undefined && { provider: { code: error } }),
  });
}

// The connector.

const broughtBack = z
  .object({ code: z.string().min(1).optional(), error: z.string().max(64).optional() })
  .refine(({ code, error }) => code !== undefined || error !== undefined);

/** FAPI 1.0 Advanced, 5.2.2, 2. */
const ANSWERED = {
  jwt: { by: 'response', fields: { response_type: 'code', response_mode: 'jwt' } },
  id_token: { by: 'id_token', fields: { response_type: 'code id_token' } },
} as const;

/** The way to the bank, by a request object of FAPI 1.0 Advanced. Until the payment is made no money moves. */
function* authorisation({ settings, urls }: Purchase, consent: string) {
  const { keys } = yield* credential(getKeys);
  const { by, fields } = ANSWERED[settings.response];
  return yield* visit({
    purpose: 'approve',
    url: settings.authorization_url,
    fields: {
      ...fields,
      client_id: settings.client_id,
      redirect_uri: settings.redirect_uri ?? urls.return,
      scope: 'openid payments',
      state: urls.return,
    },
    requestObject: {
      algorithm: 'PS256',
      key: settings.signing_key,
      keyId: settings.kid,
      claims: {
        iss: settings.client_id,
        aud: settings.issuer,
        claims: { id_token: { openbanking_intent_id: { value: consent, essential: true } } },
      },
    },
    signedAnswer: { by, keys, issuer: settings.issuer, audience: settings.client_id },
    reference: consent,
    until: broughtBack,
  });
}

function* purchase(context: Purchase): Steps<Outcome> {
  const { payment, settings, urls } = context;
  const Initiation = initiationOf(context);
  if (Initiation === undefined)
    return declined('hard', 'payee_not_valid', { reason: 'Name the payee by SORT_CODE and ACCOUNT_NUMBER, or IBAN.' });
  const agreed = yield* call(createConsent, Initiation);
  if (agreed.reply === 'refused') return api.refusal(agreed.body);
  const outcome = outcomeOf(agreed.body.Data, payment);
  if (outcome.status !== 'pending') return outcome;
  const { ConsentId } = agreed.body.Data;
  const { code, error } = yield* authorisation(context, ConsentId);
  if (code === undefined) return notAuthorised(error);
  const answer = yield* call(exchangeCode, { code, redirectUri: settings.redirect_uri ?? urls.return });
  if (answer.reply === 'refused') return notAuthorised(answer.body.error);
  const asked = { token: answer.body.access_token, ConsentId, Initiation };
  return yield* api.outcome(createPayment, asked, ({ body }) =>
    outcomeOf(body.Data, { ...payment, providerReference: ConsentId }),
  );
}

/** Without the consent's id there is nothing to ask for: the payer was not sent anywhere, and no payment was made. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference: consent, connectorState } = payment;
  if (consent === undefined) return notFound();
  const { DomesticPaymentId: id } = connectorState;
  return id === undefined
    ? yield* api.outcome(getConsent, consent, ({ body }) => outcomeOf(body.Data, payment))
    : yield* api.outcome(getPayment, id, ({ body }) => outcomeOf(body.Data, payment));
}

/** Any bank with Open Banking UK's payment initiation: checked against the official description, not yet against a live API. */
export const obUkConnector = defineConnector({
  id: 'ob-uk',
  contract: 1,
  version: manifest.version,
  title: 'Open Banking UK, payment initiation',
  settings,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [serve(openBanking, { purchase, status })],
  /**
   * Asks for the bank's keys and a token, and with it for a consent that was never made: addresses, client, key and certificate are right
   * where all are answered.
   */
  *check() {
    yield* credential(getKeys);
    yield* call(getConsent, 'railyard-doctor');
    return { works: true };
  },
});
