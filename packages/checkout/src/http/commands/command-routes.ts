import { TEXTS } from '@railyard/core';
import { issue, validationAnswer } from '@railyard/core/protocol';
import { type Context, Hono } from 'hono';
import { type HttpEnv, jsonAnswer, logRefused, onlyPost } from '../basics/answers.ts';
import { contentTypeOf } from '../basics/content-type.ts';
import { readBytes } from '../basics/read-body.ts';
import type { CommandDeps } from './deps.ts';
import { sentBy } from '../basics/sent-by.ts';
import { asCommandAnswer, refusal } from './command-errors.ts';
import type { CommandAnswer } from './command.ts';
import { APM_PATH, commandFor } from './commands.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import { COMMAND_TYPES, readCommandBody } from './read-command-body.ts';

/** Where parameters of a redirect are a list (reference: Transport of S2S CARD). */
const LISTED_PARAMS_PATH = '/v2/post';

/** Clients ask for a payout at the one and for its status at either (reference: Transport), so both understand every command. */
const PATHS = ['/post', LISTED_PARAMS_PATH, APM_PATH];

/** Where merchants' servers send commands. The field `action` says which. */
export function commandRoutes(context: CommandDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  for (const path of PATHS) {
    routes.post(path, async (c) => jsonAnswer(c, answerAt(path, await call(context, path, c))));
    routes.all(path, onlyPost);
  }
  return routes;
}

async function call(context: CommandDeps, path: string, c: Context<HttpEnv>): Promise<HeadedAnswer<unknown>> {
  const { answer: given, ...claimed } = await answerTo(context, path, c);
  const answer = asCommandAnswer(given);
  if (answer.status >= 400) logRefused(context, c, { ...claimed, answer });
  return answer;
}

/** An answer, and which command of which merchant its request claims to be. */
interface Answered {
  readonly answer: CommandAnswer;
  readonly call: unknown;
  readonly merchantKey: unknown;
}

async function answerTo(context: CommandDeps, path: string, c: Context<HttpEnv>): Promise<Answered> {
  const answered = (answer: CommandAnswer, body: Readonly<Record<string, unknown>> = {}): Answered => ({
    answer,
    call: body['action'] ?? path,
    merchantKey: body['client_key'],
  });
  const type = contentTypeOf(c);
  if (type === undefined || !COMMAND_TYPES.has(type))
    return answered(refusal(415, 'Send the command as application/x-www-form-urlencoded.'));
  const bytes = await readBytes(c);
  if (!bytes.ok) return answered(refusal(413, 'The request body is larger than 256 KB.'));
  const read = await readCommandBody(bytes.bytes, type, c.req.header('content-type') ?? '');
  if (!read.ok) return answered(read.answer);
  const sent = sentBy(c, bytes.bytes);
  const { action } = read.body;
  const command = commandFor(path, read.body);
  if (command === undefined)
    return answered(validationAnswer([issue('action', action === undefined ? TEXTS.blank : TEXTS.choice)]), read.body);
  const received = { body: read.body, idempotencyKey: c.req.header('idempotency-key'), sent };
  return answered(await command.run(context, received), read.body);
}

/** The parameters of a redirect in the form of the address. */
function answerAt(path: string, { body, ...answer }: HeadedAnswer<unknown>): HeadedAnswer<unknown> {
  if (path !== LISTED_PARAMS_PATH || typeof body !== 'object' || body === null) return { ...answer, body };
  if (!('redirect_params' in body)) return { ...answer, body };
  const redirect_params = Object.entries(Object(body.redirect_params)).map(([name, value]) => ({ name, value }));
  return { ...answer, body: { ...body, redirect_params } };
}
