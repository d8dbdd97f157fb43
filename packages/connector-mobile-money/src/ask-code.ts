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
  /** Asks for another code; answers why there is none, in words for the payer. */
  readonly resend: () => Steps<PayerText | undefined>;
}

/** Asks the payer for codes until the provider takes one, or ends the payment. */
export function* askCode<T>(
  payment: T,
  { waits, send, resend }: CodeSteps<T>,
): Steps<Exclude<CodeAnswer<T>, { readonly kind: 'wrong' }>> {
  let current = payment;
  let error: PayerText | undefined;
  while (waits(current)) {
    const said = yield* collect({
      step: 'code',
      fields,
      resend: true,
      mayTurnBack: true,
      ...(error !== undefined && { error }),
    });
    if (said.resend) {
      error = yield* resend();
      continue;
    }
    const answer = yield* send(said.values.code);
    if (answer.kind === 'over') return answer;
    error = answer.kind === 'wrong' ? WRONG_CODE : undefined;
    if (answer.kind === 'accepted') current = answer.payment;
  }
  return { kind: 'accepted', payment: current };
}
