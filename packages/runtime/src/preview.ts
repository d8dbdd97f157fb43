import { CardHandle, fieldInfo, type Origin } from '@railyard/core';
import { exampleReply, type PreviewAnswers, type Walk, walk, type WalkedRequest } from './preview-walk.ts';
import { different, leafText, leavesOf, withLeaf } from './provenance.ts';
import { flowOf } from './flow-of.ts';
import type { Run } from './run.ts';

/** One value of a request: where it stands, what it is, and what it was made from. */
export interface PreviewedValue {
  /** `json.amount`, `headers.authorization`, `params.id`, … */
  readonly place: string;
  /** Masked where it comes from a credential, a card or a secret setting. */
  readonly value: string;
  /** Session paths, settings and earlier replies that change this value; empty for a constant of the connector. */
  readonly from: readonly string[];
}

export interface PreviewedRequest {
  readonly step: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
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
  const answers = { replies: options.answers?.replies ?? {}, turns: options.answers?.turns ?? {} };
  const shown = walkRun(run, answers);
  const from = provenance(run, shown, answers);
  const secrets = secretSettings(run);
  const requests = shown.requests.map((request) => ({
    step: request.step,
    endpoint: request.endpoint.name,
    method: request.endpoint.method,
    path: request.endpoint.path,
    values: placesOf(request).map(([place, value]) => {
      const sources = [...(from.get(`${request.step} ${place}`) ?? [])];
      const hide = CardHandle.is(value) || sources.some((source) => secrets.has(source));
      return {
        place,
        value: hide ? MASK : leafText(value),
        from: sources.map((source) => withOrigin(source, run, options.origins)),
      };
    }),
  }));
  return { requests, end: shown.end };
}

function walkRun(run: Run, answers: PreviewAnswers): Walk {
  return walk(run, flowOf(run), answers);
}

/** The values of a request that leave: path, query, headers and the body. */
function placesOf({ wire }: WalkedRequest) {
  const { params, query, headers, json, form, xml, text } = wire;
  return leavesOf({ params, query, headers, json, form, xml, text });
}

/** `step place` → inputs that change it. */
function provenance(run: Run, shown: Walk, answers: PreviewAnswers): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const before = textsOf(shown);
  const compare = (source: string, changed: () => Walk) => {
    for (const [place, text] of textsOf(attempt(changed)))
      if (before.has(place) && before.get(place) !== text)
        found.set(place, (found.get(place) ?? new Set()).add(source));
  };
  for (const [place, value] of leavesOf({ context: run.context, settings: run.settings })) {
    const other = different(value);
    if (other === undefined) continue;
    const source = place.startsWith('settings.') ? place : place.replace(/^context\.(payment\.)?/, '');
    compare(source, () => walkRun(changedRun(run, place, other), answers));
  }
  compare('step key', () => walkRun({ ...run, id: `${run.id}7` }, answers));
  for (const { step, endpoint } of shown.requests) {
    const reply = answers.replies[step] ?? exampleReply(endpoint);
    for (const [place, value] of leavesOf(reply)) {
      const other = different(value);
      if (other === undefined || place === 'reply') continue;
      const replies = { ...answers.replies, [step]: withLeaf(reply, place, other) };
      compare(`reply of ${step}: ${place.replace(/^body\./, '')}`, () => walkRun(run, { ...answers, replies }));
    }
  }
  return found;
}

function changedRun(run: Run, place: string, other: unknown): Run {
  const data = withLeaf({ context: run.context, settings: run.settings }, place, other);
  if (typeof data !== 'object' || data === null || !('context' in data) || !('settings' in data)) return run;
  const { context, settings } = data;
  if (typeof context !== 'object' || context === null) return run;
  // The flow is given the changed settings both as its own and in the request builders.
  return { ...run, settings, context: { ...context, settings } };
}

/** A changed input may break the flow; then it tells nothing. */
function attempt(changed: () => Walk): Walk {
  try {
    return changed();
  } catch {
    return { requests: [], end: '' };
  }
}

function textsOf(shown: Walk): Map<string, string> {
  return new Map(
    shown.requests.flatMap((request) =>
      placesOf(request).map(([place, value]) => [`${request.step} ${place}`, leafText(value)]),
    ),
  );
}

/** Inputs whose values are never shown: secret settings, and replies that are credentials. */
function secretSettings(run: Run): Set<string> {
  const secrets = new Set<string>();
  for (const [name, schema] of Object.entries(run.connector.settings.shape))
    if (fieldInfo(schema, name).secret === true) secrets.add(`settings.${name}`);
  for (const endpoint of run.connector.endpoints)
    if (endpoint.lifetimeSeconds !== undefined)
      for (const [place] of leavesOf(exampleReply(endpoint)))
        secrets.add(`reply of ${endpoint.name}: ${place.replace(/^body\./, '')}`);
  return secrets;
}

/** `parameters.fine` with the place that it was taken from: request, MID, payer or default. */
function withOrigin(source: string, run: Run, origins: PreviewOptions['origins']): string {
  const name = source.replace(/^(parameters|needed)\./, '');
  const origin = origins !== undefined && Object.hasOwn(origins, name) ? ` (${origins[name]})` : '';
  return source.startsWith('parameters.') ? `parameters.${run.method.key}.${name}${origin}` : `${name}${origin}`;
}
