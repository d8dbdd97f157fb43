import { readPath } from '@railyard/core';
import { type AnyEndpoint, isForFlow, isRefusal, type ReplyVariant, TOO_MANY_REQUESTS } from '@railyard/core/driver';
import type * as z from 'zod';
import { readBody } from './codecs.ts';
import { type PlainJson, plainJson } from './plain-json.ts';
import { storable } from './storable.ts';
import type { HttpResult } from './transport.ts';

/** A reply before anything is dropped: it may be confidential, and is never kept. */
interface Arrived {
  /** `undefined` where it is not of the endpoint's form. */
  readonly body: unknown;
}

export type ReadReply = Arrived &
  /** The value with which the flow goes on. */
  (
    | { readonly kind: 'known'; readonly variant: string; readonly value: PlainJson; readonly refuses: boolean }
    /** The provider failed, or answered something that the endpoint does not describe: an HTML page, a new error, an empty 200. */
    | {
        readonly kind: 'unrecognised';
        readonly status: number;
        readonly why: string;
        /** The variant that has its status, and what in the body does not fit it. */
        readonly misfit?: { readonly variant: string; readonly issues: readonly z.core.$ZodIssue[] };
      }
  );

/** Finds the variant of a reply and reads its body with the variant's schema, which drops fields that it does not name. */
export function readReply(endpoint: AnyEndpoint, reply: Extract<HttpResult, { kind: 'reply' }>): ReadReply {
  const body = readBody(reply.body, endpoint.codec);
  let why = meaningOf(endpoint, reply.status);
  let misfit: Extract<ReadReply, { kind: 'unrecognised' }>['misfit'];
  for (const [name, variant] of Object.entries(endpoint.variants)) {
    if (!hasStatus(variant, reply.status) || !isForFlow(variant, reply.status) || !hasFields(variant, body)) continue;
    const read = replyValue(endpoint, name, body, storable(reply.headers));
    if (read.ok) {
      const value = plainJson(read.value ?? null, `Reply "${name}" of ${endpoint.name}`);
      return { kind: 'known', variant: name, body, value, refuses: isRefusal(variant, reply.status) };
    }
    misfit = { variant: name, issues: read.issues };
    // Only paths: a value of the reply may be confidential.
    why = `the reply of ${endpoint.name} does not fit "${name}" at ${read.at.join(', ')}`;
  }
  return { kind: 'unrecognised', status: reply.status, why, body, ...(misfit && { misfit }) };
}

/** Why a flow is not given a status, where no variant says more. */
function meaningOf({ name }: AnyEndpoint, status: number): string {
  if (status === TOO_MANY_REQUESTS) return `${name} was turned away with the status ${status}`;
  return isForFlow({}, status)
    ? `no reply of ${name} has the status ${status}`
    : `${name} failed with the status ${status}, and may have done its work before`;
}

/** A reply as the flow gets it, or where it does not fit its variant: paths of the body, `headers.<name>`. */
export type ReadExample =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly at: readonly string[]; readonly issues: readonly z.core.$ZodIssue[] };

/** The value with which a flow goes on after a reply: what the variant's schemas name, and nothing else. */
export function replyValue(endpoint: AnyEndpoint, name: string, body: unknown, headers: unknown): ReadExample {
  const variant = endpoint.variants[name];
  if (variant === undefined) return { ok: false, at: [`the name "${name}"`], issues: [] };
  const read = variant.body.safeParse(body);
  const above = variant.headers?.safeParse(headers ?? {});
  const issues = read.error?.issues ?? [];
  const at = [
    ...issues.map(({ path }) => path.join('.') || 'the top'),
    ...(above?.error?.issues ?? []).map(({ path }) => ['headers', ...path].join('.')),
  ];
  if (at.length > 0) return { ok: false, at, issues };
  if (endpoint.plain) return { ok: true, value: read.data };
  return { ok: true, value: { reply: name, body: read.data, ...(above && { headers: above.data }) } };
}

function hasStatus(variant: ReplyVariant, status: number): boolean {
  return typeof variant.status === 'number' ? variant.status === status : variant.status.includes(status);
}

function hasFields(variant: ReplyVariant, body: unknown): boolean {
  return Object.entries(variant.where ?? {}).every(([path, value]) => readPath(body, path) === value);
}
