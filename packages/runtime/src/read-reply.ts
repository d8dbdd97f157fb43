import { readPath } from '@railyard/core';
import type { AnyEndpoint, ReplyVariant } from '@railyard/core/driver';
import { readBody } from './codecs.ts';
import { type PlainJson, plainJson } from './plain-json.ts';
import type { HttpResult } from './transport.ts';

export type ReadReply =
  /** The value with which the flow goes on. */
  | { readonly kind: 'known'; readonly value: PlainJson; readonly refuses: boolean }
  /** The provider answered something that the endpoint does not describe: an HTML page, a new error, an empty 200. */
  | { readonly kind: 'strange'; readonly status: number; readonly why: string };

/** Finds the variant that a reply is and reads its body with the variant's schema, which drops what it does not name. */
export function readReply(endpoint: AnyEndpoint, reply: Extract<HttpResult, { kind: 'reply' }>): ReadReply {
  const body = readBody(reply.body, endpoint.codec);
  let why = `no reply of ${endpoint.name} has the status ${reply.status}`;
  for (const [name, variant] of Object.entries(endpoint.variants)) {
    if (!hasStatus(variant, reply.status) || !hasFields(variant, body)) continue;
    const parsed = variant.body.safeParse(body);
    if (parsed.success) {
      const value = plainJson(parsed.data ?? null, `Reply "${name}" of ${endpoint.name}`);
      const refuses = variant.refuses ?? reply.status >= 400;
      return { kind: 'known', value: endpoint.plain ? value : { reply: name, body: value }, refuses };
    }
    // Only paths: a value of the reply may be confidential.
    why = `the body of ${endpoint.name} does not fit "${name}" at ${parsed.error.issues.map((each) => each.path.join('.') || 'the top').join(', ')}`;
  }
  return { kind: 'strange', status: reply.status, why };
}

function hasStatus(variant: ReplyVariant, status: number): boolean {
  return typeof variant.status === 'number' ? variant.status === status : variant.status.includes(status);
}

function hasFields(variant: ReplyVariant, body: unknown): boolean {
  return Object.entries(variant.where ?? {}).every(([path, value]) => readPath(body, path) === value);
}
