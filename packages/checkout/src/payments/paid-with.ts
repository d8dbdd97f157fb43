import type { PaymentCard } from '@railyard/core';
import { CardHandle } from '@railyard/core';
import type { Host } from '@railyard/runtime';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import type { KeptCard, PaidWith, Payment } from '../storage/index.ts';
import type { PlainCard, SavedCard } from '../vault/index.ts';

/** The number and name behind a saved card, which are kept as long as its token is. */
export function openSaved({ vault }: ServiceContext, { kept }: SavedCard): PlainCard {
  const [number, holder] = [vault.openNumber(kept), vault.openHolder(kept)];
  if (number === undefined || holder === undefined) throw new Error('A saved card has no number any more.');
  const { brand, expiryMonth, expiryYear } = kept;
  return { number, holder, brand, expiryMonth, expiryYear };
}

/**
 * The card of a new attempt, sealed for a row of its own. With `req_token` it is saved as well, unless the merchant has a token of it
 * already (protocol: `req_token` is ignored beside `card_token`).
 */
export async function paidWith(
  context: ServiceContext,
  { stored, request }: OpenSession,
  card: PlainCard,
  saved: SavedCard | undefined,
): Promise<PaidWith> {
  const kept = context.vault.seal(context.newId(), card, saved !== undefined);
  if (saved !== undefined) return { kept, tokenHash: saved.tokenHash };
  if (!request.req_token || request.card_token !== undefined) return { kept };
  const known = await context.stores.cards.tokenOf(stored, kept);
  return known === undefined ? { kept, save: context.vault.newToken() } : { kept, tokenHash: known };
}

/** The card of a payment as its flow sees it, and what the runtime opens its handles with. */
export interface CardOfPayment {
  readonly card: PaymentCard;
  readonly openCard: NonNullable<Host['openCard']>;
}

/**
 * The card of a payment's operation. The number comes from the vault; the security code only from the memory of the process in which
 * it was entered, so that after a crash the flow is told that it is gone.
 */
export async function cardOfPayment(
  context: ServiceContext,
  payment: Payment,
  runId: string,
): Promise<CardOfPayment | undefined> {
  const kept = payment.cardId === null ? undefined : await context.stores.cards.find(payment.cardId);
  if (kept === undefined) return undefined;
  return { card: asFlowSees(context, kept), openCard: opener(context, kept, runId) };
}

function asFlowSees({ vault }: ServiceContext, kept: KeptCard): PaymentCard {
  return {
    number: new CardHandle('number'),
    cvv: new CardHandle('cvv'),
    expiryMonth: kept.expiryMonth,
    expiryYear: kept.expiryYear,
    holder: vault.openHolder(kept) ?? '',
  };
}

function opener({ vault, securityCodes }: ServiceContext, kept: KeptCard, runId: string) {
  return ({ part }: CardHandle): string | undefined =>
    part === 'number' ? vault.openNumber(kept) : securityCodes.of(runId);
}
