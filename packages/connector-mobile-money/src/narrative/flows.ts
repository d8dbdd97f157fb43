import {
  call,
  declined,
  type FlowContext,
  type LookedUpPayment,
  type Outcome,
  type PaymentInput,
  type SpecOf,
  type Steps,
  unknown,
  unlessTakenBefore,
  wholeUnits,
} from '@railyard/core';
import { withoutPlus } from '@railyard/identifiers/phone';
import { afterLookup, promptOn } from '../handset.ts';
import type { mobileMoneyUganda } from '../methods.ts';
import { createDeposit, findTransaction } from './endpoints.ts';
import { outcomeOf } from './replies.ts';
import type { Settings } from './settings.ts';
import { TAKEN_BEFORE, TIMED_OUT } from './statuses.ts';

type Purchase = FlowContext<Settings> & {
  readonly payment: PaymentInput<SpecOf<typeof mobileMoneyUganda, 'purchase'>>;
};

export function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { mobile_number: number, AccountProviderCode, ProviderReferenceText } = payment.parameters;
  const answer = yield* call(createDeposit, {
    Amount: wholeUnits(payment.amount),
    Account: withoutPlus(number),
    AccountProviderCode,
    Narrative: payment.order.description,
    ...attachedFile(payment.parameters),
    ProviderReferenceText,
    ExternalReference: payment.merchantReference,
    NotificationUrl: urls.notify,
  });
  if (answer.reply === 'created')
    return outcomeOf(answer.body.Response, payment.merchantReference, promptOn({ number }));
  const { StatusCode: code, StatusMessage: message } = answer.body.Response;
  const refused = declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}

interface File {
  readonly NarrativeFileName?: string | undefined;
  readonly NarrativeFileBase64?: string | undefined;
}

/** Name and content only together (protocol: Mobile money Uganda). */
function attachedFile({ NarrativeFileName, NarrativeFileBase64 }: File) {
  const both = NarrativeFileName !== undefined && NarrativeFileBase64 !== undefined;
  return {
    NarrativeFileName: both ? NarrativeFileName : undefined,
    NarrativeFileBase64: both ? NarrativeFileBase64 : undefined,
  };
}

export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { merchantReference: reference, providerReference } = payment;
  const answer = yield* call(findTransaction, reference);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  const show = providerReference === undefined ? promptOn({}) : undefined;
  return afterLookup(outcomeOf(answer.body.Response, reference, show), TIMED_OUT);
}
