/** Schemes that would run or show something in the page's own name instead of leaving it. */
const HOSTILE = new Set([
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'vbscript:',
  'view-source:',
]);

/**
 * An address that the payer may be sent to, normalised, or `undefined` where it is none. Connectors and sessions were checked
 * before; this is the second wall, because an address becomes a link here.
 *
 * @param apps also the addresses that open an app, such as `upi://pay`
 */
export function leavingAddress(text: string, apps = false): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  if (protocol === 'https:' || protocol === 'http:') return href;
  return apps && !HOSTILE.has(protocol) ? href : undefined;
}

/** An address with more fields in its query. A form with `method="get"` would drop the query that is already there. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
