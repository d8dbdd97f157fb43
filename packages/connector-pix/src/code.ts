import { fromDecimal, compareMoney, declined, type Money, type Outcome, qr } from '@railyard/core';
import { parseBrCode } from '@railyard/identifiers/br-code';

/** Why a provider's code must not be shown, or nothing. */
export function codeProblem(code: string, amount: Money): string | undefined {
  const parsed = parseBrCode(code);
  if (!parsed.ok) return `${parsed.reason}${parsed.field === '' ? '' : ` at ${parsed.field}`}`;
  // The amount of a dynamic code stands at the address that it names, whatever the code itself says (BR Code manual).
  if (parsed.code.kind === 'dynamic') return undefined;
  if (parsed.code.kind === 'recurrence') return 'it starts a recurrence and takes no payment';
  if (parsed.code.amount === undefined) return 'it leaves the amount to the payer';
  return compareMoney(fromDecimal(parsed.code.amount, 'BRL'), amount) === 0 ? undefined : 'it asks for another amount';
}

/**
 * The outcome with its code, if the code is one that the payer can use. Nobody has seen a code that is wrong, so nobody
 * can pay it: another attempt may be made.
 */
export function withCode(
  outcome: Outcome,
  code: { readonly content: string | undefined; readonly amount: Money; readonly validUntil: string | undefined },
): Outcome {
  if (outcome.status !== 'pending' || code.content === undefined) return outcome;
  const problem = codeProblem(code.content, code.amount);
  if (problem !== undefined)
    return declined('soft', 'The provider gave a code that cannot be paid.', {
      reference: outcome.reference,
      provider: { ...outcome.provider, message: `Pix code refused: ${problem}` },
    });
  const { content, validUntil } = code;
  return { ...outcome, show: qr({ content, ...(validUntil !== undefined && { validUntil }) }) };
}
