import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { Connector } from '@railyard/core';
import type { AnyEndpoint, CardHandle, SignedParts, Signing, Wire } from '@railyard/core/driver';
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
 * @param open gives a card part; it throws where the part is no longer held
 */
export function encodeRequest(
  connector: Connector,
  settings: unknown,
  endpoint: AnyEndpoint,
  wire: Wire,
  open: (handle: CardHandle) => string,
): HttpRequest {
  const base = baseUrlOf(connector, endpoint, settings);
  const url = new URL(base + fillPath(endpoint, wire) + queryText(wire));
  const unsigned = writeWire(wire, open, undefined);
  const headers: Record<string, string> = { accept: ACCEPT[endpoint.codec] };
  if (unsigned.type !== undefined) headers['content-type'] = CONTENT_TYPES[unsigned.type];
  for (const [name, value] of Object.entries(wire.headers ?? {}))
    if (value !== undefined) headers[name.toLowerCase()] = value;
  const parts = { method: endpoint.method, path: url.pathname + url.search, body: unsigned.body ?? '', headers };
  const body = wire.sign === undefined ? unsigned.body : signed(wire, wire.sign, parts, headers, open);
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

/** Adds the signature to the headers, or answers the body with the signature in its field. */
function signed(
  wire: Wire,
  sign: Signing,
  parts: SignedParts,
  headers: Record<string, string>,
  open: (handle: CardHandle) => string,
): string | undefined {
  const signature = computeSignature(sign, parts);
  if ('field' in sign.into && !hasFields(wire))
    throw new Error(
      `A signature goes into the field "${sign.into.field}" of a form or a JSON object. Use a header here.`,
    );
  if ('field' in sign.into) return writeWire(wire, open, { [sign.into.field]: signature }).body;
  headers[sign.into.header.toLowerCase()] = (sign.into.prefix ?? '') + signature;
  return parts.body === '' ? undefined : parts.body;
}

function hasFields({ json, form }: Wire): boolean {
  return form !== undefined || (typeof json === 'object' && json !== null && !Array.isArray(json));
}

function writeWire(
  wire: Wire,
  open: (handle: CardHandle) => string,
  extra: Readonly<Record<string, string>> | undefined,
) {
  if (wire.json !== undefined)
    return { type: 'json' as const, body: writeBody(withFields(fillIn(wire.json, open), extra), 'json') };
  if (wire.form !== undefined)
    return { type: 'form' as const, body: writeBody(fillIn({ ...wire.form, ...extra }, open), 'form') };
  if (wire.xml !== undefined) return { type: 'xml' as const, body: writeBody(fillIn(wire.xml, open), 'xml') };
  if (wire.text !== undefined) return { type: 'text' as const, body: wire.text };
  return { type: undefined, body: undefined };
}

function withFields(value: Filled, extra: Readonly<Record<string, string>> | undefined): Filled {
  return extra !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value, ...extra }
    : value;
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
