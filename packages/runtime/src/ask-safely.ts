import type { Connector, Steps } from '@railyard/core';
import { type CallEffect, type CredentialEffect, requestOf } from '@railyard/core/driver';
import { encodeRequest } from './encode.ts';
import { readReply } from './read-reply.ts';
import type { Transport } from './transport.ts';

/** The answer of a provider to a question that changes nothing. */
export type SafeAnswer<T> =
  /** With no `requests` the provider was not asked. */
  | { readonly kind: 'answered'; readonly value: T; readonly requests: number }
  /** The provider refused the credentials (401 or 403). */
  | { readonly kind: 'refused'; readonly endpoint: string; readonly status: number }
  /** It answered something that the endpoint does not describe. */
  | { readonly kind: 'unrecognised'; readonly endpoint: string; readonly status: number; readonly why: string }
  | { readonly kind: 'unreachable'; readonly endpoint: string; readonly why: string }
  /** The flow would do more than ask; nothing of it was sent. */
  | { readonly kind: 'unsafe'; readonly why: string };

/**
 * Drives a flow that only asks: every call must go to an endpoint that is `safe`. Without a journal, because nothing has to survive.
 *
 * @param key what builders of requests are given as the key of their step
 */
export async function askSafely<T>(
  { connector, settings, transport, key }: Asking,
  steps: Steps<T>,
): Promise<SafeAnswer<T>> {
  let next = steps.next();
  let requests = 0;
  const credentials = new Map<string, unknown>();
  while (!next.done) {
    const effect = next.value;
    if (effect.kind !== 'call' && effect.kind !== 'credential')
      return { kind: 'unsafe', why: `It asks the payer (${effect.step}).` };
    const { endpoint } = effect;
    if (endpoint.repeat !== 'safe')
      return { kind: 'unsafe', why: `It calls ${endpoint.name}, which is not declared safe.` };
    const held = effect.kind === 'credential' ? `${endpoint.name}/${String(effect.input)}` : undefined;
    if (held !== undefined && credentials.has(held)) {
      next = steps.next(credentials.get(held));
      continue;
    }
    const answer = await ask({ connector, settings, transport, key }, effect);
    if ('kind' in answer) return answer;
    requests += 1;
    if (held !== undefined) credentials.set(held, answer.value);
    next = steps.next(answer.value);
  }
  return { kind: 'answered', value: next.value, requests };
}

interface Asking {
  readonly connector: Connector;
  readonly settings: unknown;
  readonly transport: Transport;
  readonly key: string;
}

type NoValue = Exclude<SafeAnswer<never>, { readonly kind: 'answered' }>;

async function ask(
  { connector, settings, transport, key }: Asking,
  effect: CallEffect | CredentialEffect,
): Promise<{ readonly value: unknown } | NoValue> {
  const { endpoint } = effect;
  const wire = requestOf(effect, { settings, key });
  const moment = { now: Math.floor(Date.now() / 1000), id: key };
  const request = encodeRequest(connector, settings, endpoint, wire, moment, ({ part }) => {
    throw new Error(`${endpoint.name} needs card.${part}, and there is no card.`);
  });
  const result = await transport.send(request);
  if (result.kind !== 'reply') return { kind: 'unreachable', endpoint: endpoint.name, why: result.why };
  const reply = readReply(endpoint, result);
  if (reply.kind === 'known') return { value: reply.value };
  const { status, why } = reply;
  const refused = status === 401 || status === 403;
  return refused
    ? { kind: 'refused', endpoint: endpoint.name, status }
    : { kind: 'unrecognised', endpoint: endpoint.name, status, why };
}
