import type { Connector, Steps } from '@railyard/core';
import { type CallEffect, type CredentialEffect, requestOf } from '@railyard/core/driver';
import { type Credentials, credentialName } from './credentials.ts';
import { encodeRequest } from './encode.ts';
import { type PlainJson, plainJson } from './plain-json.ts';
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
  { held, ...asking }: Asking & { readonly held?: HeldCredentials },
  steps: Steps<T>,
): Promise<SafeAnswer<T>> {
  let next = steps.next();
  let requests = 0;
  const credentials = new Map<string, PlainJson>();
  while (!next.done) {
    const effect = next.value;
    if (effect.kind !== 'call' && effect.kind !== 'credential')
      return { kind: 'unsafe', why: `It asks the payer (${effect.step}).` };
    const { endpoint } = effect;
    if (endpoint.repeat !== 'safe')
      return { kind: 'unsafe', why: `It calls ${endpoint.name}, which is not declared safe.` };
    const name =
      effect.kind === 'credential' ? credentialName(asking.connector.id, held?.mid ?? '', effect) : undefined;
    const known = name === undefined ? undefined : credentials.get(name);
    if (known !== undefined) {
      next = steps.next(known);
      continue;
    }
    const send = async () => {
      requests += 1;
      return ask(asking, effect);
    };
    const answer =
      effect.kind === 'credential' && held !== undefined && name !== undefined
        ? await heldOr(held.credentials, name, effect, send)
        : await send();
    if ('kind' in answer) {
      // A refused one is not given to those who ask next.
      if (answer.kind === 'refused') for (const [each, value] of credentials) held?.credentials.drop(each, value);
      return answer;
    }
    if (name !== undefined) credentials.set(name, plainJson(answer.value, endpoint.name));
    next = steps.next(answer.value);
  }
  return { kind: 'answered', value: next.value, requests };
}

/** The credentials of an account that its payments use too. */
export interface HeldCredentials {
  readonly mid: string;
  readonly credentials: Credentials;
}

/** The credential that is held, or the answer to the question for it. */
async function heldOr(
  credentials: Credentials,
  name: string,
  { endpoint }: CredentialEffect,
  send: () => Promise<{ readonly value: unknown } | NoValue>,
): Promise<{ readonly value: unknown } | NoValue> {
  let failed: NoValue = { kind: 'unreachable', endpoint: endpoint.name, why: 'It gave no credential.' };
  const value = await credentials.get(name, async () => {
    const answer = await send();
    if ('kind' in answer) {
      failed = answer;
      return undefined;
    }
    const got = plainJson(answer.value, endpoint.name);
    return { value: got, lifetimeSeconds: endpoint.lifetimeSeconds?.(got) ?? 0 };
  });
  return value === undefined ? failed : { value };
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
