import type { Tls } from '@railyard/core/driver';

/** One HTTP request as it leaves. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, the reply's body included. */
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
  readonly tls?: Tls;
}

export type HttpResult =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** The request provably never reached the provider. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** It may have: time-out, reset, a reply that was cut off or too large. */
  | { readonly kind: 'lost'; readonly why: string };

/** How requests leave. It never retries, never follows a redirect and never throws for what the network does. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpResult>;
}

/** One that holds connections. */
export interface ClosableTransport extends Transport {
  close(): Promise<void>;
}
