import { readPath } from '@railyard/core';
import { type Context, Hono } from 'hono';
import type { MerchantApiDeps } from '../deps.ts';
import type { ApiCall } from './api-call.ts';
import { createSession } from './create-session.ts';
import { createToken } from './create-token.ts';
import { MODIFICATION_CALLS } from './modification-routes.ts';
import { type HttpEnv, jsonAnswer, logRefused, onlyPost } from '../basics/answers.ts';
import { NOT_UTF_8, parseJson, readJsonBytes, sentBy, unreadableBody, utf8 } from '../basics/request.ts';
import { cardCredit } from './charges.ts';
import { paymentRecurring } from './charges.ts';
import { paymentRetry } from './charges.ts';
import { paymentStatus } from './status-route.ts';
import { testClock } from './test-clock-route.ts';

/** Every call of a merchant, below `/api/v1`. */
export const API_CALLS: Readonly<Record<string, ApiCall>> = {
  '/session': createSession,
  '/session/token': createToken,
  '/payment/status': paymentStatus,
  ...MODIFICATION_CALLS,
  '/payment/recurring': paymentRecurring,
  '/payment/retry': paymentRetry,
  '/payment/card/credit': cardCredit,
  '/test/clock': testClock,
};

/** The merchant's API. Bodies are JSON. */
export function apiRoutes(context: MerchantApiDeps): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  for (const [path, { handle }] of Object.entries(API_CALLS)) {
    api.post(path, (c) => call(context, c, path, handle));
    api.all(path, onlyPost);
  }
  return api;
}

async function call(
  context: MerchantApiDeps,
  c: Context<HttpEnv>,
  path: string,
  handle: ApiCall['handle'],
): Promise<Response> {
  const body = await readJsonBytes(c);
  const text = body.ok ? utf8(body.bytes) : undefined;
  const answer = body.ok
    ? text === undefined
      ? unreadableBody(NOT_UTF_8)
      : await handle(context, text, c.req.header('idempotency-key'), sentBy(c, body.bytes))
    : body.answer;
  if (answer.status >= 400) logRefused(context, c, { call: path, answer, merchantKey: claimedIn(text) });
  return jsonAnswer(c, answer);
}

/** The merchant key that a refused body claims. */
function claimedIn(text: string | undefined): unknown {
  const read = text === undefined ? undefined : parseJson(text);
  return read?.ok === true ? readPath(read.body, 'merchant_key') : undefined;
}
