import type { RequestToSign } from '@railyard/core/merchant';

/** The headers of a request signature, with what they cover. */
export interface SentSignature extends RequestToSign {
  readonly key: string;
  readonly signature: string;
}

/** How a call came. */
export interface Sent {
  /** The address that it came from; `undefined` where there is no connection. */
  readonly client: string | undefined;
  /** Absent of a call that is signed by its hash. */
  readonly signature: SentSignature | undefined;
}

/** A call that did not come over a connection, and carries no headers. */
export const SENT_BARE: Sent = { client: undefined, signature: undefined };

/** Stands for the hash of a request that its headers sign; it is that of nothing. */
const SIGNED_BY_HEADERS = 'signed-by-headers';

/** The body of a request that needs no hash, because its headers sign it. One that is there stays. */
export function withoutNeedOfHash(body: object, { signature }: Sent): object {
  return signature === undefined || 'hash' in body ? body : { ...body, hash: SIGNED_BY_HEADERS };
}
