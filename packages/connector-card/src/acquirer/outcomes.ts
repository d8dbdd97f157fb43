import {
  type ConnectorValues,
  declined,
  isOfAnother,
  type Outcome,
  unknown,
  unlessTakenBefore,
  withReason,
} from '@railyard/core';
import { factsOf } from './facts.ts';
import { type AcquirerAction, type AcquirerPayment, amountOf, type Problem } from './replies.ts';
import { REFUSALS, RESPONSES, SOFT_CODES, statuses, TAKEN_BEFORE } from './statuses.ts';

/** The names under which something was asked for. */
export interface LookupKey {
  /** Ours. */
  readonly reference?: string;
  /** The acquirer's. */
  readonly id?: string | undefined;
}

/** The outcome of a payment, with what later charges need. */
export function outcomeOfPayment(payment: AcquirerPayment, asked: LookupKey = {}): Outcome {
  const { agreement_id: agreement } = payment;
  return isOther(payment, asked) ? ANOTHER : read(payment, agreement === undefined ? undefined : { agreement });
}

/** The outcome of an action, under the action's own reference. */
export function outcomeOfAction(action: AcquirerAction, asked: LookupKey): Outcome {
  return isOther(action, asked) ? ANOTHER : read(action, undefined);
}

const ANOTHER = unknown('The acquirer’s reply refers to a different payment or action.');

/** Whether a reply refers to a different payment or action, which says nothing about this one. */
export function isOther({ id, reference }: AcquirerAction, asked: LookupKey): boolean {
  return isOfAnother([
    { asked: asked.id, said: id },
    { asked: asked.reference, said: reference },
  ]);
}

/** A request that the acquirer did not take: nothing was opened or done, unless it says that it has it already. Its own text is for the merchant, not for the payer. */
export function refusal(problem: Problem): Outcome {
  const refused = declined('hard', 'declined_by_provider', { reason: 'The payment was refused.', ...wordOf(problem) });
  return unlessTakenBefore(withReason(refused, REFUSALS, problem.code), TAKEN_BEFORE);
}

export function wordOf({ code, message }: Problem) {
  return { provider: { code, ...(message !== undefined && { message }) } };
}

/** A decline is as soft as its code, which tells the payer why. The merchant reads the code itself. */
function read(answered: AcquirerAction, agreement: ConnectorValues | undefined): Outcome {
  const { id, status, response_code, response_message } = answered;
  const outcome = statuses.read({
    word: status,
    providerReference: id,
    amount: amountOf(answered),
    code: response_code,
    message: response_message,
    agreement,
    facts: factsOf(answered),
  });
  if (outcome.status !== 'declined' || response_code === undefined) return outcome;
  const { kind, code } = outcome;
  return {
    ...outcome,
    kind: SOFT_CODES.has(response_code) ? 'soft' : kind,
    code: RESPONSES.get(response_code) ?? code,
  };
}
