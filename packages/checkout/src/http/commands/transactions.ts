import type { Answer, CommandFormula, ErrorBody, SignedCommandFields } from '@railyard/core/protocol';
import {
  redirectFacts,
  signedValues,
  transactionBody,
  type RedirectFacts,
  type SignedValues,
  type TransactionBody,
  type TransactionTokens,
} from '../../callbacks/body.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import { sealedAt } from '../../secrets/index.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { commandHashBy, requiredText, type SignedByHash } from '../basics/call.ts';
import type { CommandDeps } from '../deps.ts';
import { callbackWords } from '@railyard/core/payment';
import type { NextAction } from '@railyard/runtime';
import { cardForCallback, cardOfCallback } from '../../callbacks/fields.ts';
import {
  hasMandate,
  kindOf,
  mandateTokens,
  stateOf,
  storedNextAction,
  storedShow,
  type Known,
} from '../../payments/payment.ts';
import { scheduleEcho } from '../../payments/charge.ts';
import type { OpenSession } from '../../sessions/session.ts';
import * as z from 'zod';
import { refusedBy, signedFields, type RefusalName } from './command.ts';

/** The id of no payment. */
const NOT_THERE = '00000000-0000-0000-0000-000000000000';

/** As long as a request that is kept. */
const LIKE_A_REQUEST = 'x'.repeat(1000);

/** Stands for the values of a payment that is not there: nothing is signed with it. */
const NO_VALUES: SignedValues = { payer_email: '', card: '' };

/** Finds the payment that a command names, as its sender's. */
export type FindPayment = (scope: MerchantScope) => Promise<Payment | undefined>;

interface OfPayment<F extends CommandFormula> {
  readonly client_key: string;
  readonly hash: string;
  readonly find: FindPayment;
  readonly formula: F;
  readonly covered: (values: SignedValues) => SignedCommandFields<F>;
  /** A further formula that signs, over the sent fields alone. */
  readonly also?: SignedByHash;
  /** The answer to a wrong hash and to a payment that is not there. */
  readonly notFound: Answer<ErrorBody>;
}

/**
 * A hash that covers the e-mail and the card of a stored payment. A wrong one and an unknown payment get one answer after the same work, so
 * that neither the answer nor its time shows a caller without the password which payments there are.
 */
export function signedByPayment<F extends CommandFormula>(
  context: CommandDeps,
  { client_key, hash, find, formula, covered, also, notFound }: OfPayment<F>,
): SignedByHash {
  const read = async () => {
    const found = context.directory.find(client_key);
    const scope = { merchantKey: found?.merchant.config.key ?? client_key, test: found?.test ?? false };
    const values = await valuesOf(context, await find(scope));
    return { isThere: values !== undefined, byPayment: commandHashBy(formula, covered(values ?? NO_VALUES), hash) };
  };
  let stored: ReturnType<typeof read> | undefined;
  const once = () => (stored ??= read());
  return {
    readsStored: true,
    async verify(keys) {
      const { isThere, byPayment } = await once();
      const [one, other] = [await byPayment.verify(keys), await also?.verify(keys)];
      if (other?.ok === true) return other;
      return isThere ? one : { ok: false };
    },
    async isIssued(issued) {
      const { byPayment } = await once();
      return (await byPayment.isIssued(issued)) || ((await also?.isIssued(issued)) ?? false);
    },
    refusal: notFound,
  };
}

/** The same reads for a payment that is not there. */
async function valuesOf(context: CommandDeps, payment: Payment | undefined): Promise<SignedValues | undefined> {
  const { cards, sessions } = context.stores;
  const kept = await cards.find(payment?.cardId ?? NOT_THERE);
  if (payment !== undefined) return signedValues(await sessionOf(context, payment), kept);
  await sessions.find(NOT_THERE);
  // Sealing takes as long as opening.
  context.sealer.seal(LIKE_A_REQUEST, sealedAt.request(NOT_THERE));
  return undefined;
}

/**
 * How a command that names a payment is signed. `apm`: by its own fields, at the address of S2S APM. `either`: at the others, where the payment
 * may be one of either protocol.
 */
export type SignedAs = 'apm' | 'either';

/** The fields of a command that names a payment. */
export const namingFields = {
  client_key: signedFields.client_key,
  trans_id: requiredText.describe('The transaction, as its answer and callbacks name it.'),
  hash: signedFields.hash,
};

export interface NamingFields {
  readonly client_key: string;
  readonly trans_id: string;
  readonly hash: string;
}

/** The payment that a command names. */
export async function namedPayment(
  { stores }: CommandDeps,
  scope: MerchantScope,
  { trans_id }: Pick<NamingFields, 'trans_id'>,
): Promise<Payment | undefined> {
  if (!z.uuid().safeParse(trans_id).success) return undefined;
  return stores.payments.findByTransaction(scope, trans_id.toLowerCase());
}

/**
 * The hash of a command that names a payment. At the addresses of S2S CARD both formulas are tried, and what neither fits gets the command's
 * not-found row: to distinguish them would show which payments there are (reference: Signatures of S2S CARD, F2; of S2S APM, B and C).
 */
export function signedByNamed(
  context: CommandDeps,
  fields: NamingFields,
  as: SignedAs,
  formula: 'transaction' | 'credit_void',
  unknown: RefusalName,
) {
  const { client_key, trans_id, hash } = fields;
  const byFields = commandHashBy(formula, { trans_id }, hash);
  if (as === 'apm') return byFields;
  return signedByPayment(context, {
    client_key,
    hash,
    find: (scope) => namedPayment(context, scope, fields),
    formula: 'card_transaction',
    covered: (values) => ({ ...values, trans_id }),
    also: byFields,
    notFound: refusedBy(unknown),
  });
}

/**
 * The answer to a command that began a transaction. Once that is stored, nothing may keep it from being answered: what cannot be read is
 * left out, and a callback reports it.
 */
export async function transactionAnswer(
  context: CommandDeps,
  action: string,
  session: OpenSession,
  executed: Known,
): Promise<Answer<TransactionBody>> {
  const { payment } = executed;
  const redirect = await redirectOf(context, session, executed).catch(() => undefined);
  const tokens = await tokensOf(context, session, payment).catch(() => ({}));
  const more = { tokens, ...(redirect && { redirect }) };
  return { status: 200, body: transactionBody(action, session.request, payment, { test: session.stored.test }, more) };
}

/** Where the payer of a transaction is sent, as long as it waits for that. */
export async function redirectOf(
  deps: CommandDeps,
  { command, fields }: OpenSession,
  { payment, waitsFor }: Known,
): Promise<RedirectFacts | undefined> {
  const hasNoPage = command !== undefined || fields !== undefined;
  if (!hasNoPage || payment.state !== 'pending' || payment.unknown) return undefined;
  const nextAction = waitsFor ?? (await storedAction(deps, payment));
  return redirectFacts(nextAction === 'nothing' ? undefined : nextAction, storedShow(payment.show));
}

/** The action that a run of the payment waits for. */
async function storedAction({ stores, sealer }: CommandDeps, { id }: Payment): Promise<NextAction | undefined> {
  const runs = await stores.runs.ofPayment(id);
  const waiting = runs.find(({ state }) => state === 'suspended');
  return waiting && storedNextAction(sealer, waiting);
}

/** The tokens that later payments are made with, as the callback of this one says it too. */
async function tokensOf(context: CommandDeps, session: OpenSession, payment: Payment): Promise<TransactionTokens> {
  const next = stateOf(payment);
  const card = await cardOfCallback(context, payment);
  const card_token = card && cardForCallback(card, session, callbackWords(kindOf(payment), next)).card_token;
  const mandate = hasMandate(context, payment, session.request, next)
    ? await mandateTokens(context, payment)
    : undefined;
  return {
    ...(mandate && { recurring_token: mandate.recurring_token }),
    ...(await scheduleEcho(context, payment, session, mandate)),
    ...(card_token !== undefined && { card_token }),
  };
}
