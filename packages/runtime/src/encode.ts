import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { Connector } from '@railyard/core';
import type { AnyEndpoint, CardHandle, SignedParts, SigningMoment, Wire } from '@railyard/core/driver';
import { CONTENT_TYPES, type Filled, fillIn, writeBody } from './codecs.ts';
import { computeSignature } from './signing.ts';
import type { HttpRequest } from './transport.ts';

/** Replies larger than this are cut off; no provider's answer to a payment comes near it. */
export const MAX_REPLY_BYTES = 1_048_576;

const ACCEPT = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: '*/*',
  none: '*/*',
} as const;

/** The address below which an endpoint is reached, without a slash at its end. */
export function baseUrlOf(connector: Connector, endpoint: AnyEndpoint, settings: unknown): string {
  return withoutTrailingSlashes(endpoint.baseUrl?.(settings) ?? connector.baseUrl(settings));
}

/**
 * Turns a declared request into the bytes that leave: path places filled, body written, card parts filled in, signature added.
 *
 * @param moment when it leaves, for signatures
 * @param open gives a card part; it throws where the part is no longer held
 */
export function encodeRequest(
  connector: Connector,
  settings: unknown,
  endpoint: AnyEndpoint,
  wire: Wire,
  moment: SigningMoment,
  open: (handle: CardHandle) => string,
): HttpRequest {
  const base = baseUrlOf(connector, endpoint, settings);
  const url = new URL(base + fillPath(endpoint, wire) + queryText(wire));
  const unsigned = writeWire(wire, open, {});
  const headers: Record<string, string> = { accept: ACCEPT[endpoint.codec] };
  if (unsigned.type !== undefined) headers['content-type'] = CONTENT_TYPES[unsigned.type];
  for (const [name, value] of Object.entries(wire.headers ?? {}))
    if (value !== undefined) headers[name.toLowerCase()] = value;
  const parts = { method: endpoint.method, path: url.pathname + url.search };
  const body = wire.sign === undefined ? unsigned.body : signed(wire, parts, headers, moment, open);
  const tls = connector.tls?.(settings);
  return {
    method: endpoint.method,
    url: url.href,
    headers,
    ...(body !== undefined && { body }),
    timeoutMs: endpoint.timeoutMs,
    maxReplyBytes: MAX_REPLY_BYTES,
    ...(tls && { tls }),
  };
}

/** Adds the signatures to the headers, and returns the body with the signatures that go into its fields. */
function signed(
  wire: Wire,
  unsigned: Omit<SignedParts, 'body' | 'headers'>,
  headers: Record<string, string>,
  moment: SigningMoment,
  open: (handle: CardHandle) => string,
): string | undefined {
  const fields: Record<string, string> = {};
  for (const sign of [wire.sign ?? []].flat()) {
    for (const [name, value] of Object.entries(sign.headers?.(moment) ?? {})) headers[name.toLowerCase()] = value;
    const body = writeWire(wire, open, fields).body ?? '';
    const signature = computeSignature(sign, { ...unsigned, body, headers: { ...headers } }, moment);
    if (!('field' in sign.into)) headers[sign.into.header.toLowerCase()] = (sign.into.prefix ?? '') + signature;
    else if (hasFields(wire)) fields[sign.into.field] = signature;
    else
      throw new Error(
        `A signature goes into the field "${sign.into.field}" of a form or a JSON object. Use a header here.`,
      );
  }
  return writeWire(wire, open, fields).body;
}

function hasFields({ json, form }: Wire): boolean {
  return form !== undefined || (typeof json === 'object' && json !== null && !Array.isArray(json));
}

function writeWire(wire: Wire, open: (handle: CardHandle) => string, extra: Readonly<Record<string, string>>) {
  if (wire.json !== undefined)
    return { type: 'json' as const, body: writeBody(withFields(fillIn(wire.json, open), extra), 'json') };
  if (wire.form !== undefined)
    return { type: 'form' as const, body: writeBody(fillIn({ ...wire.form, ...extra }, open), 'form') };
  if (wire.xml !== undefined) return { type: 'xml' as const, body: writeBody(fillIn(wire.xml, open), 'xml') };
  if (wire.text !== undefined) return { type: 'text' as const, body: wire.text };
  return { type: undefined, body: undefined };
}

function withFields(value: Filled, extra: Readonly<Record<string, string>>): Filled {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, ...extra } : value;
}

function fillPath(endpoint: AnyEndpoint, wire: Wire): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = wire.params?.[name];
    if (value === undefined || value === '' || value === '.' || value === '..')
      throw new Error(`Endpoint ${endpoint.name}: the path needs a value for {${name}}. Give it under params.`);
    return encodeURIComponent(value);
  });
}

function queryText(wire: Wire): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wire.query ?? {})) if (value !== undefined) query.append(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
