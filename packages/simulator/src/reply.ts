import { JsonNumberLiteral, readPath } from '@railyard/core';
import { type AnyEndpoint, withPlace } from '@railyard/core/driver';
import type { SimulatedEndpoint } from '@railyard/core/simulation';
import { writeBody } from '@railyard/runtime';
import type { Bank } from './bank.ts';
import { writeReplyBody } from './bodies.ts';
import { amountTo, asProvider, modificationAsProvider, type Mount } from './mount.ts';
import type { Received } from './places.ts';
import type { HeldModification, HeldPayment } from './records.ts';
import { courseOf } from './scenarios.ts';

/** A reply before it is sent. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const jsonReply = (status: number, body: unknown): Reply => ({
  status,
  type: 'application/json',
  text: writeBody(body, 'json'),
});

/** The example that replies start from. */
function exampleOf(endpoint: AnyEndpoint, name: string | undefined) {
  const example = endpoint.examples.find((each) => name === undefined || each.is === name);
  if (example === undefined)
    throw new Error(`Endpoint ${endpoint.name} has no example${name === undefined ? '' : ` "${name}"`} to reply with.`);
  const variant = endpoint.variants[example.is ?? Object.keys(endpoint.variants)[0] ?? ''];
  const status = example.status ?? [variant?.status ?? 200].flat()[0] ?? 200;
  return { status, body: example.body, headers: example.headers };
}

/** The example, with the simulation's own values. */
export function plainReply(endpoint: AnyEndpoint, declared: SimulatedEndpoint, received?: Received): Reply {
  const { status, body, headers } = exampleOf(endpoint, declared.example);
  const own = received && declared.answers?.({ endpoint: endpoint.name, body: received.body, params: received.params });
  const whole = Object.entries(own ?? {}).reduce((data, [place, value]) => withPlace(data, place, value), body);
  return { status, ...writeReplyBody(whole, endpoint.codec), ...(headers && { headers }) };
}

/** A list of the provider's payments or modifications. */
export function listReply(
  bank: Bank,
  mount: Mount,
  endpoint: AnyEndpoint,
  lists: NonNullable<SimulatedEndpoint['lists']>,
): Reply {
  const isShown = (each: HeldPayment | HeldModification) => each.connector === mount.name && bank.isShown(each);
  const body = lists({
    payments: bank
      .payments()
      .filter(isShown)
      .map((each) => asProvider(mount, each)),
    actions: bank
      .modifications()
      .filter(isShown)
      .map((each) => ({
        action: modificationAsProvider(mount, each),
        payment: asProvider(mount, bank.get(each.payment)),
      })),
  });
  return { status: exampleOf(endpoint, undefined).status, ...writeReplyBody(body, endpoint.codec) };
}

export function absentReply(endpoint: AnyEndpoint, declared: SimulatedEndpoint): Reply {
  const { status, body } = declared.absent ?? { status: 404, body: { error: 'not found' } };
  return { status, ...writeReplyBody(body, endpoint.codec) };
}

/** Which example shows a payment, or a modification, in its state. */
function exampleName(
  { example, examples = {} }: SimulatedEndpoint,
  { state }: HeldPayment,
  modification?: HeldModification,
) {
  const shown = modification?.state ?? state;
  const own = shown === 'pending' || shown === 'challenged' || shown === 'declined' ? examples[shown] : undefined;
  return own ?? example;
}

/** The body that reports a payment: the example with the payment's own values. */
export function paymentBody(
  mount: Mount,
  endpoint: AnyEndpoint,
  declared: SimulatedEndpoint,
  held: HeldPayment,
  modification?: HeldModification,
): unknown {
  return paymentParts(mount, endpoint, declared, held, modification).body;
}

/** Body and headers of the reply that reports a payment, and its status. */
function paymentParts(
  mount: Mount,
  endpoint: AnyEndpoint,
  declared: SimulatedEndpoint,
  held: HeldPayment,
  modification: HeldModification | undefined,
) {
  const isHidden = declared.hidesDisputes === true && held.disputes !== undefined;
  const payment = asProvider(mount, isHidden ? { ...held, state: 'settled', disputes: [] } : held);
  const { reply } = declared;
  const { status, ...example } = exampleOf(endpoint, exampleName(declared, held, modification));
  let { body, headers } = example;
  const put = (place: string | undefined, value: unknown) => {
    if (place === undefined) return;
    if (headers !== undefined && place.startsWith(HEADERS))
      headers = { ...headers, [place.slice(HEADERS.length)]: String(value) };
    else body = withPlace(body, place, value);
  };
  put(reply.id, payment.id);
  put(reply.merchantReference, payment.merchantReference);
  put(reply.status, payment.status);
  put(reply.currency, payment.currency);
  if (reply.amount !== undefined) {
    const text = amountTo(mount, (modification ?? payment).amount, payment.currency);
    // The example shows whether the provider writes amounts as numbers or as text.
    put(reply.amount, typeof readPath(body, reply.amount) === 'number' ? new JsonNumberLiteral(text) : text);
  }
  const action = modification && modificationAsProvider(mount, modification);
  if (action !== undefined) {
    put(reply.modification, action.id);
    put(reply.modificationReference, action.merchantReference);
    put(reply.modificationStatus, action.status);
  }
  for (const [place, value] of Object.entries(declared.compute?.(payment, action) ?? {})) put(place, value);
  if (courseOf(held.scenario).words === 'odd') put(reply.text, ODD_TEXT);
  return { status, body, headers };
}

/** Places in the headers of a reply, where the example has any. */
const HEADERS = 'headers.';

/** Free text as some providers send it: with a NUL, and half of a character of two units. */
const ODD_TEXT = 'Not\u0000 possible \uD83D now.';

export function paymentReply(
  mount: Mount,
  endpoint: AnyEndpoint,
  declared: SimulatedEndpoint,
  held: HeldPayment,
  modification?: HeldModification,
): Reply {
  const { status, body, headers } = paymentParts(mount, endpoint, declared, held, modification);
  return { status, ...writeReplyBody(body, endpoint.codec), ...(headers && { headers }) };
}
