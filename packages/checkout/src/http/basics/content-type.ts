import type { Context } from 'hono';

/**
 * The media type of a request's body, in lower case and without parameters; `undefined` for a compressed body. Nothing is
 * unpacked: a compressed body may be a thousand times as large as it looks.
 */
export function contentTypeOf(c: Context): string | undefined {
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') return undefined;
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
