import { type Connector, type Outcome, type ProviderEvent, type StatusReport } from '@railyard/core';
import { type AnyEndpoint, knowsWord } from '@railyard/core/driver';
import type { ReadReply } from '../read-reply.ts';
import type { Host } from '../run.ts';
import { differencesOf, jsonKind, placeOf } from './compare-reply.ts';
import { protocolName, protocolWord } from './protocol-name.ts';
import { shapeOf } from './reply-shape.ts';
import { NOTIFICATION, type Sighting } from './sighting.ts';

/** Of one error shape. */
const MOST_NAMES = 12;
/** Of one reply that is refused. */
const MOST_MISFITS = 8;

type Drifting = Pick<Host, 'drift'>;

/** Has the host count what a reply has that its endpoint does not declare. */
export function reportDrift({ drift }: Drifting, connector: Connector, endpoint: AnyEndpoint, reply: ReadReply): void {
  if (drift === undefined) return;
  try {
    for (const sighting of sightingsOf(connector, endpoint, reply)) drift(sighting);
  } catch {
    // The request has left: a reply that cannot be compared is a payment like any other.
  }
}

/** The same for the words of an outcome or a lookup. */
export function reportWords(
  { drift }: Drifting,
  connector: Connector,
  endpoint: string,
  report: StatusReport | { readonly events: readonly ProviderEvent[] },
): void {
  if (drift === undefined) return;
  const outcomes = 'events' in report ? report.events.flatMap((event) => outcomesOf(event)) : [report];
  for (const { status, provider } of outcomes) {
    const word = provider?.status;
    // Tables answer `unknown` for a word that they do not have, and connectors for no word that they do.
    if (status !== 'unknown' || word === undefined || knowsWord(connector, word)) continue;
    drift({ ...origin(connector, endpoint), kind: 'status-word', place: protocolWord(word) });
  }
}

/** The same for the words of a notification that is proven; a stranger could send any. */
export const reportNotified = (host: Drifting, connector: Connector, events: readonly ProviderEvent[]): void =>
  reportWords(host, connector, NOTIFICATION, { events });

const outcomesOf = (event: ProviderEvent): readonly Outcome[] => ('outcome' in event ? [event.outcome] : []);

const origin = ({ id, version }: Connector, endpoint: string) => ({
  connector: id,
  version,
  endpoint,
  reply: '',
  status: 0,
  form: '',
});

function sightingsOf(connector: Connector, endpoint: AnyEndpoint, reply: ReadReply): readonly Sighting[] {
  const base = origin(connector, endpoint.name);
  if (reply.kind === 'unrecognised') return [{ ...base, ...errorShape(reply) }, ...misfitsOf(base, endpoint, reply)];
  const variant = endpoint.variants[reply.variant];
  if (variant === undefined) return [];
  const whole: Sighting = { ...base, reply: reply.variant, kind: 'reply', place: '' };
  const differences = differencesOf(shapeOf(endpoint, reply.variant, variant), reply.body);
  return differences.length === 0 ? [whole] : [whole, ...differences.map((each) => ({ ...whole, ...each }))];
}

type Unrecognised = Extract<ReadReply, { readonly kind: 'unrecognised' }>;

/** The names at the top of a reply that was not understood, in the order of the alphabet. */
function errorShape({ body, status, misfit }: Unrecognised) {
  const named = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const shape = new Map(named.map(([name, value]) => [protocolName(name), jsonKind(value)]));
  const listed = [...shape].toSorted(([one], [other]) => (one < other ? -1 : 1)).slice(0, MOST_NAMES);
  return {
    kind: 'error-shape' as const,
    reply: misfit?.variant ?? '',
    status,
    place: listed.map(([name]) => name).join(','),
    form: listed.map(([, form]) => form).join(','),
  };
}

/** Where a reply does not fit the variant that has its status. */
function misfitsOf(
  base: ReturnType<typeof origin>,
  endpoint: AnyEndpoint,
  { body, status, misfit }: Unrecognised,
): readonly Sighting[] {
  const variant = misfit && endpoint.variants[misfit.variant];
  if (misfit === undefined || variant === undefined) return [];
  const shape = shapeOf(endpoint, misfit.variant, variant);
  const refused = { ...base, reply: misfit.variant, status };
  const found = misfit.issues.slice(0, MOST_MISFITS).flatMap((issue): readonly Sighting[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return { ...refused, kind: 'unnamed-field', place: placeOf(shape, path), form: kindAt(body, path) };
      });
    const form = kindAt(body, issue.path);
    const kind = form === 'undefined' ? 'missing-required' : 'other-form';
    return [{ ...refused, kind, place: placeOf(shape, issue.path), form: form === 'undefined' ? '' : form }];
  });
  return [...new Map(found.map((each) => [`${each.kind} ${each.form} ${each.place}`, each])).values()];
}

function kindAt(body: unknown, path: readonly PropertyKey[]): string {
  let at = body;
  for (const name of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  return jsonKind(at);
}
