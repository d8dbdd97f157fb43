import {
  compareMoney,
  declined,
  fromDecimal,
  type LookedUpPayment,
  type Money,
  type Outcome,
  qr,
  unknown,
} from '@railyard/core';
import { parseBrCode } from '@railyard/identifiers/br-code';

/** Why a provider's code must not be shown, or nothing. */
function codeProblem(code: string, amount: Money): string | undefined {
  const parsed = parseBrCode(code);
  if (!parsed.ok) return `${parsed.reason}${parsed.field === '' ? '' : ` at ${parsed.field}`}`;
  // The amount of a dynamic code stands at the address that it names, whatever the code itself says (BR Code manual).
  if (parsed.code.kind === 'dynamic') return undefined;
  if (parsed.code.kind === 'recurrence') return 'it starts a recurrence and takes no payment';
  if (parsed.code.amount === undefined) return 'it leaves the amount to the payer';
  return compareMoney(fromDecimal(parsed.code.amount, 'BRL'), amount) === 0 ? undefined : 'it asks for another amount';
}

/** The provider's reply about a charge: the outcome, and the code as the provider wrote it. */
export interface ChargeReply {
  readonly outcome: Outcome;
  readonly code: {
    readonly content: string | undefined;
    readonly amount: Money;
    readonly validUntil: string | undefined;
  };
}

/**
 * The outcome of the reply that made the charge. No payer has seen a code that is wrong here, so none can pay it: it is
 * declined, and another attempt may be made.
 */
export function created({ outcome, code }: ChargeReply): Outcome {
  if (outcome.status !== 'pending' || code.content === undefined) return outcome;
  const problem = codeProblem(code.content, code.amount);
  if (problem !== undefined)
    return declined('soft', 'provider_error', {
      reason: UNUSABLE,
      providerReference: outcome.providerReference,
      ...refusedCode(outcome, problem),
    });
  const { content, validUntil } = code;
  return { ...outcome, show: qr({ content, ...(validUntil !== undefined && { validUntil }) }) };
}

/**
 * The outcome of a renewal. Without a usable new code there is none: `unknown` leaves the payment alone, whose code the payer
 * has seen and may still pay.
 */
export function renewed(answered: ChargeReply): Outcome {
  const { outcome, code } = answered;
  if (outcome.status !== 'pending') return outcome;
  const problem = code.content === undefined ? 'there is none' : codeProblem(code.content, code.amount);
  return problem === undefined ? created(answered) : unknown(UNUSABLE, refusedCode(outcome, problem));
}

/**
 * The outcome of a lookup. The payer may have seen a good code and be paying it, so a wrong one here declines nothing, and
 * nothing replaces what is shown. Only a payment without the provider's reference, whose reply was lost, shows nothing yet.
 */
export function lookedUp(answered: ChargeReply, payment: LookedUpPayment): Outcome {
  const { outcome } = answered;
  if (outcome.status !== 'pending') return outcome;
  const shown = payment.providerReference === undefined ? created(answered) : undefined;
  if (shown?.status === 'pending') return shown;
  const { show: _, ...hidden } = outcome;
  return hidden;
}

const UNUSABLE = 'The provider gave a code that cannot be paid.';

const refusedCode = ({ provider }: Outcome, problem: string) => ({
  provider: { ...provider, message: `Pix code refused: ${problem}` },
});
