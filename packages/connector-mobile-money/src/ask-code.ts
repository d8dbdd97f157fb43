import { collect, field, type Outcome, type PayerText, type Steps, text, TEXTS } from '@railyard/core';
import * as z from 'zod';

/** For the payer. */
export const NOT_SENT = {
  en: 'No new code could be sent yet. Wait a moment and try again.',
  pt: 'Ainda não foi possível enviar um novo código. Espere um pouco e tente de novo.',
};
const WRONG_CODE = {
  en: 'This code is not right. Check the last message that you got.',
  pt: 'Este código não está certo. Confira a última mensagem que você recebeu.',
};

const fields = z.strictObject({
  code: field(text({ min: 3, max: 12, pattern: /^\d+$/, message: TEXTS.notValid }), {
    label: { en: 'Code from the text message', pt: 'Código da mensagem de texto' },
    input: 'code',
    autocomplete: 'one-time-code',
  }),
});

type CodeFields = typeof fields;

/** The provider's answer to a code. */
export type CodeAnswer<T> =
  | { readonly kind: 'accepted'; readonly payment: T }
  /** It was wrong, and another may be tried. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'over'; readonly outcome: Outcome };

export interface CodeSteps<T> {
  /** Whether the payment waits for a code. */
  readonly waits: (payment: T) => boolean;
  readonly send: (code: string) => Steps<CodeAnswer<T>>;
  /** Asks for another code; answers why there is none, in words for the payer. Absent where the provider sends none. */
  readonly resend?: () => Steps<PayerText | undefined>;
  /** The field of the code, where it is not one of a text message. */
  readonly fields?: (payment: T) => CodeFields;
}

/** Asks the payer for codes until the provider takes one, or ends the payment. */
export function* askCode<T>(
  payment: T,
  { waits, send, resend, fields: fieldsOf = () => fields }: CodeSteps<T>,
): Steps<Exclude<CodeAnswer<T>, { readonly kind: 'wrong' }>> {
  let current = payment;
  let error: PayerText | undefined;
  while (waits(current)) {
    const said = yield* asked(fieldsOf(current), error, resend);
    if ('error' in said) {
      error = said.error;
      continue;
    }
    const answer = yield* send(said.code);
    if (answer.kind === 'over') return answer;
    error = answer.kind === 'wrong' ? WRONG_CODE : undefined;
    if (answer.kind === 'accepted') current = answer.payment;
  }
  return { kind: 'accepted', payment: current };
}

/** The payer's code, or why there is no new one. */
function* asked(
  fields: CodeFields,
  error: PayerText | undefined,
  resend: CodeSteps<never>['resend'],
): Steps<{ readonly code: string } | { readonly error: PayerText | undefined }> {
  const question = { step: 'code', fields, mayTurnBack: true, ...(error !== undefined && { error }) };
  if (resend === undefined) return yield* collect(question);
  const said = yield* collect({ ...question, resend: true });
  return said.resend ? { error: yield* resend() } : said.values;
}
