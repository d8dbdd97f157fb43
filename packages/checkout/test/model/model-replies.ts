import type { HttpResult } from '@railyard/runtime';
import type { Act, Charge, Trait } from './provider-behaviour.ts';

/**
 * What the provider does with one request. `late`: it gets lost on its way, as the caller sees it, and has its effect when it arrives.
 * `partial`: less is approved than was asked for. `fails-after` and `unauthorized-after`: it does its work, and answers 503 with the body of a
 * refusal, or 401. `twice-named`: its answer has another word behind the right one, under the same name.
 */
export const BEHAVIOURS = [
  'done',
  'pending',
  'refused',
  'lost-before',
  'lost-after',
  'not-sent',
  'garbled',
  'fails-after',
  'unauthorized-after',
  'twice-named',
  'late',
  'partial',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

type Reply = Extract<HttpResult, { kind: 'reply' }>;

/** Free text as some providers send it: with a NUL, and half of a character of two units. */
export const ODD_TEXT = 'Sent\u0000 by \uD83D provider';

export function reply(status: number, json: unknown): Reply {
  return { kind: 'reply', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
}

/** The answer to a key or reference that is refused the second time, as the provider's habit is: with a 409, or with a declined payment. */
export function refusalOf(traits: readonly Trait[]): Reply | undefined {
  if (traits.includes('refuses-repeats')) return reply(409, { error: 'This key or reference is in use.' });
  return traits.includes('declines-repeats') ? reply(200, { id: 'duplicate', state: 'refused' }) : undefined;
}

/** What is answered for work that is done where the provider's answer goes wrong; else the answer. */
export function misanswered(behaviour: Behaviour, answer: HttpResult): HttpResult {
  if (behaviour === 'garbled') return { ...reply(502, {}), body: '<html>' };
  if (behaviour === 'fails-after') return reply(503, { error: 'Something went wrong.' });
  if (behaviour === 'unauthorized-after') return reply(401, { error: 'The token is not valid.' });
  if (behaviour === 'twice-named' && answer.kind === 'reply')
    return { ...answer, body: answer.body.replace(/"state":"\w+"/, '$&,"state":"refused"') };
  return answer;
}

/** How the provider says a charge or an act stands. */
export function replyOf(of: Charge | Act, change: { readonly amount?: string; readonly held?: boolean } = {}): Reply {
  const { tx, state, traits } = of;
  const text = traits.includes('odd-text') ? { text: ODD_TEXT } : {};
  if (!('reference' in of)) return reply(200, { id: tx, state, ...text });
  const { amount, held, payableUntil } = of;
  const until = payableUntil === undefined ? {} : { validUntil: new Date(payableUntil).toISOString() };
  return reply(200, { id: tx, state, amount, held, ...text, ...until, ...change });
}
