import { requestSignatureHeaders } from '@railyard/core/merchant';
import type { Context } from 'hono';
import type { Sent } from '../../signatures/sent.ts';
import type { HttpEnv } from './answers.ts';

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
