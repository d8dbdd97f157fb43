import { amountOf, field, oauthToken, providerApi, reply, secret, statusTable, withAmount } from '@railyard/core';
import type { OAuthClient } from '@railyard/core/driver';
import { oauthCode, signedForOpenBanking } from '@railyard/core/proofs';
import * as z from 'zod';
import { reasons, words } from './iso-20022.ts';
import { inState, sampleAbsent, sampleConsent, samplePayment, sampleRefusal } from './ob-uk.samples.ts';

const SOURCE = 'https://github.com/OpenBankingUK/read-write-api-specs, payment initiation 4.0';

const address = () => z.url({ protocol: /^https?$/ });
const pem = () => z.string().min(1);

/** Each bank has its own addresses. */
export const settings = z.object({
  base_url: field(address(), {
    label: 'Address of the bank’s payment initiation API',
    help: 'To the end of its path: https://bank.example/open-banking/v4.0/pisp.',
  }),
  authorization_url: field(address(), { label: 'Address to which the payer is sent (authorization_endpoint)' }),
  oauth_url: field(address(), { label: 'Address of the bank’s token endpoint (token_endpoint)' }),
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
    help: 'It sends the browser on to the address in state, with the query. The payment’s own address unless given.',
  }).optional(),
  certificate: field(pem(), { label: 'Certificate for mutual TLS, in PEM' }).optional(),
  certificate_key: secret(pem(), 'Private key of the certificate, in PEM').optional(),
  ca: field(pem(), { label: 'Authority of the bank’s certificate, in PEM' }).optional(),
});

export type Settings = z.output<typeof settings>;

/** The words of a consent and of a payment: the enumerations of `Status`. */
export const statuses = statusTable(
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
const shared = {
  ConsentId: z.string().min(1),
  Status: z.string(),
  StatusReason: z.array(z.object({ StatusReasonCode: z.string().max(4).optional() })).optional(),
  // Neither accounts nor texts: what is not read is written down nowhere.
  Initiation: z.object({ EndToEndIdentification: z.string(), InstructedAmount: instructed }),
};
const consent = z.object({ Data: z.object(shared) });
const payment = z.object({ Data: z.object({ ...shared, DomesticPaymentId: z.string().min(1) }) });
export const problem = z.object({ Errors: z.tuple([z.object({ ErrorCode: z.string().max(64) })], z.unknown()) });

export type Reported = z.output<typeof consent>['Data'] & { readonly DomesticPaymentId?: string };
export const amountIn = ({ Initiation }: Reported) => amountOf(Initiation.InstructedAmount);

// Endpoints.

const KEY = 'x-idempotency-key';

export const api = providerApi(settings, {
  source: SOURCE,
  keyHeader: KEY,
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

/** The token endpoint is called otherwise at each bank, so its last part is a place of the path. */
const lastSlash = ({ oauth_url }: Settings) => oauth_url.lastIndexOf('/');
const tokens = {
  path: '/{token_endpoint}',
  baseUrl: (settings: Settings) => settings.oauth_url.slice(0, lastSlash(settings)),
  params: (settings: Settings) => ({ token_endpoint: settings.oauth_url.slice(lastSlash(settings) + 1) }),
  client: ({ client_id: id, ...settings }: Settings): OAuthClient =>
    settings.token_endpoint_auth_method === 'tls_client_auth'
      ? { by: 'tls', id }
      : {
          by: 'private-key-jwt',
          id,
          key: settings.signing_key,
          keyId: settings.kid,
          algorithm: 'PS256',
          audience: settings.oauth_url,
        },
};
const granted = { access_token: 'example-token', token_type: 'Bearer', expires_in: 3600 };

export const authenticate = oauthToken(api.endpoint, {
  ...tokens,
  name: 'authenticate',
  examples: [{ status: 200, body: granted }],
});

export const exchangeCode = oauthCode(api.endpoint, {
  ...tokens,
  examples: [
    { is: 'granted', status: 200, body: { ...granted, access_token: 'payers-token' } },
    { is: 'refused', status: 400, body: { error: 'invalid_grant' } },
  ],
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const signature = ({ signing_key: key, kid: keyId, signature_issuer: issuer, trust_anchor }: Settings) =>
  signedForOpenBanking({ key, keyId, issuer, trustAnchor: trust_anchor });

/** A type and no interface, because it is written as JSON. */
export type Initiation = {
  readonly InstructionIdentification: string;
  readonly EndToEndIdentification: string;
  readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
  readonly CreditorAccount: {
    readonly SchemeName: string;
    readonly Identification: string;
    readonly Name: string;
    readonly SecondaryIdentification: string | undefined;
  };
  readonly RemittanceInformation: { readonly Unstructured: readonly string[] };
};

interface NewConsent {
  readonly token: string;
  readonly Initiation: Initiation;
}

/** The merchant is the payee and asks for the payment: Merchant Flow of the profile's risk scoring information. */
const Risk = { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' };
const refused = reply([400, 403], problem, sampleRefusal);

/**
 * A consent moves no money: only the payment that is made of it does, once the payer has agreed. The bank keeps one for each
 * `x-idempotency-key`, for 24 hours.
 */
export const createConsent = api.endpoint({
  name: 'create-consent',
  path: '/domestic-payment-consents',
  method: 'POST',
  repeat: 'safe',
  request: ({ token, Initiation }: NewConsent, { settings, key }) => ({
    headers: { ...bearer(token), [KEY]: key },
    json: { Data: { Initiation }, Risk },
    sign: signature(settings),
  }),
  replies: { created: reply(201, consent, sampleConsent), refused },
});

/** The payer's token allows it, and the same initiation as in the consent. */
export const createPayment = api.endpoint({
  name: 'create-payment',
  path: '/domestic-payments',
  repeat: 'keyed',
  request: ({ token, ...Data }: NewConsent & { readonly ConsentId: string }, { settings }) => ({
    headers: bearer(token),
    json: { Data, Risk },
    sign: signature(settings),
  }),
  replies: { created: reply(201, payment, samplePayment, inState(samplePayment, 'RJCT', 'AM04')), refused },
});

interface Asking {
  readonly token: string;
  readonly id: string;
}

/** The description has no 404 of either: an id that the bank does not know is a bad request. */
const absent = reply(400, problem, sampleAbsent);

export const getConsent = api.endpoint({
  name: 'get-consent',
  path: '/domestic-payment-consents/{ConsentId}',
  repeat: 'safe',
  request: ({ token, id }: Asking) => ({ params: { ConsentId: id }, headers: bearer(token) }),
  replies: { found: reply(200, consent, inState(sampleConsent, 'AUTH')), absent },
});

export const getPayment = api.endpoint({
  name: 'get-payment',
  path: '/domestic-payments/{DomesticPaymentId}',
  repeat: 'safe',
  request: ({ token, id }: Asking) => ({ params: { DomesticPaymentId: id }, headers: bearer(token) }),
  replies: { found: reply(200, payment, inState(samplePayment, 'ACSC')), absent },
});
