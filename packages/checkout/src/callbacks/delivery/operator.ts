import type { CallbacksStore, ListedCallback, ResumedAddress } from '../../storage/index.ts';

export interface CallbackQuery {
  /** Only those whose retry plan is used up. */
  readonly dead?: boolean;
  /** Only those of this merchant: its `key`. */
  readonly merchant?: string;
  /** At most so many, newest first: 100 unless given. */
  readonly limit?: number;
}

/** The operator's modifications on callbacks. */
export interface CallbackOperator {
  /** Callbacks, newest first, with how they fare. */
  list(query?: CallbackQuery): Promise<ListedCallback[]>;
  /**
   * Sends callbacks again, dead or delivered ones by their ids or all dead ones, with the same id and the same bytes, along the whole retry plan.
   * Those that wait are left alone. @returns the ids of those that are sent
   */
  replay(which: readonly string[] | { readonly dead: true; readonly merchant?: string }): Promise<string[]>;
  /** Calls an address again that is paused or that said it is gone. What waits for it is sent. */
  resume(url: string): Promise<ResumedAddress>;
}

const USUAL_LIMIT = 100;

/** @param due called when callbacks have become due */
export function callbackOperator(store: CallbacksStore, due: () => void = () => undefined): CallbackOperator {
  return {
    list: ({ dead = false, merchant, limit = USUAL_LIMIT } = {}) =>
      store.list({ ...(dead && { state: 'dead' }), ...(merchant !== undefined && { merchantKey: merchant }) }, limit),
    async replay(which) {
      const replayed = await store.replay(
        'dead' in which
          ? { state: 'dead', ...(which.merchant !== undefined && { merchantKey: which.merchant }) }
          : { ids: which },
      );
      due();
      return replayed;
    },
    async resume(url) {
      const resumed = await store.resume(url);
      due();
      return resumed;
    },
  };
}
