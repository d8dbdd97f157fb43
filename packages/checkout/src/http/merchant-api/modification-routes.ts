import { type Money, parseMoney, TEXTS } from '@railyard/core';
import {
  byName,
  MODIFICATION_ROUTES,
  MODIFICATIONS,
  type ModificationName,
  type ModificationPath,
  modificationWith,
  ORDER_STATUS_WORDS,
  statusWord,
} from '@railyard/core/payment';
import {
  amountText,
  type Answer,
  type ErrorBody,
  issue,
  refusedAnswer,
  type SessionRequest,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { callbackDate } from '../../callbacks/fields.ts';
import { modifyPayment } from '../../payments/modify.ts';
import type { ModificationResult } from '../../payments/modify.ts';
import { isHeld, releaseProblem, whoSupports } from '../../payments/modify.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import { publicId } from '../../payments/payment.ts';
import { stateOf } from '../../payments/payment.ts';
import { asAttempted } from '../../sessions/payer-input.ts';
import type { Payment } from '../../storage/index.ts';
import { type ApiCall, accepted, acceptedSchema, bodyBy, defineApiCall } from './api-call.ts';
import { date, orderSchema, reason, textField } from '../../callbacks/field-schemas.ts';
import { hashBy, signedFields } from '../basics/call.ts';
import { findPayment, paymentErased, paymentNotFound } from './api-call.ts';
import { positiveAmount, requiredText } from '../basics/call.ts';

type Refused = Answer<ValidationBody | ErrorBody>;

/** The answer to a void (reference: Refund, void, capture; as its sample). */
const voidSchema = z.object({
  status: z
    .enum(['SUCCESS', 'FAIL', 'WAITING', 'UNDEFINED'])
    .describe('What became of the void. `WAITING` and `UNDEFINED` are not final: a callback follows.'),
  payment_status: z.enum(ORDER_STATUS_WORDS).describe('How the payment stands.'),
  payment_id: textField('The payment.'),
  date: date.describe('When the void last changed, `YYYY-MM-DD hh:mm:ss` in UTC.'),
  reason,
  order: orderSchema.describe('The order of the payment.'),
});

type VoidBody = z.output<typeof voidSchema>;

const whole = z.object({
  merchant_key: signedFields.merchant_key,
  payment_id: requiredText.describe('The payment, as callbacks name it.'),
  hash: signedFields.hash,
});
const part = whole.extend({
  amount: positiveAmount.describe('The amount, in the currency that was paid: all of it or a part.'),
});

/** `POST /api/v1/payment/capture` and the others, by their paths. */
export const MODIFICATION_CALLS: Readonly<Record<ModificationPath, ApiCall>> = byName(
  MODIFICATION_ROUTES.map(({ path }) => path),
  (path) => callAt(path),
);

function callAt(path: ModificationPath): ApiCall {
  const name = modificationWith(path, ({ route }) => route?.path);
  const { route, amount } = MODIFICATIONS[name];
  if (route === undefined) throw new Error(`The modification ${name} has no call of its own.`);
  return amount === 'whole' ? wholeCall(name, route) : amountCall(name, route);
}

type Route = (typeof MODIFICATION_ROUTES)[number];

/** Answered at once; the callback says what became of it. */
function amountCall(modification: ModificationName, { path, formula }: Route) {
  return defineApiCall({
    path,
    request: bodyBy(part),
    answer: acceptedSchema,
    signature: ({ merchant_key, payment_id, amount, hash }) => ({
      merchantKey: merchant_key,
      call: path,
      byHash: hashBy(formula, { payment_id, amount }, hash),
    }),
    async handle(context, { scope, merchant }, { payment_id, amount: requested }, resource) {
      const payment = await findPayment(context, scope, payment_id);
      if (payment === undefined) return paymentNotFound();
      const money = readAmount(payment, requested);
      if (!money.ok) return money.answer;
      const releases = MODIFICATIONS[modification].effect === 'refunds' && isHeld(payment);
      const problem = releases ? releaseProblem(payment, money.amount) : undefined;
      if (problem !== undefined) return refusedAnswer(...NOT_RELEASED[problem]);
      // Ours, as CREDITVOID does it: nothing was taken that could be refunded, and a void is refused.
      const ask = releases ? ({ modification: 'release' } as const) : { modification, amount: money.amount };
      const result = await modifyPayment(context, payment.id, { ...ask, resource });
      if (result.kind === 'refused')
        return refusal(modification, result.why, () =>
          whoSupports(context, merchant, payment, { modification: ask.modification, word: ask.modification }),
        );
      return accepted(payment);
    },
  });
}

/** Answered when the provider has answered. */
function wholeCall(modification: ModificationName, { path, formula }: Route) {
  return defineApiCall({
    path,
    request: bodyBy(whole),
    answer: voidSchema,
    signature: ({ merchant_key, payment_id, hash }) => ({
      merchantKey: merchant_key,
      call: path,
      // The formula uses only the fields that it names.
      byHash: hashBy(formula, { payment_id, amount: '' }, hash),
    }),
    async handle(context, { scope, merchant }, { payment_id }, resource) {
      const payment = await findPayment(context, scope, payment_id);
      if (payment === undefined) return paymentNotFound();
      // Read before: once it is begun, nothing may keep it from being answered.
      const { order } = asAttempted(await sessionOf(context, payment), payment).request;
      const result = await modifyPayment(context, payment.id, { modification, resource });
      if (result.kind === 'refused')
        return refusal(modification, result.why, () =>
          whoSupports(context, merchant, payment, { modification, word: modification }),
        );
      return { status: 200, body: voidBody(result, order) };
    },
  });
}

type ReadAmount = { readonly ok: true; readonly amount: Money } | { readonly ok: false; readonly answer: Refused };

/** Money goes back in the currency it came in, also where the payer chose that. */
function readAmount({ received, currency }: Payment, text: string): ReadAmount {
  const of = received?.currency ?? currency;
  const parsed = parseMoney(text, of);
  if (parsed.ok) return { ok: true, amount: parsed.money };
  return { ok: false, answer: validationAnswer([issue('amount', amountText(text, of, parsed.reason))]) };
}

const STATUSES = {
  requested: 'WAITING',
  pending: 'WAITING',
  unknown: 'UNDEFINED',
  succeeded: 'SUCCESS',
  failed: 'FAIL',
} as const;

function voidBody(
  { payment, modification }: Extract<ModificationResult, { kind: 'acted' }>,
  order: SessionRequest['order'],
): VoidBody {
  return {
    status: STATUSES[modification.state],
    payment_status: statusWord(stateOf(payment)),
    payment_id: publicId(payment),
    date: callbackDate(modification.updatedAt.getTime()),
    ...(modification.state === 'failed' &&
      modification.reason !== null && { reason: modification.reason.slice(0, 1024) }),
    order: {
      number: order.number,
      amount: order.amount ?? payment.received?.text ?? '',
      currency: order.currency,
      description: order.description,
    },
  };
}

const NOT_RELEASED: Readonly<Record<'part' | 'too-much', readonly [text: string, code: number]>> = {
  part: ['Not acceptable to request the reversal for partial amount.', 208009],
  'too-much': ['Not acceptable to request the reversal for amount bigger than payment amount.', 208008],
};

function refusal(
  modification: ModificationName,
  why: Extract<ModificationResult, { kind: 'refused' }>['why'],
  others: () => string,
): Refused {
  switch (why) {
    case 'not-allowed':
      return refusedAnswer(...MODIFICATIONS[modification].refused.state);
    case 'under-way':
      return refusedAnswer('Previous payment not completed.');
    case 'unsupported':
      return refusedAnswer('Payment action not supported.', 204005, others());
    case 'erased':
      return paymentErased();
    case 'too-much':
      return refusedAnswer(...MODIFICATIONS[modification].refused.amount);
    case 'zero':
      return validationAnswer([issue('amount', TEXTS.greaterThanZero)]);
    case 'currency':
    case 'no-partial':
      return validationAnswer([issue('amount', TEXTS.notCorrect)]);
  }
}
