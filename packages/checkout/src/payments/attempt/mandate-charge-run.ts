import { inOneLine } from '@railyard/core';
import type { RecurringPayment } from '@railyard/core/driver';
import type { Run } from '@railyard/runtime';
import * as z from 'zod';
import { openJson, sealedAt } from '../../secrets/index.ts';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { fromJsonText, type Payment } from '../../storage/index.ts';
import type { FirstRows, PaymentRows } from '../state/held-rows.ts';
import { sessionOf } from '../transitions/apply.ts';
import { original, accountOf, runOf } from './run-of.ts';

const valuesSchema = z.record(z.string(), z.string());

const inputSchema = z.object({
  reference: z.string().nullable(),
  agreement: valuesSchema,
  connectorState: valuesSchema,
});

/** The part of the first payment that the run of a charge stores, so that it is the same on every drive. */
export const mandateChargeInput = ({
  providerReference,
  agreement,
  connectorState,
}: Payment): z.input<typeof inputSchema> => ({
  reference: providerReference,
  agreement: { ...agreement },
  connectorState: { ...connectorState },
});

/** The run of a later charge of a mandate. */
export async function mandateChargeRun(
  context: AttemptDeps,
  { payment, session, first: held }: PaymentRows,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
): Promise<Run> {
  const { payment: first, session: firstSession } = held ?? (await firstRows(context, payment));
  const sealed = fromJsonText(stored.inputText);
  const { reference, agreement, connectorState } = inputSchema.parse(
    openJson(context.sealer, sealed, sealedAt.runInput(stored.runId)),
  );
  const extra = {
    payment: chargedAgain(payment, session),
    initial: { ...original({ ...first, connectorState }, firstSession, reference), agreement },
  };
  return runOf(context, accountOf(context, payment), stored, 'recurring', session, extra);
}

async function firstRows(context: AttemptDeps, { id, mandateId }: Payment): Promise<FirstRows> {
  const payment = mandateId === null ? undefined : await context.stores.payments.find(mandateId);
  if (payment === undefined) throw new Error(`The charge ${id} belongs to no mandate.`);
  return { payment, session: await sessionOf(context, payment) };
}

function chargedAgain(payment: Payment, { request, stored }: OpenSession): RecurringPayment {
  const { order, customer, billing_address, amount } = request;
  if (amount === 'payer') throw new Error(`The charge ${payment.id} has no amount.`);
  return {
    id: payment.id,
    merchantReference: payment.merchantReference,
    operation: payment.operation,
    amount,
    auth: request.auth,
    order: { number: order.number, currency: order.currency, description: inOneLine(order.description) },
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    test: stored.test,
  };
}
