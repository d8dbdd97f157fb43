import {
  call,
  decimal,
  declined,
  type FlowContext,
  type LookedUpPayment,
  type OriginalPayment,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  type Steps,
  unknown,
  unlessTakenBefore,
  amountOf,
} from '@railyard/core';
import { parsePixKey } from '@railyard/identifiers/pix-key';
import type * as z from 'zod';
import { type Answered, created, lookedUp, renewed } from '../code.ts';
import { documentType } from '../documents.ts';
import type { pix } from '../methods.ts';
import {
  type Charge,
  type ChargeInput,
  createCharge,
  createPayout,
  findCharge,
  findPayout,
  getCharge,
  type Payout,
  renewCharge,
} from './endpoints.ts';
import type { settings } from './settings.ts';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

type Operations = (typeof pix)['operations'];
type Purchase = PaymentInput<Operations['purchase']>;
type Context = FlowContext<z.output<typeof settings>>;

export function* purchase({ payment, settings, urls }: Context & { readonly payment: Purchase }): Steps<Outcome> {
  if (settings.cnpj_numeric_only && /[A-Z]/.test(payment.parameters.debtor_document ?? ''))
    return declined('hard', 'not_supported', { reason: 'This provider takes no CNPJ with letters.' });
  const answer = yield* call(createCharge, chargeOf(payment, urls.notify));
  return answer.reply === 'refused' ? refusal(answer.body) : created(read(answer.body, payment.merchantReference));
}

/** A function of its own: within a generator an object of many parts is put together several times as slowly. */
function chargeOf(
  { merchantReference: reference, amount, order, parameters }: Purchase,
  callback_url: string,
): ChargeInput {
  const { debtor_document, type_document, ...given } = parameters;
  return {
    external_id: reference,
    amount: decimal(amount),
    description: order.description,
    callback_url,
    ...given,
    fine: fineOf(parameters),
    ...(debtor_document !== undefined && {
      type_document: type_document ?? documentType(debtor_document),
      debtor_document,
    }),
  };
}

export function* renew({ payment }: Context & { readonly payment: OriginalPayment }): Steps<Outcome> {
  const answer = yield* call(renewCharge, { qr_code_id: payment.providerReference });
  if (answer.reply === 'created') return renewed(read(answer.body, payment.merchantReference));
  // A charge that cannot be renewed may have been paid meanwhile: what became of it is looked up, not guessed.
  return yield* status({ payment });
}

export function* credit({
  payment,
}: Context & { readonly payment: PaymentInput<Operations['credit']> }): Steps<Outcome> {
  const { key, source_account_number, branch_identifier } = payment.parameters;
  const parsed = parsePixKey(key);
  if (!parsed.ok) return declined('hard', 'payee_not_valid', { reason: 'The Pix key of the receiver is not valid.' });
  const answer = yield* call(createPayout, {
    external_id: payment.merchantReference,
    amount: decimal(payment.amount),
    description: payment.order.description,
    key: parsed.key,
    key_type: parsed.type.toUpperCase(),
    source_account_number,
    branch_identifier,
  });
  return answer.reply === 'refused' ? refusal(answer.body) : payoutOutcome(answer.body, payment.merchantReference);
}

export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  if (payment.operation === 'credit') {
    const answer = yield* call(findPayout, payment.merchantReference);
    return answer.reply === 'absent' ? notThere(answer.body) : payoutOutcome(answer.body, payment.merchantReference);
  }
  const { providerReference } = payment;
  const answer =
    providerReference === undefined
      ? yield* call(findCharge, payment.merchantReference)
      : yield* call(getCharge, providerReference);
  return answer.reply === 'absent'
    ? notThere(answer.body)
    : lookedUp(read(answer.body, payment.merchantReference, providerReference), payment);
}

function read(charge: Charge, reference: string, id?: string): Answered {
  const amount = amountOf(charge);
  const said = statuses.read({ word: charge.status, providerReference: charge.qr_code_id, amount });
  const outcome = ofThisPayment(said, [
    { asked: reference, said: charge.external_id },
    { asked: id, said: charge.qr_code_id },
  ]);
  return { outcome, code: { content: charge.pix_copy_and_paste, amount, validUntil: charge.expires_at } };
}

function payoutOutcome(payout: Payout, reference: string): Outcome {
  const said = statuses.read({ word: payout.status, providerReference: payout.payout_id, amount: amountOf(payout) });
  return ofThisPayment(said, [{ asked: reference, said: payout.external_id }]);
}

interface Problem {
  readonly code: string;
  readonly message?: string | undefined;
}

function wordOf({ code, message }: Problem) {
  return { provider: { code, ...(message !== undefined && { message }) } };
}

const refusal = (problem: Problem): Outcome =>
  unlessTakenBefore(
    declined('hard', 'declined_by_provider', { reason: 'The provider refused the request.', ...wordOf(problem) }),
    TAKEN_BEFORE,
  );

/** Not found is no decline: the request may still be on its way. */
const notThere = (problem: Problem): Outcome => unknown('The provider does not know this payment.', wordOf(problem));

/** The fine is left out where type_fine is NONE; the provider wants 0 then (protocol: Pix-style payin). */
function fineOf({ fine }: { readonly fine?: string }): string {
  return fine ?? '0';
}
