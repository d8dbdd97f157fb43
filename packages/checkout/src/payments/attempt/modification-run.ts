import { type Money, money } from '@railyard/core';
import { type ModificationName, MODIFICATIONS } from '@railyard/core/payment';
import type { Run } from '@railyard/runtime';
import * as z from 'zod';
import { openJson, sealedAt } from '../../secrets/index.ts';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { fromJsonText, type Payment } from '../../storage/index.ts';
import { followUpRun } from './run-of.ts';

const inputSchema = z.object({
  kind: z.enum(['capture', 'void', 'release', 'refund']),
  amount: z.string(),
  remaining: z.string(),
  currency: z.string(),
  reference: z.string().nullable(),
  connectorState: z.record(z.string(), z.string()),
});

/** The input that the run of a modification stores at its beginning, so that it is the same on every drive. */
export function modificationInput(
  payment: Payment,
  kind: ModificationName,
  amount: Money,
  remaining: Money,
): z.input<typeof inputSchema> {
  return {
    kind,
    amount: amount.text,
    remaining: remaining.text,
    currency: amount.currency,
    reference: payment.providerReference,
    connectorState: { ...payment.connectorState },
  };
}

/** A void or a release takes back the whole amount that is there, which may be less than the payment's. */
export const asTakenBack = (payment: Payment, kind: ModificationName, amountText: string): Payment =>
  (kind === 'void' || kind === 'release') && !payment.amountOpen ? { ...payment, amountText } : payment;

/** The run of a capture, void, release or refund. */
export function modificationRun(
  context: AttemptDeps,
  payment: Payment,
  session: OpenSession,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
): Run {
  const { kind, amount, remaining, currency, reference, connectorState } = inputSchema.parse(
    openJson(context.sealer, fromJsonText(stored.inputText), sealedAt.runInput(stored.runId)),
  );
  const rule = MODIFICATIONS[kind];
  const more =
    rule.flow === 'void'
      ? { id: stored.runId, held: kind === 'release' }
      : { id: stored.runId, amount: money(amount, currency), remaining: money(remaining, currency) };
  return followUpRun(
    context,
    { ...asTakenBack(payment, kind, amount), connectorState },
    session,
    rule.flow,
    stored,
    reference,
    more,
  );
}
