import { TEXTS, parseMoney, type Money } from '@railyard/core';
import type { ModificationName, ModificationRefusal } from '@railyard/core/payment';
import { amountText, issue, validationAnswer, type Answer } from '@railyard/core/protocol';
import * as z from 'zod';
import { MODIFICATION_WORDS, declineReason, ofTest, transactionDate } from '../../callbacks/body.ts';
import { isHeld, modifyPayment, releaseProblem, type ModificationResult } from '../../payments/modify.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import type { Resource } from '../../idempotency.ts';
import type { Asker } from '../../sessions/session.ts';
import { asAttempted } from '../../sessions/payer-input.ts';
import type { Payment } from '../../storage/index.ts';
import { positiveAmount } from '../basics/call.ts';
import { defineCommand, refusedBy, type Command, type CommandBody, type RefusalName } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { namedPayment, namingFields, signedByNamed, type SignedAs } from './transactions.ts';

const wholeSchema = z.object(namingFields);
const partSchema = z.object({ ...namingFields, amount: positiveAmount.optional() });

/** The rows of the protocol's not-found table; of S2S APM none are shown, and they are the same. */
const UNKNOWN = { CAPTURE: 'transaction', CREDITVOID: 'payment', VOID: 'payment' } as const;

type Action = keyof typeof UNKNOWN;

interface Fields extends z.output<typeof wholeSchema> {
  readonly amount?: string | undefined;
}

/**
 * CAPTURE, CREDITVOID and VOID, answered as the reference says: the first and the last when the provider has answered, a CREDITVOID at once
 * (reference: S2S CARD, CAPTURE, CREDITVOID, VOID; S2S APM, the same).
 */
const modification = (action: Action, as: SignedAs, schema: z.ZodType<Fields>): Command =>
  defineCommand<Fields>({
    action,
    schema,
    signedBy: (fields, context) =>
      signedByNamed(context, fields, as, action === 'CREDITVOID' ? 'credit_void' : 'transaction', UNKNOWN[action]),
    handle: (context, asker, fields, resource) => modify(context, asker, action, fields, resource),
  });

export const capture = (as: SignedAs): Command => modification('CAPTURE', as, partSchema);
export const creditVoid = (as: SignedAs): Command => modification('CREDITVOID', as, partSchema);
export const voidPayment = (as: SignedAs): Command => modification('VOID', as, wholeSchema);

async function modify(
  context: CommandDeps,
  { scope }: Asker,
  action: Action,
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody>> {
  const payment = await namedPayment(context, scope, fields);
  if (payment === undefined) return refusedBy(UNKNOWN[action]);
  const name = nameOf(action, payment);
  const money = amountOf(payment, fields.amount);
  if (!money.ok) return money.answer;
  // Read before: once the modification is begun, nothing may keep it from being answered.
  const { order } = asAttempted(await sessionOf(context, payment), payment).request;
  const part = money.amount;
  const problem = name === 'release' && part !== undefined ? releaseProblem(payment, part) : undefined;
  if (problem !== undefined) return refusedBy(problem === 'part' ? 'reversal-part' : 'reversal-amount');
  const ask = { modification: name, resource, ...(part && { amount: part }) };
  const result = await modifyPayment(context, payment.id, ask);
  if (result.kind === 'refused') return refused(name, result.why);
  return { status: 200, body: bodyOf(action, result, order.number, scope.test) };
}

/** A CREDITVOID of a hold lets go of it; of what was taken it is a refund. */
const nameOf = (action: Action, payment: Payment): ModificationName => {
  if (action === 'CAPTURE') return 'capture';
  if (action === 'VOID') return 'void';
  return isHeld(payment) ? 'release' : 'refund';
};

type ReadAmount =
  | { readonly ok: true; readonly amount: Money | undefined }
  | { readonly ok: false; readonly answer: Answer<CommandBody> };

/** Money goes back in the currency it came in, also where the payer chose that. */
function amountOf({ received, currency }: Payment, text: string | undefined): ReadAmount {
  if (text === undefined) return { ok: true, amount: undefined };
  const of = received?.currency ?? currency;
  const parsed = parseMoney(text, of);
  if (parsed.ok) return { ok: true, amount: parsed.money };
  return { ok: false, answer: validationAnswer([issue('amount', amountText(text, of, parsed.reason))]) };
}

function bodyOf(
  action: Action,
  { payment, modification }: Extract<ModificationResult, { kind: 'acted' }>,
  order_id: string,
  test: boolean,
): CommandBody {
  const own = { order_id, trans_id: payment.merchantReference };
  if (action === 'CREDITVOID') return { action, result: 'ACCEPTED', ...own, ...ofTest(test) };
  const result = MODIFICATION_WORDS[modification.state];
  const status = { CAPTURE: { SUCCESS: 'SETTLED', other: 'PENDING' }, VOID: { SUCCESS: 'VOID', other: 'SETTLED' } }[
    action
  ];
  return {
    action,
    result,
    status: result === 'SUCCESS' ? status.SUCCESS : status.other,
    ...own,
    trans_date: transactionDate(payment),
    ...declineReason(result, modification.reason),
    ...ofTest(test),
  };
}

/** Codes and texts of the reference's error list for what the state or the amount does not allow. */
function refused(name: ModificationName, why: ModificationRefusal | 'unsupported' | 'erased'): Answer<CommandBody> {
  const by = (row: RefusalName) => refusedBy(row);
  switch (why) {
    case 'not-allowed':
      return by(name === 'void' ? 'void' : name === 'capture' ? 'capture-state' : 'refund-state');
    case 'too-much':
      return by(name === 'void' ? 'void' : name === 'capture' ? 'capture-amount' : 'refund-amount');
    case 'under-way':
      return by('under-way');
    case 'unsupported':
      return by('unsupported');
    case 'erased':
      return by('erased');
    case 'zero':
      return validationAnswer([issue('amount', TEXTS.greaterThanZero)]);
    case 'currency':
    case 'no-partial':
      return validationAnswer([issue('amount', TEXTS.notCorrect)]);
  }
}
