import type { Money } from '@railyard/core';
import type { ActionName, ActionRefusal } from '@railyard/core/payment';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { Action, Payment } from '../../storage/index.ts';

export type Acted =
  | {
      readonly kind: 'acted';
      readonly action: Pick<Action, 'state' | 'reason' | 'updatedAt'>;
      readonly payment: Payment;
    }
  /** Nothing was sent. `unsupported`: the connector does not do it. `erased`: what the connector would need was removed. */
  | { readonly kind: 'refused'; readonly why: ActionRefusal | 'unsupported' | 'erased' };

export interface Ask {
  readonly action: ActionName;
  /** Nothing: all that there is. */
  readonly amount?: Money;
  /** Of a request that may be repeated: the action gets its id. */
  readonly resource?: Resource;
}
