import type { ColumnText } from '../support/all-columns.ts';
import { numberIn } from '../support/card-canary.ts';
import { CARD_NUMBER } from '../support/card-commands.ts';
import type { Received } from '../support/receiver.ts';

/** The places that have the number of the card that all flows pay with: there must be none, wherever the service was killed. */
export function cardNumbersLeft(
  columns: readonly ColumnText[],
  output: string,
  callbacks: readonly Pick<Received, 'body'>[],
): readonly string[] {
  const isIn = numberIn(CARD_NUMBER);
  const places = new Set(columns.filter(({ text }) => isIn(text)).map(({ place }) => place));
  if (output.split('\n').some(isIn)) places.add('the log');
  if (callbacks.some(({ body }) => isIn(decodeURIComponent(body)))) places.add('a callback');
  return [...places].map((place) => `${place} has the number of a card`);
}
