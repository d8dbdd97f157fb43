import type { HttpResult } from '@railyard/runtime';
import type { Act, Charge, Made, Trait } from './provider-behaviour.ts';

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

const HOUR = 3_600_000;

/** Free text as some providers send it: with a NUL, and half of a character of two units. */
const ODD_TEXT = 'Sent\u0000 by \uD83D provider';

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

/** What the provider writes of something that it made. */
export function written(json: object, { traits }: Made): string {
  const text = JSON.stringify({ ...json, ...(traits.includes('odd-text') && { text: ODD_TEXT }) });
  return traits.includes('zero-fraction') ? text.replaceAll(/"amount":\d+/g, '$&.0') : text;
}

/** The model has two decimals, and the provider counts in cents. */
export const cents = (amount: string): number => Number(amount.replace('.', ''));

/** How the provider says a charge or an act stands. */
export function replyOf(
  of: Charge | Act,
  { amount: changed, ...change }: { readonly amount?: string; readonly held?: boolean; readonly back?: object } = {},
): Reply {
  const { tx: id, state, traits } = of;
  const said = (json: object) => ({ ...reply(200, {}), body: written({ id, state, ...json }, of) });
  if (!('reference' in of)) return said({});
  const { amount, held, payableUntil: end } = of;
  const early = traits.includes('hours-early') ? 3 * HOUR : 0;
  const until = end === undefined ? {} : { validUntil: new Date(end - early).toISOString() };
  return said({ amount: cents(changed ?? amount), held, ...until, ...change });
}
