import { type Connector, nestBrackets } from '@railyard/core';
import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { HttpRequest } from '@railyard/runtime';
import { type Scrubbed, scrubber } from './scrub.ts';

/** A recorded exchange in the form of the conformance kit's golden exchanges. */
export interface RecordedGolden {
  readonly endpoint: string;
  readonly source: string;
  readonly when: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly reply: { readonly status: number; readonly body: unknown };
}

export interface Exchange {
  readonly request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>;
  readonly reply: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export interface Circumstances {
  /** Below which the endpoints' paths stand. */
  readonly baseUrl: string;
  readonly connector: Connector | undefined;
  /** Text → its place. */
  readonly known: ReadonlyMap<string, string>;
  readonly source: string;
  readonly when: string | undefined;
}

/** Headers of the connection, and headers that a client adds by itself: no connector sets them. */
const CONNECTION = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'content-type',
  'date',
  'host',
  'keep-alive',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
]);

/** Writes down an exchange without what must not be kept. */
export function goldenOf(
  { request, reply }: Exchange,
  { baseUrl, connector, known, source, when }: Circumstances,
): {
  readonly golden: RecordedGolden;
  readonly scrubbed: readonly Scrubbed[];
} {
  const { scrub, scrubText, scrubbed, again } = scrubber(known);
  const base = withoutTrailingSlashes(baseUrl);
  const given = request.url.startsWith(base) ? request.url.slice(base.length) : new URL(request.url).pathname;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !CONNECTION.has(name.toLowerCase()))
    .map(([name, value]) => [name.toLowerCase(), scrubText(value, `request.headers.${name.toLowerCase()}`)]);
  const body = request.body === undefined || request.body === '' ? undefined : dataOf(request.body, request.headers);
  const path = scrubPath(given, scrubText);
  const written = body === undefined ? undefined : scrub(body, 'request.body');
  const answered = scrub(dataOf(reply.body, reply.headers), 'reply.body');
  const golden = {
    endpoint: endpointNamed(connector, request.method, given),
    source: scrubText(source, 'source'),
    when: when ?? `answered with ${reply.status}`,
    request: {
      method: request.method,
      path,
      headers: Object.fromEntries(headers),
      ...(written !== undefined && { body: again(written, 'request.body') }),
    },
    reply: { status: reply.status, body: again(answered, 'reply.body') },
  };
  return { golden, scrubbed };
}

/** A path whose query carries secrets by their names. */
function scrubPath(path: string, scrubText: (value: string, place: string) => string): string {
  const [place = '', query] = path.split('?');
  const clean = scrubText(place, 'request.path');
  if (query === undefined) return clean;
  const pairs = query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return `${name}=${scrubText(value, `request.query.${name}`)}`;
  });
  return `${clean}?${pairs.join('&')}`;
}

/** JSON and forms as data, everything else as text. */
function dataOf(text: string, headers: Readonly<Record<string, string>>): unknown {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (type.includes('x-www-form-urlencoded')) return nestBrackets(Object.fromEntries(new URLSearchParams(text)));
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** The endpoint that a request is for, of several the one with the fewest places; without one, method and path, to be named by hand. */
function endpointNamed(connector: Connector | undefined, method: string, path: string): string {
  const place = path.split('?')[0] ?? '';
  const [found] = (connector?.endpoints ?? [])
    .filter((each) => each.method === method && pattern(each.path).test(place))
    .toSorted((a, b) => placesIn(a.path) - placesIn(b.path));
  return found?.name ?? `${method} ${place}`;
}

const placesIn = (path: string) => path.split('{').length;

/** `{name}` stands for one part of a path. */
const pattern = (path: string) =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  );
