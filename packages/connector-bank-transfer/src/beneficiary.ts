/** Models the style of a provider that orders transfers in the payer's name, and no provider: its whole API is invented (README). */
import {
  amountOf,
  call,
  collect,
  type ContextOf,
  defineConnector,
  field,
  getOrFind,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type PayerText,
  type References,
  type Steps,
  text,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import {
  api,
  chooseAccount,
  confirmCode,
  findTransfer,
  getTransfer,
  giveBeneficiary,
  type Next,
  openTransfer,
  reported,
  resendCode,
  settings,
  type Settings,
  SOURCE,
  statuses,
  type Transfer,
} from './beneficiary-endpoints.ts';
import { sampleNotification } from './beneficiary.samples.ts';
import { bankBeneficiary, beneficiary } from './methods/beneficiary.ts';

// Meaning of replies.

const factsOf = (body: Pick<Transfer, 'state' | 'transfer' | 'amount' | 'currency'>) => ({
  word: body.state,
  providerReference: body.transfer,
  amount: amountOf(body),
});

const outcomeOf = (body: Transfer, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(body)), asked, body.ours);

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-transfer-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event: z.string().min(1), ...reported() })),
  events: ({ event, ...body }) => statuses.events(event, body.ours, factsOf(body)),
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

/** The result of an answer: the transfer with its next step, the same step again, or the end. */
type Answered =
  | { readonly kind: 'taken'; readonly body: Transfer }
  | { readonly kind: 'again'; readonly error: PayerText | undefined }
  | { readonly kind: 'over'; readonly outcome: Outcome };

type AnswerReply =
  | { readonly reply: 'taken'; readonly body: Transfer }
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
  readonly transfer: string;
  readonly next: Next;
  readonly error: PayerText | undefined;
  readonly given: z.output<typeof beneficiary> | undefined;
}

function* take({ transfer, next, error, given }: Step): Steps<Answered> {
  // Nothing is ordered before the last step.
  const question = { step: next.kind, mayTurnBack: true, error };
  switch (next.kind) {
    case 'beneficiary': {
      const details = given ?? (yield* collect({ ...question, fields: beneficiary }));
      return yield* sent(call(giveBeneficiary, { transfer, ...details }), WRONG_BENEFICIARY);
    }
    case 'account': {
      const options = { account: next.accounts.map(({ id: value, name: label }) => ({ value, label })) };
      const { account } = yield* collect({ ...question, fields: choice, options });
      return yield* sent(call(chooseAccount, { transfer, account }), WRONG_ACCOUNT);
    }
    case 'code': {
      const { challenge } = next;
      const said = yield* collect({ ...question, fields: code, resend: true });
      if (!said.resend)
        return yield* sent(call(confirmCode, { transfer, challenge, code: said.values.code }), WRONG_CODE);
      const again = yield* call(resendCode, { transfer, challenge });
      return { kind: 'again', error: again.reply === 'sent' ? undefined : NOT_SENT };
    }
  }
}

function* purchase({ payment, urls }: ContextOf<Settings, typeof bankBeneficiary, 'purchase'>): Steps<Outcome> {
  const { merchantReference: ours, amount, order } = payment;
  const request = { ours, amount, description: order.description, report_to: urls.notify };
  const opened = yield* call(openTransfer, request);
  if (opened.reply === 'refused') return api.refusal(opened.body);
  let { body } = opened;
  let given = payment.parameters.beneficiary;
  let error: PayerText | undefined;
  for (;;) {
    const outcome = outcomeOf(body, { merchantReference: ours });
    if (outcome.status !== 'pending' || body.next === undefined) return outcome;
    const answered = yield* take({ transfer: body.transfer, next: body.next, error, given });
    if (answered.kind === 'over') return answered.outcome;
    // The request answers once: the payer is asked where the bank asks again.
    if (body.next.kind === 'beneficiary') given = undefined;
    error = answered.kind === 'again' ? answered.error : undefined;
    if (answered.kind === 'taken') ({ body } = answered);
  }
}

/** Transfers that the payer orders at their own bank in steps: beneficiary, account, and a code whenever the bank wants one. */
export const bankBeneficiaryConnector = defineConnector({
  id: 'bank-beneficiary',
  contract: 1,
  version: manifest.version,
  title: 'Transfers in steps',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(bankBeneficiary, {
      purchase,

      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getTransfer, find: findTransfer });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
      },
    }),
  ],
});
