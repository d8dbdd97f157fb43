import type { Show } from '@railyard/core';
import { isRenewable } from '../../payments/runs/renewable.ts';
import type { PageDeps } from './deps.ts';
import type { Payment } from '../../storage/index.ts';
import { lastFailure, methodOf } from './after-attempt.ts';
import { continuing, timeIsUp } from './continuing.ts';
import type { PageAmount, PageField, PageState } from '../../page/model.ts';
import type { PageFacts } from './page-facts.ts';
import { storedShow, storedNextAction } from '../../payments/state/stored-views.ts';

/** A payment that may still bring money: it is never shown as failed. */
export function underWay(
  context: PageDeps,
  facts: PageFacts,
  payment: Payment,
  fieldsOf: (fields: readonly PageField[]) => PageField[],
): PageState {
  const { session } = facts;
  const leave = continuing(session.request.cancel_url, session, payment);
  const show = payment.unknown ? undefined : storedShow(payment.show);
  const over = timeIsUp(context, session);
  if (facts.leaving === true && !over)
    return { kind: 'leaving', ...leave, ...(show && openUntil(show, session.stored.expiresAt)) };
  // Money came that is not the amount: the payer is asked for nothing more.
  if (payment.state === 'partially_approved' || (payment.asideText !== null && payment.show === null))
    return { kind: 'checking', ...leave };
  const nextAction = facts.runs
    .map((run) => (run.state === 'suspended' ? storedNextAction(context.sealer, run) : undefined))
    .find((each) => each !== undefined);
  if (nextAction?.kind === 'visit') return { kind: 'visit', nextAction };
  if (nextAction !== undefined) return { kind: 'next-action', nextAction, fields: fieldsOf(nextAction.fields) };
  if (show === undefined) return { kind: 'checking', ...leave };
  const received = payment.received === null ? {} : { received: amountOf(payment.received) };
  const { validUntil } = show;
  if (over)
    return {
      kind: 'expired',
      ...continuing(session.request.expiry_url, session, payment),
      ...received,
      mayArrive: show.kind === 'address' ? 'deposit' : 'payment',
      ...(PAID_ELSEWHERE.has(show.kind) &&
        validUntil !== undefined &&
        Date.parse(validUntil) > context.now() && { payable: { ...show, validUntil } }),
    };
  const failed = lastFailure(facts);
  const outlives = openUntil(show, session.stored.expiresAt).outlives === true;
  return {
    kind: 'show',
    show,
    ...(outlives && { outlives }),
    renewable: isRenewable(context, payment),
    ...received,
    ...insteadOf(facts, payment),
    ...(failed && { failed }),
  };
}

/** Shown things that a payer takes to a counter or a bank and pays there without this page. */
const PAID_ELSEWHERE: ReadonlySet<Show['kind']> = new Set(['voucher', 'payment-details', 'qr']);

/** The payer paid by another method, for example in another tab, while this one waits: nothing was sent for it. */
function insteadOf({ session, unpaid }: PageFacts, { methodAlias }: Payment) {
  const used = session.routes.find(({ key }) => key === unpaid);
  const waits = session.routes.find(({ key }) => key === methodAlias);
  if (used === undefined || waits === undefined || used === waits) return {};
  return { instead: { used: methodOf(used), waits: methodOf(waits) } };
}

export const amountOf = ({ text, currency }: PageAmount): PageAmount => ({ text, currency });

/** Until when the payment can be made, and whether no other can be begun here afterwards. */
function openUntil({ validUntil }: Show, end: Date): { readonly validUntil?: string; readonly outlives?: true } {
  if (validUntil === undefined) return {};
  return { validUntil, ...(Date.parse(validUntil) >= end.getTime() && { outlives: true }) };
}
