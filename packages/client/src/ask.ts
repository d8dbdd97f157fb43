import type { Read } from './answers.ts';
import { UnknownOutcomeError } from './errors.ts';
import { textOf } from './read-answer.ts';
import { type CallOptions, type Sending, send } from './send.ts';

/** Sends and reads the answer. An answer in another form leaves the outcome unknown. */
export async function ask<A>(
  sending: Sending,
  path: string,
  signed: object,
  read: Read<A>,
  options?: CallOptions & { readonly token?: string },
): Promise<A> {
  const body = await send(sending, path, signed, options);
  const answer = read(body);
  if (answer !== undefined) return answer;
  const told = { call: `POST ${path}`, status: 200, requestId: textOf(body, 'request_id') };
  throw new UnknownOutcomeError('HTTP 200, and not an answer of this call.', told);
}
