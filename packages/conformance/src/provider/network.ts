import type { HttpRequest, HttpResult, Transport } from '@railyard/runtime';
import { asRead, type ProviderDouble, type ProviderReply } from './double.ts';

/** Reaches a provider without a network. A reply that is larger than the caller takes is lost, as over a real one. */
export function inProcess(provider: ProviderDouble): Transport {
  return { send: async (request) => limited(request, provider.handle(asRead(request))) };
}

function limited({ maxReplyBytes }: HttpRequest, { status, body, headers = {} }: ProviderReply): HttpResult {
  return Buffer.byteLength(body) > maxReplyBytes
    ? { kind: 'lost', why: `The reply is larger than ${maxReplyBytes} bytes.` }
    : { kind: 'reply', status, headers, body };
}
