import type { Answered, Asked } from './asked.ts';
import { writeReplyBody } from './bodies.ts';
import { jsonReply } from './reply.ts';

/** The answer to what a payment's state does not allow. */
export function refuse({ endpoint, declared }: Asked, error: string): Answered {
  if (declared.refused === undefined) return { reply: jsonReply(409, { error }) };
  const { status, body } = declared.refused;
  return { reply: { status, ...writeReplyBody(body, endpoint.codec) } };
}
