import type { RoutedReply, RoutedRequest } from './routed-request.ts';
import { writeReplyBody } from './bodies.ts';
import { jsonReply } from './reply.ts';

/** The answer to a request that the provider does not serve, in the form that the simulation declares for it, if any. */
export function refuse({ endpoint, declared }: RoutedRequest, error: string, own = declared.refused): RoutedReply {
  if (own === undefined) return { reply: jsonReply(409, { error }) };
  const { status, body } = own;
  return { reply: { status, ...writeReplyBody(body, endpoint.codec) } };
}
