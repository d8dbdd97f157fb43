import type { Answer } from '@railyard/core/protocol';

/** An answer with headers of its own. */
export interface HeadedAnswer<B> extends Answer<B> {
  readonly headers?: Readonly<Record<string, string>>;
}
