import { generateKeyPairSync } from 'node:crypto';
import {
  call,
  credential,
  defineConnector,
  defineMethod,
  field,
  type Money,
  money,
  notificationsFor,
  oauthToken,
  ofThisPayment,
  type Outcome,
  providerApi,
  secret,
  statusTable,
  type Steps,
  timestampedHmac,
  unknown,
} from '@railyard/core';
import { compactId, providerDecimals } from '@railyard/core/formats';
import type { Simulation } from '@railyard/core/simulation';
import { z } from 'zod';
import type { ConformanceOptions, Golden } from '../../src/index.ts';

/**
 * A bank as banks are: tokens at another host by an assertion, signed requests, an id in a header, a lookup in two steps, ids without
 * hyphens, pesos in cents, and notifications to an address that is set in its console.
 */
const settings = z.object({
  base_url: field(z.url(), { label: 'Address of the API' }),
  login_url: field(z.url(), { label: 'Address for tokens' }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  signing_key: secret(z.string().min(1), 'Signing key'),
  webhook_secret: secret(z.string().min(1), 'Webhook secret'),
});
const source = 'this test';
const { endpoint, endpoints } = providerApi(settings, { source, visible: ['status'] });
const amounts = providerDecimals({ CLP: 2 });

const token = oauthToken(endpoint, {
  path: '/oauth2/token',
  baseUrl: ({ login_url }) => login_url,
  client: ({ client_id: id, signing_key: key, login_url: audience }) => ({
    by: 'private-key-jwt',
    id,
    key,
    audience,
    keyId: 'k1',
    algorithm: 'ES256',
  }),
  examples: [{ body: { access_token: 'token-of-the-bank', expires_in: 300 }, source }],
});

const transfer = z.object({
  id: z.string(),
  ref: z.string(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
});
const shown = { id: 't-1', ref: 'ours', status: 'OPEN', amount: '100000', currency: 'CLP' };
const bearer = (bank: string) => ({ authorization: `Bearer ${bank}` });
interface Named {
  readonly bank: string;
  readonly id: string;
}

const getLink = endpoint({
  name: 'get-link',
  path: '/references/{id}',
  repeat: 'safe',
  request: ({ bank, id }: Named) => ({ params: { id }, headers: bearer(bank) }),
  replies: {
    found: { status: 200, headers: z.object({ location: z.string() }), body: z.unknown() },
    absent: { status: 404, body: z.unknown() },
  },
  examples: [
    { is: 'found', body: {}, headers: { location: '/transfers/t-1' }, source },
    { is: 'absent', body: {}, source },
  ],
});
const getTransfer = endpoint({
  name: 'get-transfer',
  path: '/transfers/{id}',
  repeat: 'safe',
  request: ({ bank, id }: Named) => ({ params: { id }, headers: bearer(bank) }),
  reply: transfer,
  examples: [{ body: shown, source }],
});

/** The transfer that our reference names, by the link that the bank gives for it. */
function* found(named: Named) {
  const link = yield* call(getLink, named);
  if (link.reply === 'absent') return undefined;
  return yield* call(getTransfer, { bank: named.bank, id: link.headers.location.split('/').at(-1) ?? '' });
}

const createTransfer = endpoint({
  name: 'create-transfer',
  path: '/transfers',
  repeat: 'by-reference',
  request: ({ bank, id, amount }: Named & { readonly amount: Money }, { settings: { signing_key: key } }) => ({
    headers: bearer(bank),
    json: { ref: id, amount: amounts.minorUnits(amount), currency: amount.currency },
    sign: {
      scheme: 'jws',
      algorithm: 'ES256',
      key,
      header: ({ now }) => ({ iat: now }),
      into: { header: 'x-jws-signature' },
    },
  }),
  find: {
    endpoints: [getLink, getTransfer],
    *steps(named) {
      const made = yield* found(named);
      return made === undefined ? 'absent' : { found: made };
    },
  },
  reply: transfer,
  examples: [
    { body: shown, source },
    { body: { ...shown, status: 'NO' }, source },
  ],
});

const statuses = statusTable({
  DONE: 'settled',
  OPEN: 'pending',
  NO: { declined: 'hard', code: 'declined_by_provider' },
});

/** @param asked the references under which the bank was asked */
function outcomeOf(
  { id, ref, status, amount, currency }: z.output<typeof transfer>,
  asked: { readonly merchantReference?: string; readonly providerReference?: string | undefined },
): Outcome {
  const outcome = statuses.read({
    word: status,
    providerReference: id,
    amount: amounts.fromMinorUnits(amount, currency),
  });
  return ofThisPayment(outcome, asked, ref);
}

const method = defineMethod({
  key: 'signed-transfer',
  title: 'Signed transfer',
  operations: {
    purchase: {
      parameters: z.strictObject({ holder: field(z.string().max(40), { label: 'Holder' }).optional() }),
      completion: [],
    },
  },
  currencies: ['CLP', 'USD'],
});

export const signedBank = defineConnector({
  id: 'signed-bank',
  contract: 1,
  version: '1.0.0',
  title: 'Signed bank',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints,
  statuses,
  notifications: notificationsFor(settings)({
    address: 'at-provider',
    verify: timestampedHmac((each: z.output<typeof settings>) => each.webhook_secret),
    vectors: { none: 'The bank of these tests is made up, and no library signs for it.' },
    codec: 'json',
    body: z.object({ event: z.string(), transfer }),
    events: ({ event, transfer: reported }) => [
      { kind: 'payment', id: event, providerReference: reported.id, outcome: outcomeOf(reported, {}) },
    ],
    examples: [{ body: { event: 'e-1', transfer: shown }, source }],
  }),
  serves: (serve) => [
    serve(method, {
      *purchase({ payment }) {
        const { access_token: bank } = yield* credential(token, 'payments');
        const id = compactId(payment.merchantReference);
        const made = yield* call(createTransfer, { bank, id, amount: payment.amount });
        return outcomeOf(made, { merchantReference: id });
      },
      *status({ payment }): Steps<Outcome> {
        const { access_token: bank } = yield* credential(token, 'payments');
        const id = compactId(payment.merchantReference);
        const known = yield* found({ bank, id });
        return known === undefined
          ? unknown('The bank does not know it.')
          : outcomeOf(known, { ...payment, merchantReference: id });
      },
    }),
  ],
});

const reply = { id: 'id', merchantReference: 'ref', status: 'status', amount: 'amount', currency: 'currency' };
const simulation: Simulation = {
  endpoints: {
    token: { effect: 'credential', request: {}, reply: {} },
    'create-transfer': {
      effect: 'charge',
      request: { merchantReference: 'body.ref', amount: 'body.amount', currency: 'body.currency' },
      reply,
    },
    'get-transfer': { effect: 'read', request: { id: 'params.id' }, reply },
    'get-link': {
      effect: 'read',
      request: { merchantReference: 'params.id' },
      reply: {},
      compute: ({ id }) => ({ 'headers.location': `/transfers/${id}` }),
    },
  },
  words: { settled: 'DONE', pending: 'OPEN', declined: 'NO' },
  amounts: 'minor-units',
  decimals: { CLP: 2 },
  id: (uuid) => `tr_${compactId(uuid)}`,
  notification: {
    body: ({ id, merchantReference: ref, status, amount, currency }, event) => ({
      event: event.id,
      transfer: { id, ref, status, amount: amounts.minorUnits(money(amount, currency)), currency },
    }),
  },
};

const paid = { ...shown, ref: '3d7f1c0692ab4c5eb1d85a0e6f94c273', amount: '2500', currency: 'USD' };
const authorization = 'Bearer token-of-the-bank';

/** Exchanges without the signatures, which are others each time. */
const goldens: readonly Golden[] = [
  {
    endpoint: 'token',
    source,
    when: 'a token for payments is asked for',
    request: {
      method: 'POST',
      path: '/oauth2/token',
      body: {
        grant_type: 'client_credentials',
        scope: 'payments',
        client_id: '{settings.client_id}',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      },
    },
    reply: { status: 200, body: { access_token: 'token-of-the-bank', expires_in: 300 } },
  },
  {
    endpoint: 'create-transfer',
    source,
    when: 'a payer transfers 25 dollars',
    request: {
      method: 'POST',
      path: '/transfers',
      headers: { authorization },
      body: { ref: paid.ref, amount: paid.amount, currency: 'USD' },
    },
    reply: { status: 201, body: paid },
    outcome: { status: 'pending', providerReference: 't-1' },
  },
  {
    endpoint: 'get-link',
    source,
    when: 'a transfer is looked up by our reference',
    request: { method: 'GET', path: `/references/${paid.ref}`, headers: { authorization } },
    reply: { status: 200, headers: { location: '/transfers/{provider_reference}' }, body: {} },
    outcome: { status: 'settled' },
  },
  {
    endpoint: 'get-transfer',
    source,
    when: 'the link of a transfer was answered',
    request: { method: 'GET', path: '/transfers/{provider_reference}', headers: { authorization } },
    reply: { status: 200, body: { ...paid, id: '{provider_reference}', status: 'DONE' } },
    outcome: { status: 'settled', amount: '25.00 USD' },
  },
];

export const signedBankOptions: ConformanceOptions = {
  simulation,
  goldens,
  settings: {
    base_url: 'https://api.bank.example/v1',
    login_url: 'https://login.bank.example',
    client_id: 'client-of-the-shop',
    signing_key: String(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
    ),
    webhook_secret: 'webhook-secret',
  },
};
