import { bodyLimits } from '@railyard/core';
import type { Context } from 'hono';

export type ReadBody = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false };

/** Reads a body up to the protocol's limit; a larger one is not read to its end. */
export async function readBytes(c: Context): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = c.req.raw.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > bodyLimits.bytes) {
      await reader.cancel();
      return { ok: false };
    }
    chunks.push(value);
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
}

/** The text of UTF-8 bytes, or `undefined` where they are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The fields of an urlencoded form; the first value of a repeated name. */
export async function readForm(c: Context): Promise<ReadonlyMap<string, string> | undefined> {
  const body = await readBytes(c);
  if (!body.ok) return undefined;
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body.bytes).toString('utf8')))
    if (!fields.has(name)) fields.set(name, value);
  return fields;
}
