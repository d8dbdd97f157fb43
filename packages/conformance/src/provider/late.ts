import type { HttpRequest, HttpResult, Transport } from '@railyard/runtime';

/** A provider's refusal of a request that it has already. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** How a request that is taken ends for its sender. */
export const LOST: HttpResult = { kind: 'lost', why: 'No complete reply in time.' };
export const UNAUTHORIZED: HttpResult = { kind: 'reply', status: 401, headers: {}, body: '{}' };

/**
 * A provider that is slower than the time-out: it takes one request without saying so, shows it in no lookup before `show`, and refuses
 * the same request meanwhile.
 */
export interface LateProvider extends Transport {
  /** How often the request was refused. */
  readonly refused: () => number;
  /** Lookups show what was taken. */
  show(): Promise<void>;
}

/**
 * @param at the number of the request that is taken late
 * @param first how that request ends
 */
export function lateProvider(
  network: Transport,
  at: number,
  { status, body }: Refusal,
  first: HttpResult,
): LateProvider {
  let sends = 0;
  let refused = 0;
  let taken: HttpRequest | undefined;
  return {
    async send(request): Promise<HttpResult> {
      sends += 1;
      if (sends === at) {
        taken = request;
        return first;
      }
      if (taken === undefined || !isSame(taken, request)) return network.send(request);
      refused += 1;
      return { kind: 'reply', status, headers: {}, body };
    },
    refused: () => refused,
    async show() {
      const late = taken;
      taken = undefined;
      if (late !== undefined) await network.send(late);
    },
  };
}

/** Credentials may be renewed between a request and its repeat. */
const isSame = (one: HttpRequest, other: HttpRequest) =>
  one.method === other.method && one.url === other.url && one.body === other.body;
