import { CardHandle, type Signing } from '@railyard/core/driver';
import type { Origin } from '@railyard/core/registry';
import { baseUrlOf } from './encode.ts';
import { flowOf } from './flow-of.ts';
import { inputsOf } from './preview-inputs.ts';
import { type PreviewAnswers, type Walk, walk, type WalkedRequest } from './preview-walk.ts';
import { leafText, leavesOf } from './provenance.ts';
import type { Run } from './run.ts';

/** One value of a request, its place and its origin. */
export interface PreviewedValue {
  /** `json.amount`, `headers.authorization`, `params.id`, … */
  readonly place: string;
  /** Masked where it comes from a credential, a card, or a secret setting, parameter or answer. */
  readonly value: string;
  /** Session paths, settings, earlier replies and answers that change this value; empty for a constant of the connector. */
  readonly from: readonly string[];
}

export interface PreviewedRequest {
  readonly step: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  /** Where it is not below the connector's base URL. */
  readonly baseUrl?: string;
  readonly values: readonly PreviewedValue[];
}

export interface Preview {
  readonly requests: readonly PreviewedRequest[];
  readonly end: string;
}

export interface PreviewOptions {
  /** Where the method's values came from, as the registry resolved them. */
  readonly origins?: Readonly<Record<string, Origin>>;
  readonly answers?: Partial<PreviewAnswers>;
}

const MASK = '•••';

/**
 * The exact requests that a flow would send, without a network: replies come from the endpoints' examples.
 * Where a value comes from is found by trying: the flow is run again with one input changed at a time, and what changes in the
 * requests was made from that input. Flows are pure, so nothing else can have changed it.
 */
export function preview(run: Run, options: PreviewOptions = {}): Preview {
  const answers = { replies: options.answers?.replies ?? {}, signals: options.answers?.signals ?? {} };
  const shown = walk(run, flowOf(run), answers);
  const { sources, secret } = provenance(run, shown, answers);
  const requests = shown.requests.map((request) => ({
    step: request.step,
    endpoint: request.endpoint.name,
    method: request.endpoint.method,
    path: request.endpoint.path,
    ...(request.endpoint.baseUrl && { baseUrl: baseUrlOf(run.connector, request.endpoint, run.settings) }),
    values: placesOf(request).map(([place, value]) => {
      const at = `${request.step} ${place}`;
      const from = [...(sources.get(at) ?? [])];
      return CardHandle.is(value)
        ? { place, value: MASK, from: [`card.${value.part}`] }
        : {
            place,
            value: secret(at) ? MASK : leafText(value),
            from: from.map((source) => withOrigin(source, run, options.origins)),
          };
    }),
  }));
  return { requests, end: shown.end };
}

/** The values of a request that leave: path, query, headers and the body. */
function placesOf({ wire }: WalkedRequest) {
  const { params, query, headers, json, form, xml, text, sign = [] } = wire;
  const signatures = [sign].flat().map(({ into, scheme, algorithm }) => [placeOf(into), `${scheme} by ${algorithm}`]);
  return leavesOf({ params, query, headers, json, form, xml, text, signature: Object.fromEntries(signatures) });
}

/** Where a signature goes; it is computed when the request leaves. */
const placeOf = (into: Signing['into']) => ('field' in into ? into.field : into.header.toLowerCase());

interface Provenance {
  /** `step place` → inputs that change it. */
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the value at `step place` must not be shown. */
  secret(at: string): boolean;
}

function provenance(run: Run, shown: Walk, answers: PreviewAnswers): Provenance {
  const sources = new Map<string, Set<string>>();
  const hidden = new Set<string>();
  const before = textsOf(shown);
  let blind = false;
  for (const input of inputsOf(run, shown, answers)) {
    const places = new Set(input.changes.flatMap((change) => changedPlaces(shown, before, change)));
    for (const at of places) {
      sources.set(at, (sources.get(at) ?? new Set()).add(input.source));
      if (input.secret) hidden.add(at);
    }
    // A secret whose every change breaks the flow or leads it elsewhere may stand anywhere.
    const tried = input.changes.length === 0 || input.changes.some((change) => goesAsShown(shown, change));
    blind ||= input.secret && places.size === 0 && !tried;
  }
  return { sources, secret: (at) => blind || hidden.has(at) };
}

/** The places that are different after a change, in the requests that are still made. */
function changedPlaces(shown: Walk, before: ReadonlyMap<string, string>, change: () => Walk): string[] {
  const after = attempt(change);
  if (after === undefined) return [];
  const texts = textsOf(after);
  const made = new Set(after.requests.map(({ step }) => step));
  return shown.requests
    .filter(({ step }) => made.has(step))
    .flatMap((request) => placesOf(request).map(([place]) => `${request.step} ${place}`))
    .filter((at) => texts.get(at) !== before.get(at));
}

function goesAsShown(shown: Walk, change: () => Walk): boolean {
  const made = attempt(change)?.requests.map(({ step }) => step);
  return shown.requests.every(({ step }, index) => made?.[index] === step);
}

/** A change may break the flow; then it shows nothing. */
function attempt(change: () => Walk): Walk | undefined {
  try {
    return change();
  } catch {
    return undefined;
  }
}

function textsOf(shown: Walk): Map<string, string> {
  return new Map(
    shown.requests.flatMap((request) =>
      placesOf(request).map(([place, value]) => [`${request.step} ${place}`, leafText(value)]),
    ),
  );
}

/** `parameters.fine` with the place that it was taken from: request, MID, payer or default. */
function withOrigin(source: string, run: Run, origins: PreviewOptions['origins'] = {}): string {
  const name = source.replace(/^(parameters|needed)\./, '');
  const known = Object.keys(origins).find((each) => name === each || name.startsWith(`${each}.`));
  const origin = known === undefined ? '' : ` (${origins[known]})`;
  return source.startsWith('parameters.') ? `parameters.${run.method.key}.${name}${origin}` : `${name}${origin}`;
}
