import { declined, money, type Outcome, settled } from '@railyard/core';
import { isOpenAction } from '@railyard/core/payment';
import * as z from 'zod';
import type { OperatorDeps } from './deps.ts';
import type { Action } from '../../storage/index.ts';
import { applyAction } from '../transitions/apply-action.ts';

/** An operator's finding about an action. `reference`: the provider's, of the action itself. */
export type FoundOut =
  | { readonly result: 'succeeded'; readonly providerReference?: string }
  | { readonly result: 'failed'; readonly providerReference?: string };

export interface ResolvedAction {
  /** A UUID. */
  readonly id: string;
  readonly kind: Action['kind'];
  readonly state: Action['state'];
  readonly payment: { readonly id: string; readonly state: string };
}

/** The operator's decisions on captures, voids, releases and refunds. */
export interface ActionOperator {
  /**
   * Sets the result of an action that is still open, as the provider confirmed it to the operator. It has the effect that the
   * provider's own answer would have, the merchant's callback included; the history says that an operator decided.
   *
   * @throws Error when there is no such action, it has ended, its run is under way, a success has no reference, or it does not
   * fit the payment's state. Nothing has changed then.
   * @example await checkout.actions.resolve('0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', { result: 'succeeded', reference: 're-81' });
   */
  resolve(id: string, found: FoundOut): Promise<ResolvedAction>;
}

export const actionOperator = (context: OperatorDeps): ActionOperator => ({
  async resolve(id, found) {
    const action = await openAction(context, id);
    // The provider may still carry out what it has accepted; freed, the money could move twice.
    if (action.state === 'pending' && found.result === 'failed')
      throw new Error(`The provider has accepted the action ${id}: only its own answer can say that it failed.`);
    const applied = await applyAction(context, action.id, { outcome: outcomeOf(action, found), via: 'operator' });
    if (applied.result === 'superseded') throw new Error(`The action ${id} changed meanwhile. Look at it again.`);
    if (applied.result !== 'applied') throw new Error(`The action ${id} stays as it is: ${applied.why}.`);
    const { payment } = applied;
    const state = found.result;
    return { id: action.id, kind: action.kind, state, payment: { id: payment.id, state: payment.state } };
  },
});

/** An open action whose run has ended: a run under way may still send it, and answers by itself. */
async function openAction({ stores }: OperatorDeps, id: string): Promise<Action> {
  const action = z.uuid().safeParse(id).success ? await stores.actions.find(id) : undefined;
  if (action === undefined)
    throw new Error(`There is no action ${id}. Give its id as the log has it, at "action" of needs-attention.`);
  if (!isOpenAction(action.state)) throw new Error(`The action ${id} has ended: it ${action.state}.`);
  const run = await stores.runs.find(action.id);
  if (run !== undefined && run.state !== 'finished')
    throw new Error(`The run of the action ${id} is still under way. Wait until it has ended.`);
  return action;
}

function outcomeOf({ amount, providerReference }: Action, { result, providerReference: reference }: FoundOut): Outcome {
  if (result === 'failed')
    return declined('hard', 'not_completed', {
      reason: 'An operator found that it did not take place.',
      ...(reference !== undefined && { providerReference: reference }),
    });
  const known = reference ?? providerReference;
  // Without it, later events of the same refund would be taken for another one.
  if (known === null) throw new Error("A success needs the provider's reference of the action.");
  return settled(known, money(amount.text, amount.currency));
}
