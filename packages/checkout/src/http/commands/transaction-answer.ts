import { callbackWords } from '@railyard/core/payment';
import type { Answer } from '@railyard/core/protocol';
import type { NextAction } from '@railyard/runtime';
import { cardOfCallback, cardForCallback } from '../../callbacks/content/card-of-callback.ts';
import { type RedirectFacts, redirectFacts } from '../../callbacks/content/redirect.ts';
import {
  type TransactionBody,
  transactionBody,
  type TransactionTokens,
} from '../../callbacks/content/transaction-body.ts';
import { mandateTokens, hasMandate, kindOf } from '../../payments/state/mandate.ts';
import { scheduleEcho } from '../../payments/operations/schedule-echo.ts';
import { stateOf } from '../../payments/state/payment-state.ts';
import type { AnsweredPayment } from '../../payments/state/held-rows.ts';
import { storedNextAction, storedShow } from '../../payments/state/stored-views.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import type { CommandDeps } from './deps.ts';

/**
 * The answer to a command that began a transaction. Once that is stored, nothing may keep it from being answered: what cannot be read is
 * left out, and a callback reports it.
 */
export async function transactionAnswer(
  context: CommandDeps,
  action: string,
  session: OpenSession,
  executed: AnsweredPayment,
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
  { command }: OpenSession,
  { payment, waitsFor }: AnsweredPayment,
): Promise<RedirectFacts | undefined> {
  if (command === undefined || payment.state !== 'pending' || payment.unknown) return undefined;
  const nextAction = waitsFor ?? (await storedAction(deps, payment));
  return redirectFacts(command, nextAction === 'nothing' ? undefined : nextAction, storedShow(payment.show));
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
