/** A transfer that the payer orders at their own bank in steps: beneficiary, account, and a code whenever the bank wants one (2-methods.md, Bank-beneficiary). */
import { call, collect, field, type Outcome, type PayerText, type Steps, text } from '@railyard/core';
import * as z from 'zod';
import {
  api,
  chooseAccount,
  confirmCode,
  giveBeneficiary,
  openInSteps,
  outcomeOf,
  type PurchaseInSteps,
  resendCode,
  type TransferInSteps,
} from './gateway-endpoints.ts';
import { beneficiary } from './methods/beneficiary.ts';

/** The result of an answer: the transfer with its next step, the same step again, or the end. */
type Answered =
  | { readonly kind: 'taken'; readonly body: TransferInSteps }
  | { readonly kind: 'again'; readonly error: PayerText | undefined }
  | { readonly kind: 'over'; readonly outcome: Outcome };

type AnswerReply =
  | { readonly reply: 'taken'; readonly body: TransferInSteps }
  | {
      readonly reply: 'wrong' | 'refused';
      readonly body: { readonly code: string; readonly message?: string | undefined };
    };

/** @param error for the payer, where another answer may be tried */
function* sent(answer: Steps<AnswerReply>, error: PayerText): Steps<Answered> {
  const said = yield* answer;
  if (said.reply === 'taken') return { kind: 'taken', body: said.body };
  return said.reply === 'wrong' ? { kind: 'again', error } : { kind: 'over', outcome: api.refusal(said.body) };
}

const WRONG_BENEFICIARY = {
  en: 'The bank does not know this beneficiary. Check the name and the account.',
  pt: 'O banco não conhece este beneficiário. Confira o nome e a conta.',
};
const WRONG_ACCOUNT = {
  en: 'You cannot pay from this account. Choose another one.',
  pt: 'Não é possível pagar com esta conta. Escolha outra.',
};
const WRONG_CODE = { en: 'This code is not right, or too old.', pt: 'Este código não está certo, ou é velho demais.' };
const NOT_SENT = {
  en: 'No new code could be sent yet. Wait a moment and try again.',
  pt: 'Ainda não foi possível enviar um novo código. Espere um pouco e tente de novo.',
};

const choice = z.strictObject({
  account: field(z.string(), { label: { en: 'Your account', pt: 'Sua conta' }, input: 'select' }),
});
const code = z.strictObject({
  code: field(text({ min: 3, max: 12, pattern: /^\d+$/ }), {
    label: { en: 'Code from your bank', pt: 'Código do seu banco' },
    input: 'code',
    autocomplete: 'one-time-code',
  }),
});

/** A step as the payer takes it; one that the request has answered already is not asked. */
interface Step {
  readonly transfer_id: string;
  readonly next: NonNullable<TransferInSteps['next']>;
  readonly error: PayerText | undefined;
  readonly given: z.output<typeof beneficiary> | undefined;
}

function* take({ transfer_id, next, error, given }: Step): Steps<Answered> {
  // Nothing is ordered before the last step.
  const question = { step: next.kind, mayTurnBack: true, error };
  switch (next.kind) {
    case 'beneficiary': {
      const details = given ?? (yield* collect({ ...question, fields: beneficiary }));
      return yield* sent(call(giveBeneficiary, { transfer_id, ...details }), WRONG_BENEFICIARY);
    }
    case 'account': {
      const options = { account: next.accounts.map(({ id: value, name: label }) => ({ value, label })) };
      const { account } = yield* collect({ ...question, fields: choice, options });
      return yield* sent(call(chooseAccount, { transfer_id, account }), WRONG_ACCOUNT);
    }
    case 'code': {
      const { challenge } = next;
      const said = yield* collect({ ...question, fields: code, resend: true });
      if (!said.resend)
        return yield* sent(call(confirmCode, { transfer_id, challenge, otp: said.values.code }), WRONG_CODE);
      const again = yield* call(resendCode, { transfer_id, challenge });
      return { kind: 'again', error: again.reply === 'sent' ? undefined : NOT_SENT };
    }
  }
}

/** Each answer of the payer leads on to the next step, until the bank wants nothing more. */
export function* purchaseInSteps({ payment, urls }: PurchaseInSteps): Steps<Outcome> {
  const { merchantReference } = payment;
  const opened = yield* call(openInSteps, { way: 'bank-beneficiary', payment, urls });
  if (opened.reply === 'refused') return api.refusal(opened.body);
  let { body } = opened;
  let given = payment.parameters.beneficiary;
  let error: PayerText | undefined;
  for (;;) {
    const outcome = outcomeOf(body, { merchantReference });
    if (outcome.status !== 'pending' || body.next === undefined) return outcome;
    const answered = yield* take({ transfer_id: body.transfer_id, next: body.next, error, given });
    if (answered.kind === 'over') return answered.outcome;
    // The request answers once: the payer is asked where the bank asks again.
    if (body.next.kind === 'beneficiary') given = undefined;
    error = answered.kind === 'again' ? answered.error : undefined;
    if (answered.kind === 'taken') ({ body } = answered);
  }
}
