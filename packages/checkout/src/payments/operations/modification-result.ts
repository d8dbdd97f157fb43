import type { Money } from '@railyard/core';
import type { ModificationName, ModificationRefusal } from '@railyard/core/payment';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { Modification, Payment } from '../../storage/index.ts';

export type ModificationResult =
  | {
      readonly kind: 'acted';
      readonly modification: Pick<Modification, 'state' | 'reason' | 'updatedAt'>;
      readonly payment: Payment;
    }
  /** Nothing was sent. `unsupported`: the connector does not do it. `erased`: what the connector would need was removed. */
  | { readonly kind: 'refused'; readonly why: ModificationRefusal | 'unsupported' | 'erased' };

export interface ModificationCommand {
  readonly modification: ModificationName;
  /** Nothing: all that there is. */
  readonly amount?: Money;
  /** Of a request that may be repeated: the modification gets its id. */
  readonly resource?: Resource;
}
