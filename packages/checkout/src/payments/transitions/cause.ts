import type { ProviderEvent } from '@railyard/core';
import type { PaymentChange } from '@railyard/core/payment';
import type { NextAction } from '@railyard/runtime';
import type { NewPayment, Transition } from '../../storage/index.ts';

/** The provider's event behind a change, and the notification that brought it. */
export interface EventCause {
  readonly event: ProviderEvent;
  readonly notificationId?: string;
  /** It is all that the notification says. */
  readonly endsNotification?: boolean;
}

/** Why a payment is to change: what happened, and the event or run that reported it. */
export interface Cause {
  readonly change: PaymentChange;
  /** The provider's event behind the change; known once, it has one effect. */
  readonly event?: EventCause;
  /** The run that ends with this change. */
  readonly run?: NonNullable<Transition['run']>;
  /** The next action that the run it suspends asks of the payer. */
  readonly nextAction?: NextAction;
  /** The payment that takes this one's place if this is its first change and declines it. */
  readonly failover?: NewPayment;
}
