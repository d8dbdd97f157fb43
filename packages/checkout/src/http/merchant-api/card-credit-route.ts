import { TEXTS } from '@railyard/core';
import {
  type Answer,
  duplicateAnswer,
  type ErrorBody,
  issue,
  type Issue,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { plainLatin } from '../../rules/browser/latin.js';
import { type CardPayout, payOut, preparePayout } from '../../payments/operations/payout.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { MerchantApiDeps } from './deps.ts';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import type { MerchantScope } from '../../storage/index.ts';
import { accepted, type AcceptedBody } from './accepted.ts';
import { hashBy } from '../basics/call.ts';
import { defineApiCall, fieldsOf } from './api-call.ts';
import { orderDescription, positiveAmount, requiredText } from '../basics/signed-request.ts';

/** Protocol: Card credit request fields; reference: Recurring, retry, card credit. What only the session's rules say is checked after the hash. */
const schema = z
  .object({
    merchant_key: requiredText,
    order_id: requiredText,
    order_amount: positiveAmount,
    order_currency: requiredText,
    order_description: orderDescription,
    card_number: requiredText.optional(),
    card_token: requiredText.length(64, TEXTS.exactLength(64)).optional(),
    payee_first_name: requiredText.optional(),
    payee_last_name: requiredText.optional(),
    payee_email: requiredText.optional(),
    payee_ip: z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip }).optional(),
    channel_id: requiredText.optional(),
    custom_data: z.unknown().optional(),
    hash: requiredText,
  })
  .check(({ value, issues }) => {
    const { card_number, card_token } = value;
    if ((card_number === undefined) !== (card_token === undefined)) return;
    const message = card_number === undefined ? TEXTS.blank : TEXTS.unexpected;
    issues.push({ code: 'custom', input: value, path: ['card_number'], message });
  });
type Body = z.output<typeof schema>;
type CreditBody = AcceptedBody | ValidationBody | ErrorBody;

/** `POST /api/v1/payment/card/credit`: a payout to a card; a callback of the type `credit` reports the result. */
export const cardCredit = defineApiCall<Body, CreditBody>({
  path: '/payment/card/credit',
  check: (_context, body) => fieldsOf(schema, body),
  signature: ({ merchant_key, order_id, order_amount, order_currency, order_description, hash }) => ({
    merchantKey: merchant_key,
    call: '/payment/card/credit',
    byHash: hashBy('card_credit', { order_id, order_amount, order_currency, order_description }, hash),
  }),
  handle: credit,
});

async function credit(
  context: MerchantApiDeps,
  asker: Asker,
  body: Body,
  resource: Resource,
): Promise<Answer<CreditBody>> {
  const started = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (started !== undefined) return accepted(started);
  const card = await cardOf(context, asker.scope, body);
  if (card === undefined) return validationAnswer([issue('card_token', TEXTS.notCorrect)]);
  const request = requestOf(context, body, card);
  if (!request.ok) return validationAnswer(request.issues.map(asSent));
  const prepared = preparePayout(context, asker.merchant, request.session, card);
  if (!prepared.ok) return validationAnswer(prepared.issues.map(asSent));
  const session = await chargeSession(context, asker, request.session, resource);
  if (session === undefined) return duplicateAnswer();
  await payOut(context, session, prepared, body.payee_ip);
  return accepted({ id: resource.resourceId, retryOf: null });
}

/** The card that is paid to: the number that was sent, or the merchant's saved card. */
async function cardOf(
  { vault, stores }: MerchantApiDeps,
  scope: MerchantScope,
  { card_number, card_token }: Body,
): Promise<CardPayout | undefined> {
  if (card_number !== undefined) return { number: card_number };
  if (card_token === undefined) return undefined;
  const tokenHash = vault.tokenHash(card_token);
  const [kept] = await stores.cards.ofTokens(scope, [tokenHash]);
  return kept && { saved: { key: '0', tokenHash, brand: kept.brand, kept } };
}

type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The request as a session's. The names that were sent go before the one on the saved card (protocol: Credit with a saved token). */
function requestOf(context: MerchantApiDeps, body: Body, card: CardPayout): ReadRequest {
  const { payee_first_name: first, payee_last_name: last, payee_email: email, custom_data, channel_id } = body;
  const sent = [first, last].filter((name) => name !== undefined).join(' ');
  const holder = card.saved && context.vault.openHolder(card.saved.kept);
  const input = {
    merchant_key: body.merchant_key,
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    success_url: context.config.publicUrl,
    hash: body.hash,
    order: {
      number: body.order_id,
      amount: body.order_amount,
      currency: body.order_currency,
      description: body.order_description,
    },
    payee: { name: sent === '' ? plainLatin(holder ?? '') : sent, ...(email !== undefined && { email }) },
    ...(body.card_token !== undefined && { card_token: [body.card_token] }),
    ...(channel_id !== undefined && { channel_id }),
    ...(custom_data !== undefined && { custom_data }),
  };
  return context.directory.registry.parse(input, { today: new Date(context.now()).toISOString().slice(0, 10) });
}

/** The session's field paths that have other names in this call. */
const NAMES: Readonly<Record<string, string>> = {
  'order.number': 'order_id',
  'order.amount': 'order_amount',
  'order.currency': 'order_currency',
  'order.description': 'order_description',
  'payee.name': 'payee_first_name',
  'payee.email': 'payee_email',
};

const asSent = ({ path, message, code }: Issue): Issue => ({ path: NAMES[path] ?? path, message, code });
