import type { AnyEndpoint } from '@railyard/core/driver';
import { currencyOfNumber } from '@railyard/core/formats';
import type { SimulatedEndpoint } from '@railyard/core/simulation';
import type { Bank } from './bank.ts';
import type { Mount } from './mount.ts';
import { type Received, textAt } from './places.ts';
import type { HeldModification, HeldPayment } from './records.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { Course } from './scenarios.ts';

/** The answer to a request, and the payment or modification that it opened or changed. */
export interface RoutedReply {
  readonly reply: Reply;
  /** The fault of the scenario, for the first answer only. */
  readonly fault?: 'nothing' | 'html-502' | 'truncated' | 'slow' | 'after-deadline';
  /** Nothing has happened: the caller stops waiting first. Whether a repeat is refused until then. */
  readonly isGivenUp?: true;
  readonly refusesRepeats?: boolean;
  /** Carries out the request when the caller has stopped waiting. */
  readonly arrive?: () => RoutedReply;
  readonly changed?: HeldPayment;
  readonly modification?: HeldModification;
}

/** A request with the endpoint that it is for. */
export interface RoutedRequest {
  readonly mount: Mount;
  readonly endpoint: AnyEndpoint;
  readonly declared: SimulatedEndpoint;
  readonly received: Received;
  readonly text: string;
  /** Whether it was given up by its caller and comes now. */
  readonly isLate: boolean;
}

/** A request that its caller gives up before anything happens, where that is its course. */
export function givenUp({ isLate }: RoutedRequest, { happens, repeats }: Course): RoutedReply | undefined {
  if (isLate || happens !== 'given-up') return undefined;
  return { reply: jsonReply(504, {}), fault: 'nothing', isGivenUp: true, refusesRepeats: repeats === 'refused' };
}

/** A request that the provider is too busy for, where that is its course: nothing has happened. */
export function turnedAway(bank: Bank, routed: RoutedRequest, { busySeconds }: Course): RoutedReply | undefined {
  const { mount, endpoint, declared, received } = routed;
  if (busySeconds === undefined) return undefined;
  const { key, merchantReference, modificationReference } = declared.request;
  const names = [key, merchantReference, modificationReference].map((place) => textAt(received, place));
  const left = busySeconds - bank.sinceFirst(JSON.stringify([mount.name, endpoint.name, ...names])) / 1000;
  if (left <= 0) return undefined;
  const headers = { 'retry-after': String(Math.ceil(left)) };
  return { reply: { ...jsonReply(429, { error: 'Too many requests.' }), headers } };
}

/** The payment that a request names: by its id, by that of an action on it (the capture that is refunded), or by reference. */
export function named(bank: Bank, { mount, declared, received }: RoutedRequest): HeldPayment | undefined {
  const { id: place, idIn, merchantReference, merchantReferenceIn } = declared.request;
  const id = textWithin(received, place, idIn);
  const reference = id === undefined ? textWithin(received, merchantReference, merchantReferenceIn) : undefined;
  const held = bank.findPayment(mount.name, { id, reference });
  if (held !== undefined || id === undefined) return held;
  const action = bank.findModification(mount.name, { id: textAt(received, place) });
  return action && bank.find(action.payment);
}

/** The text of a place, or the part of it that names something. */
function textWithin(received: Received, place: string | undefined, part: RegExp | undefined): string | undefined {
  const text = textAt(received, place);
  return part === undefined || text === undefined ? text : part.exec(text)?.[1];
}

/** The currency that a request names, by its code of ISO 4217. Some providers write it in lower case, others its number. */
export function currencyOf({ declared, received }: RoutedRequest): string | undefined {
  const written = textAt(received, declared.request.currency);
  return written === undefined ? undefined : (currencyOfNumber(written) ?? written.toUpperCase());
}
