import { readPath } from '@railyard/core';
import type { SimulatedEndpoint, Simulation } from '@railyard/core/simulation';
import { leavesOf, withValue } from './leaves.ts';
import type { Adapt, WalkedRequest } from './walk.ts';

/** Where a reply says whose payment it is, by the simulation, and what the request said there. */
export function namesOf(
  declared: SimulatedEndpoint,
  request: WalkedRequest,
): Readonly<Record<string, string | undefined>> {
  const { reply, request: asked, effect } = declared;
  const isModification = reply.modification !== undefined;
  const reference = isModification ? asked.modificationReference : asked.merchantReference;
  const place = isModification ? reply.modificationReference : reply.merchantReference;
  const names: Record<string, string | undefined> = {};
  const add = (at: string | undefined, said: string | undefined) => {
    if (at !== undefined) names[at] = said;
  };
  // Where a lookup names no reference, the reply's is that of our payment all the same.
  const said = saidAt(request, reference);
  const within = isModification ? undefined : asked.merchantReferenceIn;
  add(place, within === undefined ? said : within.exec(said ?? '')?.[1]);
  // The reply to an action may say the payment's reference too.
  if (isModification && reply.merchantReference !== place)
    add(reply.merchantReference, saidAt(request, asked.merchantReference));
  // The provider's id is known beforehand only where the request names it.
  if (asked.id !== undefined && effect !== 'renew') add(reply.id, saidAt(request, asked.id));
  if (asked.modification !== undefined) add(reply.modification, saidAt(request, asked.modification));
  return names;
}

function saidAt({ wire }: WalkedRequest, place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  const [part = '', ...rest] = place.split('.');
  const within: unknown = part === 'body' ? (wire.json ?? wire.form ?? wire.xml) : readPath(wire, part);
  const value = readPath(within, rest.join('.'));
  return typeof value === 'string' ? value : undefined;
}

/** Puts the payment's own names into the bodies of examples: those that the documentation shows belong to another payment. */
export function adapting(simulation: Simulation | undefined, own: { readonly reference: string }): Adapt | undefined {
  if (simulation === undefined) return undefined;
  return (request, body) => {
    const declared = simulation.endpoints[request.endpoint.name];
    if (declared === undefined || declared.effect === 'credential') return body;
    const shown = new Set(leavesOf(body).map(({ place }) => place));
    const { merchantReference } = declared.reply;
    return Object.entries(namesOf(declared, request)).reduce<unknown>((data, [place, said]) => {
      const name = said ?? (place === merchantReference ? own.reference : undefined);
      return name !== undefined && shown.has(place) ? withValue(data, place, name) : data;
    }, body);
  };
}
