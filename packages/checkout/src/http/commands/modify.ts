import { TEXTS, parseMoney, type Money } from '@railyard/core';
import {
  MODIFICATION_NAMES,
  MODIFICATIONS,
  type ModificationName,
  type ModificationRefusal,
} from '@railyard/core/payment';
import { amountText, issue, refusedAnswer, validationAnswer, type Answer } from '@railyard/core/protocol';
import * as z from 'zod';
import { MODIFICATION_WORDS, declineReason, ofTest, transactionDate, transactionSchema } from '../../callbacks/body.ts';
import { isHeld, modifyPayment, releaseProblem, type ModificationResult, whoSupports } from '../../payments/modify.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import type { Resource } from '../../idempotency.ts';
import type { Asker } from '../../sessions/session.ts';
import { asAttempted } from '../../sessions/payer-input.ts';
import type { Payment } from '../../storage/index.ts';
import { positiveAmount } from '../basics/call.ts';
import { acceptedSchema, defineCommand, refusedBy, type Command, type CommandBody } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { namedPayment, namingFields, signedByNamed, type SignedAs } from './transactions.ts';

const wholeSchema = z.object(namingFields);
const partSchema = z.object({
  ...namingFields,
  amount: positiveAmount.describe('A part of the amount. Default: all of it.').optional(),
});

interface Fields extends z.output<typeof wholeSchema> {
  readonly amount?: string | undefined;
}

type AnsweredBody = z.output<typeof transactionSchema> | z.output<typeof acceptedSchema>;

type Row = (typeof MODIFICATIONS)[ModificationName]['command'];

/**
 * A command for a modification: answered when the provider has answered, or at once (reference: S2S CARD, CAPTURE, CREDITVOID, VOID; S2S APM,
 * the same).
 */
function modification(names: readonly ModificationName[], row: Row, as: SignedAs): Command {
  const schema: z.ZodType<Fields> = names.some((name) => MODIFICATIONS[name].amount !== 'whole')
    ? partSchema
    : wholeSchema;
  return defineCommand<Fields, AnsweredBody>({
    action: row.action,
    schema,
    answer: row.done === undefined ? acceptedSchema : transactionSchema,
    signedBy: (fields, context) => signedByNamed(context, fields, as, row.formula, row.unknown),
    handle: (context, asker, fields, resource) => modify(context, asker, { names, row }, fields, resource),
  });
}

/** Them all, by their actions: CREDITVOID may come to a release or to a refund. */
export const MODIFICATION_COMMANDS = MODIFICATION_NAMES.map((first) => {
  const { command } = MODIFICATIONS[first];
  const names = MODIFICATION_NAMES.filter((name) => MODIFICATIONS[name].command.action === command.action);
  const commands = { card: modification(names, command, 'either'), apm: modification(names, command, 'apm') };
  return [command.action, commands] as const;
});

async function modify(
  context: CommandDeps,
  { scope, merchant }: Asker,
  { names, row }: { readonly names: readonly ModificationName[]; readonly row: Row },
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody<AnsweredBody>>> {
  const payment = await namedPayment(context, scope, fields);
  if (payment === undefined) return refusedBy(row.unknown);
  const name = nameOf(names, payment);
  const money = amountOf(payment, fields.amount);
  if (!money.ok) return money.answer;
  // Read before: once the modification is begun, nothing may keep it from being answered.
  const { order } = asAttempted(await sessionOf(context, payment), payment).request;
  const part = money.amount;
  const problem = name === 'release' && part !== undefined ? releaseProblem(payment, part) : undefined;
  if (problem !== undefined) return refusedBy(problem === 'part' ? 'reversal-part' : 'reversal-amount');
  const ask = { modification: name, resource, ...(part && { amount: part }) };
  const result = await modifyPayment(context, payment.id, ask);
  if (result.kind === 'refused')
    return refused(MODIFICATIONS[name].refused, result.why, () =>
      whoSupports(context, merchant, payment, { modification: name, word: row.action }),
    );
  return { status: 200, body: bodyOf(row, result, order.number, scope.test) };
}

/** Of several, as CREDITVOID has them: of a hold the one that lets go of it; of what was taken a refund. */
function nameOf(names: readonly ModificationName[], payment: Payment): ModificationName {
  const [only] = names;
  const fitting = names.find((name) => (MODIFICATIONS[name].effect === 'lets-go') === isHeld(payment));
  const name = names.length === 1 ? only : fitting;
  if (name === undefined)
    throw new Error(
      `None of ${names.join(', ')} is for a payment that is ${payment.state}. The command's row has to name one.`,
    );
  return name;
}

type ReadAmount =
  | { readonly ok: true; readonly amount: Money | undefined }
  | { readonly ok: false; readonly answer: Answer<CommandBody<never>> };

/** Money goes back in the currency it came in, also where the payer chose that. */
function amountOf({ received, currency }: Payment, text: string | undefined): ReadAmount {
  if (text === undefined) return { ok: true, amount: undefined };
  const of = received?.currency ?? currency;
  const parsed = parseMoney(text, of);
  if (parsed.ok) return { ok: true, amount: parsed.money };
  return { ok: false, answer: validationAnswer([issue('amount', amountText(text, of, parsed.reason))]) };
}

function bodyOf(
  { action, done, left }: Row,
  { payment, modification }: Extract<ModificationResult, { kind: 'acted' }>,
  order_id: string,
  test: boolean,
): AnsweredBody {
  const own = { order_id, trans_id: payment.merchantReference };
  if (done === undefined) return { action, result: 'ACCEPTED', ...own, ...ofTest(test) };
  const result = MODIFICATION_WORDS[modification.state];
  return {
    action,
    result,
    status: result === 'SUCCESS' ? done : left,
    ...own,
    trans_date: transactionDate(payment),
    ...declineReason(result, modification.reason),
    ...ofTest(test),
  };
}

function refused(
  texts: (typeof MODIFICATIONS)[ModificationName]['refused'],
  why: ModificationRefusal | 'unsupported' | 'erased',
  others: () => string,
): Answer<CommandBody<never>> {
  switch (why) {
    case 'not-allowed':
      return refusedAnswer(...texts.state);
    case 'too-much':
      return refusedAnswer(...texts.amount);
    case 'under-way':
      return refusedBy('under-way');
    case 'unsupported':
      return refusedBy('unsupported', others());
    case 'erased':
      return refusedBy('erased');
    case 'zero':
      return validationAnswer([issue('amount', TEXTS.greaterThanZero)]);
    case 'currency':
    case 'no-partial':
      return validationAnswer([issue('amount', TEXTS.notCorrect)]);
  }
}
