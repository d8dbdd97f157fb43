import { declined, money, type Outcome, settled } from '@railyard/core';
import { isOpenModification } from '@railyard/core/payment';
import * as z from 'zod';
import type { OperatorDeps } from './deps.ts';
import type { Modification } from '../../storage/index.ts';
import { applyModification } from '../transitions/apply-modification.ts';

/** An operator's finding about a modification. `reference`: the provider's, of the modification itself. */
export type FoundOut =
  | { readonly result: 'succeeded'; readonly providerReference?: string }
  | { readonly result: 'failed'; readonly providerReference?: string };

export interface ResolvedModification {
  /** A UUID. */
  readonly id: string;
  readonly kind: Modification['kind'];
  readonly state: Modification['state'];
  readonly payment: { readonly id: string; readonly state: string };
}

/** The operator's decisions on captures, voids, releases and refunds. */
export interface ModificationOperator {
  /**
   * Sets the result of a modification that is still open, as the provider confirmed it to the operator. It has the effect that the
   * provider's own answer would have, the merchant's callback included; the history says that an operator decided.
   *
   * @throws Error when there is no such modification, it has ended, its run is under way, a success has no reference, or it does not
   * fit the payment's state. Nothing has changed then.
   * @example await checkout.modifications.resolve('0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', { result: 'succeeded', reference: 're-81' });
   */
  resolve(id: string, found: FoundOut): Promise<ResolvedModification>;
}

export const modificationOperator = (context: OperatorDeps): ModificationOperator => ({
  async resolve(id, found) {
    const modification = await openModification(context, id);
    // The provider may still carry out what it has accepted; freed, the money could move twice.
    if (modification.state === 'pending' && found.result === 'failed')
      throw new Error(`The provider has accepted the modification ${id}: only its own answer can say that it failed.`);
    const applied = await applyModification(context, modification.id, {
      outcome: outcomeOf(modification, found),
      via: 'operator',
    });
    if (applied.result === 'superseded') throw new Error(`The modification ${id} changed meanwhile. Look at it again.`);
    if (applied.result !== 'applied') throw new Error(`The modification ${id} stays as it is: ${applied.why}.`);
    const { payment } = applied;
    const state = found.result;
    return { id: modification.id, kind: modification.kind, state, payment: { id: payment.id, state: payment.state } };
  },
});

/** An open modification whose run has ended: a run under way may still send it, and answers by itself. */
async function openModification({ stores }: OperatorDeps, id: string): Promise<Modification> {
  const modification = z.uuid().safeParse(id).success ? await stores.modifications.find(id) : undefined;
  if (modification === undefined)
    throw new Error(
      `There is no modification ${id}. Give its id as the log has it, at "modification" of needs-attention.`,
    );
  if (!isOpenModification(modification.state))
    throw new Error(`The modification ${id} has ended: it ${modification.state}.`);
  const run = await stores.runs.find(modification.id);
  if (run !== undefined && run.state !== 'finished')
    throw new Error(`The run of the modification ${id} is still under way. Wait until it has ended.`);
  return modification;
}

function outcomeOf(
  { amount, providerReference }: Modification,
  { result, providerReference: reference }: FoundOut,
): Outcome {
  if (result === 'failed')
    return declined('hard', 'not_completed', {
      reason: 'An operator found that it did not take place.',
      ...(reference !== undefined && { providerReference: reference }),
    });
  const known = reference ?? providerReference;
  // Without it, later events of the same refund would be taken for another one.
  if (known === null) throw new Error("A success needs the provider's reference of the modification.");
  return settled(known, money(amount.text, amount.currency));
}
