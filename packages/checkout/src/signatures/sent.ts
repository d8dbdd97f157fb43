import { requestSignatureHeaders, type RequestToSign } from '@railyard/core/merchant';
import type { Context } from 'hono';
import type { HttpEnv } from '../http/answers.ts';

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

/** How a request came. One header of the signature is enough to be judged by it. */
export function sentBy(c: Context<HttpEnv>, body: Uint8Array): Sent {
  const client = c.get('client');
  const names = requestSignatureHeaders;
  const [key, id, timestamp, signature] = [names.key, names.id, names.timestamp, names.signature].map((name) =>
    c.req.header(name),
  );
  if ([key, id, timestamp, signature].every((each) => each === undefined)) return { client, signature: undefined };
  const { pathname, search } = new URL(c.req.url);
  const covered = { id: id ?? '', timestamp: timestamp ?? '', method: c.req.method, path: pathname + search, body };
  return { client, signature: { ...covered, key: key ?? '', signature: signature ?? '' } };
}

/** Stands for the hash of a request that its headers sign; it is that of nothing. */
const SIGNED_BY_HEADERS = 'signed-by-headers';

/** The body of a request that needs no hash, because its headers sign it. One that is there stays. */
export function withoutNeedOfHash(body: object, { signature }: Sent): object {
  return signature === undefined || 'hash' in body ? body : { ...body, hash: SIGNED_BY_HEADERS };
}
