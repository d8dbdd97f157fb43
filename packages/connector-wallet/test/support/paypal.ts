import { fromDecimal } from '@railyard/core';
import type { DriveResult, FlowName, HttpRequest } from '@railyard/runtime';
import { paypalConnector as connector } from '../../src/index.ts';
import { authorization, capture, ORDER, refund, token } from '../../src/paypal.samples.ts';
import { exchange, lookedUp, paymentOf, type Script } from './exchange.ts';
import { sessionOf } from './sessions.ts';

export const MODIFICATION = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
export const settings = { client_id: 'the-client', client_secret: 'the-secret', webhook_id: 'WH-1' };

const session = (more: object = {}) => sessionOf('redirect', {}, more);
const amount = fromDecimal('10.00', 'USD');

interface Ran {
  readonly result: DriveResult;
  readonly asked: readonly HttpRequest[];
  /** The bodies of the requests of the API, in their order. */
  readonly bodies: readonly unknown[];
}

const parsed = (asked: readonly HttpRequest[]): readonly unknown[] =>
  asked.slice(1).map(({ body }) => (body === undefined ? undefined : JSON.parse(body)));

async function run(flow: FlowName, payment: object, script: Script, about: object = {}): Promise<Ran> {
  const made = exchange({ connector, key: 'redirect', flow, payment, settings, about }, [[200, token], ...script]);
  let result = await made.drive();
  if (result.kind === 'suspended') result = await made.drive({ step: 'visit', values: { token: ORDER } });
  return { result, asked: made.asked, bodies: parsed(made.asked) };
}

/** A payment whose payer comes back from PayPal; the script begins after the token. */
export const buy = (script: Script, more?: object) => run('purchase', paymentOf(session(more), 'redirect'), script);

/** @param more fields of the payment */
export const lookUp = (script: Script, more: object = {}) =>
  run('status', { ...lookedUp(session(), 'redirect', ORDER), ...more }, script);

const made = { authorization: authorization.id, capture: capture.id };

/** What is done about a payment, or its lookup; `more` overrides what is known of the modification. */
export function act(
  flow: 'capture' | 'void' | 'refund' | 'modificationStatus',
  script: Script,
  { state = made, ...more }: { readonly state?: object; readonly [name: string]: unknown } = {},
) {
  const payment = { ...lookedUp(session(), 'redirect', ORDER), connectorState: state };
  const modification = { name: 'refund', id: MODIFICATION, amount, providerReference: refund.id, ...more };
  return run(flow, payment, script, {
    id: MODIFICATION,
    amount,
    remaining: amount,
    held: true,
    ...(flow === 'modificationStatus' ? { modification } : more),
  });
}
