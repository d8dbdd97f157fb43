/** A notification as it arrived. */
export interface RawNotification {
  /** Upper case. */
  readonly method: string;
  /** The address as the provider calls it, with its query. */
  readonly url: string;
  /** Of the address the part behind that of the MID, as sent: empty, or `/pix` for instance. */
  readonly path: string;
  /** The query's parameters; of those with one name the first. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly body: string;
  /** It came through a proxy that the operator's configuration names: only then a header may say what the proxy saw of the connection. */
  readonly proxied: boolean;
}

/** The parts of a notification that a host has; the rest follows from them. Without a method it is a POST, and it came through no proxy. */
export type ArrivedNotification = Pick<RawNotification, 'body' | 'headers'> &
  Partial<Pick<RawNotification, 'method' | 'url' | 'path' | 'bytes' | 'proxied'>>;

/** A notification with all its parts. */
export function rawNotification(arrived: ArrivedNotification): RawNotification {
  const { body, headers, method = 'POST', url = '', path = '', proxied = false } = arrived;
  const { bytes = new TextEncoder().encode(body) } = arrived;
  const at = url.indexOf('?');
  // Reversed, so that the first of one name is written last.
  const query = Object.fromEntries(at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))].toReversed());
  return { method: method.toUpperCase(), url, path, query, headers, bytes, body, proxied };
}
