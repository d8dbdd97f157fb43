import type { Money } from '../money/money.ts';
import type { PaymentState } from './state.ts';

/**
 * How the host came to know: from a flow's end, from the provider by itself, because the provider was asked, or from a person who
 * found out elsewhere.
 */
export type Via = 'flow' | 'notification' | 'status' | 'operator';

export type Decision =
  | {
      readonly do: 'apply';
      readonly next: PaymentState;
      /** Nothing but facts is new: the rest of the change is outdated. */
      readonly learned?: true;
      /** Why a person should look at it all the same. */
      readonly attention?: string;
    }
  | { readonly do: 'ignore'; readonly why: string }
  /** Kept aside for a person; `needsSync`: the provider is asked first. */
  | {
      readonly do: 'quarantine';
      readonly why: string;
      readonly needsSync: boolean;
      /** Money that came and does not fit: while it is set aside the payment neither expires nor declines by itself. */
      readonly aside?: Money;
    };
