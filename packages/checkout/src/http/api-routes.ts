import { issue, TEXTS, validationAnswer } from '@railyard/core';
import { type Context, Hono } from 'hono';
import type { ServiceContext } from '../service-context.ts';
import { createSession } from '../sessions/create-session.ts';
import { type HttpEnv, jsonAnswer, jsonError } from './answers.ts';
import { readBytes, utf8 } from './read-body.ts';
import { paymentStatus } from './status-route.ts';

/**
 * The merchant's API. Bodies are JSON, also under the content type of forms, because some clients send it so; anything else is
 * refused by its content type.
 */
export function apiRoutes(context: ServiceContext): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  api.post('/session', (c) => withText(c, (text) => createSession(context, text)));
  api.post('/payment/status', (c) =>
    withText(c, (text) => {
      const body = parseJson(text);
      return body === undefined ? notAnObject() : paymentStatus(context, body);
    }),
  );
  for (const path of ['/session', '/payment/status']) api.all(path, onlyPost);
  return api;
}

function onlyPost(c: Context<HttpEnv>): Response {
  c.header('allow', 'POST');
  return jsonError(c, 405, 'Use POST at this address.');
}

type AnyAnswer = { readonly status: number; readonly body: unknown };

async function withText(
  c: Context<HttpEnv>,
  handle: (text: string) => AnyAnswer | Promise<AnyAnswer>,
): Promise<Response> {
  if (!isAccepted(c)) return jsonError(c, 415, 'Send the request as application/json.');
  const body = await readBytes(c);
  if (!body.ok) return jsonError(c, 413, 'The request body is larger than 256 KB.');
  const text = utf8(body.bytes);
  return jsonAnswer(c, text === undefined ? notAnObject() : await handle(text));
}

const ACCEPTED = new Set(['application/json', 'application/x-www-form-urlencoded']);

/** Nothing is unpacked: a packed body may be a thousand times as large as it looks. */
function isAccepted(c: Context): boolean {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return ACCEPTED.has(type) && (c.req.header('content-encoding') ?? 'identity') === 'identity';
}

const notAnObject = () => validationAnswer([issue('body', TEXTS.type('object'))]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
