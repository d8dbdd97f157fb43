import { type ModificationName, MODIFICATIONS, isOpenModification } from '@railyard/core/payment';
import type { MerchantConfig } from '../../deployment/catalogue-schema.ts';
import type { OperationDeps } from './deps.ts';
import type { TransitionDeps } from '../transitions/deps.ts';
import type { Modification, Payment } from '../../storage/index.ts';
import { modifyPayment, isSupported } from './modify-payment.ts';
import { applyChange, sessionOf } from '../transitions/apply.ts';
import { paidBefore } from '../transitions/paid-twice.ts';

/** A way that failed is tried again after so long: the provider may have been closed for the day. */
const AGAIN_MS = 23 * 3_600_000;

/**
 * Carries out the merchant's rule for a payment that was approved in part. The background work for lookups does it, so that it is done
 * after a crash too; giving back has its own durable run. What is left to a person is not looked at again by itself.
 */
export async function carryOut(context: OperationDeps, payment: Payment): Promise<void> {
  const rule = await ruleOf(context, payment);
  if (rule === 'accept' && payment.asideText === null) {
    const accepted = await applyChange(context, payment.id, { change: { kind: 'accepted', via: 'rule' } });
    if (accepted.result === 'applied') return;
  }
  const way = rule === 'give-back' && payment.asideText === null ? await wayBack(context, payment) : undefined;
  const result = way === undefined ? undefined : await modifyPayment(context, payment.id, { modification: way });
  // One under way says by itself when it has ended.
  if (result?.kind !== 'acted') await context.stores.payments.schedulePoll(payment.id, null);
}

/**
 * Carries out the merchant's rule for money that came twice: the second payment goes back by the first way that does not fail, and the
 * merchant is told like of any refund. An operator is told where nothing can be done.
 *
 * @returns false if the payment is the only one that has money
 */
export async function giveBackSecond(context: OperationDeps, payment: Payment): Promise<boolean> {
  const first = await paidBefore(context, payment);
  if (first === undefined) return false;
  const { merchant } = await sessionOf(context, payment);
  const mayGiveBack = merchant.config.paidTwice === 'give-back' && payment.asideText === null;
  for (let way = mayGiveBack ? await wayBack(context, payment) : undefined; way !== undefined;) {
    const result = await modifyPayment(context, payment.id, { modification: way });
    if (result.kind !== 'acted' || result.modification.state !== 'failed') break;
    way = await wayBack(context, payment);
  }
  await context.stores.payments.schedulePoll(payment.id, null);
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  if (modifications.some(({ state }) => state !== 'failed')) return true;
  const amount = `${payment.received?.text ?? payment.amountText ?? ''} ${payment.currency}`;
  await context.stores.findings.record('paid-twice', payment.id, `${amount}, also paid by ${first.id}`);
  const why = `Its order is paid twice: also by the payment ${first.id}. Give one of them back.`;
  context.log.error({ event: 'needs-attention', payment: payment.id, why });
  return true;
}

async function ruleOf(context: OperationDeps, payment: Payment): Promise<MerchantConfig['partialApproval']> {
  const session = await sessionOf(context, payment);
  return session.merchant.config.partialApproval;
}

/** How what was approved goes back; undefined where nothing can be done now, by the connector or because it is under way. */
export async function wayBack(context: TransitionDeps, payment: Payment): Promise<ModificationName | undefined> {
  const modifications = await context.stores.modifications.ofPayment(payment.id);
  if (modifications.some(({ state }) => isOpenModification(state))) return undefined;
  const failed = modifications.filter((each) => hasFailedLately(each, context.now()));
  return waysOf(payment).find(
    (way) =>
      MODIFICATIONS[way].operations.includes(payment.operation) &&
      isSupported(context, payment, way) &&
      !failed.some(({ kind }) => kind === way),
  );
}

/** A void costs nothing and is possible only for a while, and only for the whole; a refund is possible later. A hold is let go of. */
const waysOf = ({ received, refundedMinor }: Payment): readonly ModificationName[] =>
  received === null ? ['release'] : refundedMinor === 0n ? ['void', 'refund'] : ['refund'];

const hasFailedLately = ({ state, updatedAt }: Modification, now: number): boolean =>
  state === 'failed' && updatedAt.getTime() > now - AGAIN_MS;
