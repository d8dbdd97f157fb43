import { errorAnswer } from '@railyard/core';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What every request carries through the service. */
export interface HttpEnv {
  Variables: { requestId: string };
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

/** An answer of core or of the domain, written. */
export function jsonAnswer(c: Context<HttpEnv>, answer: { readonly status: number; readonly body: unknown }): Response {
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: { 'content-type': 'application/json' },
  });
}
