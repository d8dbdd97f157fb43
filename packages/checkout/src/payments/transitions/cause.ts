import type { ProviderEvent } from '@railyard/core';
import type { PaymentChange } from '@railyard/core/payment';
import type { NextAction } from '@railyard/runtime';
import type { NewPayment, Transition } from '../../storage/index.ts';

/** Why a payment is to change: what happened, and the event or run that reported it. */
export interface Cause {
  readonly change: PaymentChange;
  /** The provider's event behind the change; known once, it has one effect. */
  readonly event?: { readonly event: ProviderEvent; readonly notificationId?: string };
  /** The run that ends with this change. */
  readonly run?: NonNullable<Transition['run']>;
  /** The next action that the run it suspends asks of the payer. */
  readonly nextAction?: NextAction;
  /** The payment that takes this one's place if this is its first change and declines it. */
  readonly failover?: NewPayment;
}
