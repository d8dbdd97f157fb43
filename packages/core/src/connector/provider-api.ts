import type * as z from 'zod';
import {
  type AnyDeclaration,
  anyEndpoint,
  call,
  type Calls,
  type CredentialEffect,
  type Endpoint,
  type EndpointMaker,
  endpointOf,
  type Found,
  type KeptKey,
  type Lookup,
  reply,
  type ReplyVariant,
  type RequestContext,
} from './endpoint.ts';
import type { ApiNotifications, Notifications } from './notification.ts';
import { bearerOf, type Declared, oauthToken } from './oauth-token.ts';
import type { References } from './of-this-payment.ts';
import { type Problem, type ProblemFacts, problemReaders, type ProblemReaders } from './problem.ts';
import { type AnyLinedDeclaration, type LinedEndpointMaker, type RequestLine, requestLine } from './request-line.ts';
import type { Codec, Signing, Wire } from './wire.ts';

/** The facts that all endpoints of a provider share. */
export interface ProviderFacts<S, P = Problem> extends ProblemFacts<P> {
  /** Where the provider documents its API; every example comes from there unless it says otherwise. */
  readonly source: string;
  /** Dotted names of request and reply fields that logs may show, in every endpoint; everything else is masked. */
  readonly visible?: readonly string[];
  /**
   * The token endpoint of the merchant's own access, as `oauthToken` declares it: every request carries its token (RFC 6750, 2.1), which is
   * asked for before the first call and again after a 401. An endpoint with `bearer: false` does not carry it.
   */
  readonly token?: Declared<S> & { readonly scope?: string };
  /** Headers of every request but that for the token, credentials among them. A request's own header of the same name wins. */
  readonly headers?: (settings: S) => Readonly<Record<string, string>>;
  /**
   * The signature of every request but that for the token, computed over what leaves, the headers of `headers` included. A request's own `sign`
   * counts in its place; an empty list signs nothing.
   */
  readonly sign?: (settings: S) => Signing | readonly Signing[];
  /** The header in which every `keyed` request carries its key. */
  readonly keyHeader?: string;
  /** How long the provider keeps keys, of every `keyed` request that does not say it itself. */
  readonly keyed?: KeptKey;
  /** How replies are read. Default `json`. */
  readonly codec?: Codec;
  /** The reply to a lookup of what the provider does not have, where its lookups share one. */
  readonly absent?: ReplyVariant<z.ZodType<P>>;
}

/** A lookup's two replies: the resource, or 404. */
type LookupReplies<B extends z.ZodType, P extends z.ZodType> = {
  readonly found: ReplyVariant<B>;
  readonly absent: ReplyVariant<P>;
};

/** The result of a lookup. */
type Looked<B, P> = { readonly reply: 'found'; readonly body: B } | { readonly reply: 'absent'; readonly body: P };

interface LookupDeclaration<B extends z.ZodType, P extends z.ZodType> {
  readonly found: B;
  readonly absent: P;
  readonly samples: { readonly found: unknown; readonly absent: unknown };
}

interface LookupMaker<S, W> {
  <B extends z.ZodType, P extends z.ZodType>(
    name: string,
    path: string,
    declared: LookupDeclaration<B, P>,
  ): Endpoint<S, string, Looked<z.output<B>, z.output<P>>>;
  <B extends z.ZodType, P extends z.ZodType>(
    name: string,
    path: string,
    replies: LookupReplies<B, P>,
  ): Endpoint<S, string, Looked<z.output<B>, z.output<P>>>;
  <B extends z.ZodType>(
    name: string,
    path: string,
    found: ReplyVariant<B>,
  ): Endpoint<S, string, Looked<z.output<B>, W>>;
}

export interface ProviderApi<S, W = Problem> extends ProblemReaders<S, W> {
  /**
   * Declares an endpoint by its name and the first line of its requests. A declaration has either `reply` (one success reply; a call answers
   * its body) or `replies` (a call answers `{ reply, body }`, a decline that arrives as a 402 included), and always a `repeat` policy:
   * without one it does not compile. A `timeoutMs` above `MAX_TIMEOUT_MS` throws.
   *
   * @example api.endpoint('create-charge', 'POST /charges', { repeat: 'keyed', request: (json: NewCharge) => ({ json }), replies });
   */
  readonly endpoint: LinedEndpointMaker<S>;
  /**
   * Declares a `safe` GET by the one `{name}` in its path, which answers `found` or `absent`: the reply `found` where the API states
   * `absent`, two replies, or schemas and samples where their statuses are 200 and 404.
   *
   * @example const getCharge = api.lookup('get-charge', '/charges/{id}', reply(200, charge, sampleCharge));
   * @throws Error where neither the lookup nor the API says what is absent
   */
  readonly lookup: LookupMaker<S, W>;
  /**
   * Declares the provider's notifications, as `notificationsFor` does: read by the codec of its replies unless given, and with examples
   * of its source.
   *
   * @example const notifications = api.notifications({ verify, body, events: ({ id }) => [ … ], examples: [{ body: sampleNotification }] });
   */
  readonly notifications: <B extends z.ZodType>(
    declared: ApiNotifications<S, z.output<B>> & { readonly body: B },
  ) => Notifications<S, z.output<B>>;
  /** All endpoints so far, in the order of their declaration; `defineConnector` takes them. */
  readonly endpoints: readonly Endpoint<S, never, unknown>[];
}

/**
 * Declares the API of a provider: what all its endpoints share once, then each endpoint, with the settings typed in every request builder.
 *
 * @example
 * const api = providerApi(settings, { source: 'https://docs.example/api', headers: ({ api_key }) => ({ 'x-api-key': api_key }) });
 * const getCharge = api.endpoint('get-charge', 'GET /charges/{id}', {
 *   repeat: 'safe',
 *   request: (id: string) => ({ params: { id } }),
 *   reply: z.object({ id: z.string(), status: z.string() }),
 * });
 */
export function providerApi<S extends z.ZodObject, W = Problem>(
  _settings: S,
  {
    source,
    visible = [],
    token,
    headers,
    sign,
    keyHeader,
    keyed,
    codec = 'json',
    absent,
    ...problems
  }: ProviderFacts<z.output<S>, W>,
): ProviderApi<z.output<S>, W> {
  type Settings = z.output<S>;
  const endpoints: Endpoint<Settings, never, unknown>[] = [];

  function add<I, R, FI, FR>(
    declared: AnyDeclaration<Settings, I, R, FI, FR>,
    access?: CredentialEffect,
    shared?: (context: RequestContext<Settings>) => Pick<Wire, 'headers' | 'sign'>,
  ): Endpoint<Settings, I, R> {
    const kept = declared.repeat === 'keyed' && keyed && { keyed };
    const whole = { codec, ...kept, ...declared, visible: [...visible, ...(declared.visible ?? [])] };
    const request = (input: I, context: RequestContext<Settings>): Wire => {
      const wire = declared.request(input, context);
      if (shared === undefined) return wire;
      const { headers: ofApi, ...signed } = shared(context);
      return { ...signed, ...wire, headers: { ...ofApi, ...wire.headers } };
    };
    const made = endpointOf({ ...whole, request }, source, access);
    endpoints.push(made);
    return made;
  }

  const addAlone: EndpointMaker<Settings> = <I, R, FI, FR>(declared: AnyDeclaration<Settings, I, R, FI, FR>) =>
    add(declared);
  const bearer: CredentialEffect | undefined = token && {
    kind: 'credential',
    endpoint: anyEndpoint(oauthToken(addAlone, token)),
    input: token.scope,
  };

  function endpoint<I, R, FI, FR>(declared: AnyDeclaration<Settings, I, R, FI, FR>): Endpoint<Settings, I, R> {
    const isKeyed = keyHeader !== undefined && declared.repeat === 'keyed';
    const access = declared.bearer === false ? undefined : bearer;
    if (headers === undefined && sign === undefined && access === undefined && !isKeyed) return add(declared);
    return add(declared, access, ({ settings, key, credential }) => ({
      ...(sign && { sign: sign(settings) }),
      headers: {
        ...(access && bearerOf(declared.name, credential)),
        ...headers?.(settings),
        ...(isKeyed && { [keyHeader]: key }),
      },
    }));
  }

  const declare: LinedEndpointMaker<Settings> = <I, R, FI, FR>(
    ...declared:
      | [AnyDeclaration<Settings, I, R, FI, FR>]
      | [name: string, line: RequestLine, rest: AnyLinedDeclaration<Settings, I, R, FI, FR>]
  ) => {
    if (declared.length === 1) return endpoint(declared[0]);
    const [name, line, rest] = declared;
    return endpoint({ ...rest, name, ...requestLine(line) });
  };
  return {
    endpoint: declare,
    endpoints,
    notifications: ({ examples = [], ...declared }) => ({
      codec,
      ...declared,
      ...(examples.length > 0 && { examples: examples.map((each) => ({ source, ...each })) }),
    }),
    ...problemReaders(problems),
    lookup: <B extends z.ZodType, P extends z.ZodType>(
      name: string,
      path: string,
      declared: LookupDeclaration<B, P> | LookupReplies<B, P> | ReplyVariant<B>,
    ) => {
      const place = placeOf(path);
      const request = (value: string) => ({ params: { [place]: value } });
      return declare({ name, path, repeat: 'safe', request, replies: lookupReplies(name, declared, absent) });
    },
  };
}

function lookupReplies<B extends z.ZodType, P extends z.ZodType, W extends z.ZodType>(
  name: string,
  declared: LookupDeclaration<B, P> | LookupReplies<B, P> | ReplyVariant<B>,
  shared: ReplyVariant<W> | undefined,
): LookupReplies<B, P | W> {
  if ('status' in declared) {
    if (shared === undefined)
      throw new Error(`"${name}" does not say what it answers where nothing is found, nor does its API.`);
    return { found: declared, absent: shared };
  }
  if (!('samples' in declared)) return { found: declared.found, absent: declared.absent };
  const { found, absent, samples } = declared;
  return { found: reply(200, found, samples.found), absent: reply(404, absent, samples.absent) };
}

/** @throws Error where a path does not have exactly one `{name}` */
function placeOf(path: string): string {
  const [first, ...more] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (first === undefined || more.length > 0)
    throw new Error(`A lookup has one {name} in its path; "${path}" has not.`);
  return first;
}

type FoundReply = { readonly reply: 'found' };

/** Of a lookup's replies the one that found something. */
const isFound = <R extends { readonly reply: string }>(answer: R): answer is Extract<R, FoundReply> =>
  answer.reply === 'found';

/** A reply `created` with this body, as a finder by one call finds it. */
type Created<B> = { readonly reply: 'created'; readonly body: B };

/**
 * Finds out what became of a request without a reply, by a name that it carried: what is found is its reply `created`.
 *
 * @param asked the input of the lookup, from that of the request; nothing where the lookup takes none, as of a list
 * @param made where a resource that is found does not say it by itself: the body of the reply `created`, `absent` or `unclear`
 * @example find: foundBy(findCharge, ({ external_id }: ChargeRequest) => external_id)
 * @example find: foundBy(listRefunds, undefined, ({ data }, sent) => data.find(({ note }) => note === sent.note) ?? 'unclear')
 */
export function foundBy<S, I, FI, R extends { readonly reply: string; readonly body: unknown }>(
  endpoint: Endpoint<S, FI, R>,
  asked: (sent: I) => FI,
): Lookup<S, I, Created<Extract<R, FoundReply>['body']>, FI, R>;
export function foundBy<S, I, FI, R, B>(
  endpoint: Endpoint<S, FI, R>,
  asked: ((sent: I) => FI) | (undefined extends FI ? undefined : never),
  made: (answer: R, sent: I) => B | 'absent' | 'unclear',
): Lookup<S, I, Created<B>, FI, R>;
export function foundBy<S, I, R extends { readonly reply: string; readonly body: unknown }>(
  endpoint: Endpoint<S, unknown, R>,
  asked: (sent: I) => unknown = () => undefined,
  made: (answer: R, sent: I) => unknown = (answer) => (isFound(answer) ? answer.body : 'absent'),
): Lookup<S, I, Created<unknown>, unknown, R> {
  return { endpoint, input: asked, read: (answer, sent) => createdOr(made(answer, sent)) };
}

const createdOr = (body: unknown): Found<Created<unknown>> =>
  body === 'absent' || body === 'unclear' ? body : { found: { reply: 'created', body } };

/**
 * Looks a payment or a modification up by the provider's reference, or by ours where the reply that named it was lost.
 *
 * @example const answer = yield* getOrFind(payment, { get: getCharge, find: findCharge });
 */
export function* getOrFind<S, R>(
  { providerReference, merchantReference }: References & { readonly merchantReference: string },
  { get, find }: Readonly<Record<'get' | 'find', Endpoint<S, string, R>>>,
): Calls<R> {
  return providerReference === undefined ? yield* call(find, merchantReference) : yield* call(get, providerReference);
}
