import type { Context } from 'hono';

/**
 * What a request says that its body is, in lower case and without parameters; `undefined` for a packed one. Nothing is unpacked: a packed
 * body may be a thousand times as large as it looks.
 */
export function contentTypeOf(c: Context): string | undefined {
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') return undefined;
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}
