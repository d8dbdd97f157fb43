import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Facts, SentRequest } from '@railyard/conformance/official';
import {
  collect,
  type Connector,
  defineConnector,
  defineMethod,
  type Outcome,
  pending,
  type providerApi,
  type statusTable,
  type Steps,
} from '@railyard/core';
import type { AnyEndpoint } from '@railyard/core/driver';
import { encodeRequest } from '@railyard/runtime';
import * as z from 'zod';
import { accessOf } from '../../src/import/access.ts';
import { snake } from '../../src/import/names.ts';
import { Questions } from '../../src/import/questions.ts';
import { requestOf } from '../../src/import/requests.ts';
import { sampleOf } from '../../src/import/sample.ts';
import { Selection } from '../../src/import/selection.ts';
import { shapeOf } from '../../src/import/shape-of.ts';

const anySettings = z.object({ base_url: z.url() });

const written = z.object({
  api: z.custom<ReturnType<typeof providerApi<typeof anySettings>>>(),
  settings: z.custom<typeof anySettings>(),
  statuses: z.custom<ReturnType<typeof statusTable>>(),
});

/** What a written file of endpoints exports. */
export async function loadImported(file: string) {
  const loaded: unknown = await import(pathToFileURL(file).href);
  return { ...written.parse(loaded), all: z.record(z.string(), z.unknown()).parse({ ...Object(loaded) }) };
}

export const method = defineMethod({
  key: 'imported',
  title: 'Imported',
  operations: { purchase: { parameters: z.strictObject({}), completion: ['redirect'] } },
});

function* waiting(): Steps<Outcome> {
  yield* collect({ step: 'wait', fields: z.strictObject({}) });
  return pending('p-1');
}

/** A connector of endpoints that were written, with a flow that a test brings. */
export function connectorOf(
  { api, settings, statuses }: Awaited<ReturnType<typeof loadImported>>,
  purchase: () => Steps<Outcome> = waiting,
): Connector {
  return defineConnector({
    id: 'imported',
    contract: 1,
    version: '1.0.0',
    title: 'Imported',
    settings,
    endpoints: api.endpoints,
    statuses,
    serves: (serve) => [
      serve(method, {
        purchase,
        status: waiting,
      }),
    ],
  });
}

/** Settings of any connector that was written: texts that its schemes may want. */
export const SETTINGS = {
  base_url: 'https://api.example',
  oauth_url: 'https://login.example',
  ...Object.fromEntries(
    ['api_key', 'access_token', 'username', 'password', 'client_id', 'client_secret'].map((name) => [name, 'a-text']),
  ),
};

/** The request of an endpoint as it leaves, for an input that is made of the description's types. */
export function requestFrom(connector: Connector, endpoint: AnyEndpoint, facts: Facts, operation: string): SentRequest {
  const about = facts.operations[operation];
  if (about === undefined) throw new Error(`There is no ${operation}.`);
  const { headers: shared } = accessOf(facts, new Questions());
  const schemes = [...Object.values(facts.security ?? {}), ...shared.map((name) => ({ type: 'header', name }))];
  const reading = {
    endpoint: endpoint.name,
    schemas: facts.schemas,
    direction: 'request',
    selection: new Selection([]),
    of: operation,
    note: () => undefined,
  } as const;
  const { places, body } = requestOf(operation, about, schemes, reading);
  const sampleAt = (place: string, name: string) => {
    const parameter = about.parameters.find(
      (each) => each.in === place && each.name.toLowerCase() === name.toLowerCase(),
    );
    return String(sampleOf(shapeOf(reading, { schema: parameter?.schema ?? true, within: [] }, name), name));
  };
  const inputs = places.filter(({ setting }) => setting === undefined);
  const given = inputs.map(({ in: place, name, field }) => [field, sampleAt(place, name)] as const);
  const ofAccount = [
    ...shared.map((name) => [snake(name), sampleAt('header', name)] as const),
    ...places.flatMap(({ in: place, name, setting }) =>
      setting === undefined ? [] : [[setting, sampleAt(place, name)] as const],
    ),
  ];
  const settings = { ...SETTINGS, ...Object.fromEntries(ofAccount) };
  const parts = {
    ...Object.fromEntries(given),
    ...(body && { body: sampleOf(body.shape, 'value') }),
  };
  // One value is an input by itself, unless it may be absent or is one of several words.
  const [only, ...more] = Object.values(parts);
  const [place] = inputs;
  const isAlone = more.length === 0 && (place === undefined || (place.required && place.words === undefined));
  const wire = endpoint.request(isAlone ? only : parts, {
    settings,
    key: randomUUID(),
    credential: { access_token: 'a-token' },
  });
  const sent = encodeRequest(connector, settings, endpoint, wire, { now: 0, id: randomUUID() }, () => {
    throw new Error('No card is sent.');
  });
  const { pathname: path, searchParams } = new URL(sent.url);
  return {
    method: sent.method,
    path,
    query: Object.fromEntries(searchParams),
    headers: sent.headers,
    // A form is text alone, also where it is nested.
    ...(wire.form !== undefined && { body: asTexts(wire.form) }),
    ...(wire.json !== undefined && { body: JSON.parse(sent.body ?? '') }),
  };
}

function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asTexts(each)]));
}
