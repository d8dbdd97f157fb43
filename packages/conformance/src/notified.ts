import type { Connector, Outcome, ProviderEvent } from '@railyard/core';
import { type Codec, rawNotification } from '@railyard/core/driver';
import { readBody } from '@railyard/runtime';
import { textOfBody } from './walk.ts';

/** A notification's body as it arrives: written and read again. */
export const arrived = (codec: Codec, body: unknown): unknown => readBody(textOfBody(codec, body), codec);

/** The events of a notification's body as it arrives, without a check of its signature; nothing where the schema refuses it. */
export function eventsIn(
  { connector: { notifications }, settings }: { readonly connector: Connector; readonly settings: unknown },
  body: unknown,
): readonly ProviderEvent[] | undefined {
  if (notifications === undefined) return undefined;
  const parsed = notifications.body.safeParse(arrived(notifications.codec, body));
  const raw = rawNotification({ body: textOfBody(notifications.codec, body), headers: {} });
  return parsed.success ? notifications.events(parsed.data, { settings, raw }) : undefined;
}

export const outcomeOf = (event: ProviderEvent): Outcome | undefined =>
  'outcome' in event ? event.outcome : undefined;
