import { nestBrackets } from '@railyard/core';
import type { Codec } from '@railyard/core/driver';
import { CONTENT_TYPES, readBody, writeBody } from '@railyard/runtime';

/** Reads a request body by its content type. @returns `undefined` where it cannot be read */
export function readRequestBody(text: string, contentType: string): unknown {
  if (contentType.includes('json')) return readBody(text, 'json');
  if (contentType.includes('x-www-form-urlencoded')) return nestBrackets(Object(readBody(text, 'form')));
  if (contentType.includes('xml')) return readBody(text, 'xml');
  return text === '' ? undefined : text;
}

/** Writes a reply as the endpoint's codec wants it. */
export function writeReplyBody(value: unknown, codec: Codec): { readonly type: string; readonly text: string } {
  return { type: CONTENT_TYPES[codec], text: writeBody(value, codec) };
}
