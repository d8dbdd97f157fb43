import { errorAnswer } from '@railyard/core/protocol';
import type { HttpDeps } from './deps.ts';
import type { Context } from 'hono';
import { readPath } from '@railyard/core';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The place of a request among those that are handled at once. */
export interface Place {
  /** Gives it up while the sender is waited for. */
  leave(): void;
  /** Has it again, unless there is none left. */
  take(): boolean;
}

/** The variables of every request. */
export interface HttpEnv {
  Variables: {
    requestId: string;
    client: string | undefined;
    /** The connection comes from a proxy that the configuration names. */
    proxied?: boolean;
    place?: Place;
  };
}

/** A JSON error in the protocol's form. The text is for the merchant: no stack, no SQL, no secret. */
export function jsonError(
  c: Context<HttpEnv>,
  status: ContentfulStatusCode,
  message: string,
  code = String(status),
): Response {
  const answer = errorAnswer({
    http_code: status,
    error_code: code,
    error_message: message,
    request_id: c.get('requestId'),
  });
  return c.json(answer.body, status);
}

/** An answer of core or of the domain, written. Every error says its status and its request. */
export function jsonAnswer(c: Context<HttpEnv>, { status, body, headers }: HeadedAnswer<unknown>): Response {
  const sent =
    status < 400 || typeof body !== 'object' ? body : { http_code: status, ...body, request_id: c.get('requestId') };
  return new Response(JSON.stringify(sent), { status, headers: { ...headers, 'content-type': 'application/json' } });
}

/**
 * Logs a call of a merchant's server that was refused, with the id that its answer has.
 *
 * @param refused `call`: its path or its action; `merchantKey`: as claimed, and logged where there is such a merchant
 */
export function logRefused(
  { log, directory }: Pick<HttpDeps, 'log' | 'directory'>,
  c: Context<HttpEnv>,
  refused: { readonly call: unknown; readonly answer: HeadedAnswer<unknown>; readonly merchantKey: unknown },
): void {
  const { call, answer, merchantKey } = refused;
  log.info({
    event: 'request-refused',
    request: c.get('requestId'),
    action: call,
    status: answer.status,
    why: whyRefused(answer.body),
    ...(typeof merchantKey === 'string' && directory.find(merchantKey) !== undefined && { merchant: merchantKey }),
  });
}

/** The first problem stands for all: the merchant has the others. */
const whyRefused = (body: unknown): unknown =>
  readPath(body, 'errors.0.error_message') ?? readPath(body, 'error_message');

export function onlyPost(c: Context<HttpEnv>): Response {
  c.header('allow', 'POST');
  return jsonError(c, 405, 'Use POST at this address.');
}
