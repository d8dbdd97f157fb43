import { createHash, timingSafeEqual } from 'node:crypto';
import type { MerchantScope } from '../../storage/index.ts';
import type { FirstRows } from '../state/held-rows.ts';
import { hasMandate, type MandateTokens, mandateTokens } from '../state/mandate.ts';
import { stateOf } from '../state/payment-state.ts';
import { sessionOf } from '../transitions/apply.ts';
import type { OperationDeps } from './deps.ts';

/** The first payment of the mandate, if both ids are its own and its provider agreed to further charges. */
export async function firstOf(
  context: OperationDeps,
  scope: MerchantScope,
  body: MandateTokens,
): Promise<FirstRows | undefined> {
  const first = await context.stores.payments.findByTransaction(scope, body.recurring_init_trans_id.toLowerCase());
  if (first === undefined || first.mandateId !== null) return undefined;
  const session = await sessionOf(context, first);
  if (!hasMandate(context, first, session.request, stateOf(first))) return undefined;
  const tokens = await mandateTokens(context, first);
  const isTheirs = tokens !== undefined && isSame(tokens.recurring_token, body.recurring_token.toLowerCase());
  return isTheirs ? { payment: first, session } : undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));
