import { randomUUID } from 'node:crypto';
import { compactId } from '@railyard/core/formats';

/**
 * The places of golden exchanges that the conformance kit fills in → a text for each, which the sandbox is sent. In what is written down the
 * places stand again, so that the kit takes a recorded exchange as it is.
 */
export function textsForPlaces(): ReadonlyMap<string, string> {
  const [reference, modification] = [randomUUID(), randomUUID()];
  return new Map([
    ['{reference}', reference],
    ['{compact_reference}', compactId(reference)],
    ['{modification}', modification],
    ['{compact_modification}', compactId(modification)],
    ['{key}', randomUUID()],
    ['{notify_url}', 'https://checkout.example/notify/sandbox'],
    ['{return_url}', 'https://checkout.example/return/sandbox'],
  ]);
}

/** Data of JSON with a text in each place. */
export function filled(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  let json = JSON.stringify(value);
  for (const [place, text] of texts) json = json.replaceAll(place, text);
  return JSON.parse(json);
}
