import type * as z from 'zod';
import {
  type AnyDeclaration,
  call,
  type Calls,
  type Endpoint,
  type EndpointMaker,
  endpointOf,
  type Lookup,
  type ReplyVariant,
  type RequestContext,
} from './endpoint.ts';
import type { References } from './of-this-payment.ts';
import { declined, type Outcome, type ProviderWord, unknown } from './outcome.ts';
import { unlessTakenBefore } from './reasons.ts';
import type { Codec, Wire } from './wire.ts';

/** The facts that all endpoints of a provider share. */
export interface ProviderFacts<S> {
  /** Where the provider documents its API; every example comes from there unless it says otherwise. */
  readonly source: string;
  /** Dotted names of request and reply fields that logs may show, in every endpoint; everything else is masked. */
  readonly visible?: readonly string[];
  /** Headers of every request, credentials among them. A request's own header of the same name wins. */
  readonly headers?: (settings: S) => Readonly<Record<string, string>>;
  /** The header in which every `keyed` request carries its key. */
  readonly keyHeader?: string;
  /** How replies are read. Default `json`. */
  readonly codec?: Codec;
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

export interface ProviderApi<S> {
  /**
   * Declares an endpoint. A declaration has either `reply` (one success reply; a call answers its body) or `replies` (a call answers
   * `{ reply, body }`, a decline that arrives as a 402 included), and always a `repeat` policy: without one it does not compile.
   * A `timeoutMs` above `MAX_TIMEOUT_MS` throws.
   */
  readonly endpoint: EndpointMaker<S>;
  /** Declares a `safe` GET by the one `{name}` in its path, which answers `found` (200) or `absent` (404). */
  lookup<B extends z.ZodType, P extends z.ZodType>(
    name: string,
    path: string,
    declared: LookupDeclaration<B, P>,
  ): Endpoint<S, string, Looked<z.output<B>, z.output<P>>>;
  /** All endpoints so far, in the order of their declaration; `defineConnector` takes them. */
  readonly endpoints: readonly Endpoint<S, never, unknown>[];
}

/**
 * Declares the API of a provider: what all its endpoints share once, then each endpoint, with the settings typed in every request builder.
 *
 * @example
 * const api = providerApi(settings, { source: 'https://docs.example/api', headers: ({ api_key }) => ({ 'x-api-key': api_key }) });
 * const getCharge = api.endpoint({
 *   name: 'get-charge', path: '/charges/{id}', repeat: 'safe',
 *   request: (id: string) => ({ params: { id } }),
 *   reply: z.object({ id: z.string(), status: z.string() }),
 * });
 */
export function providerApi<S extends z.ZodObject>(
  _settings: S,
  { source, visible = [], headers, keyHeader, codec = 'json' }: ProviderFacts<z.output<S>>,
): ProviderApi<z.output<S>> {
  type Settings = z.output<S>;
  const endpoints: Endpoint<Settings, never, unknown>[] = [];

  function endpoint<I, R, FI, FR>(declared: AnyDeclaration<Settings, I, R, FI, FR>): Endpoint<Settings, I, R> {
    const { request, repeat } = declared;
    const isKeyed = keyHeader !== undefined && repeat === 'keyed';
    const whole = {
      codec,
      ...declared,
      visible: [...visible, ...(declared.visible ?? [])],
      request: (input: I, context: RequestContext<Settings>): Wire => {
        const wire = request(input, context);
        if (headers === undefined && !isKeyed) return wire;
        const key = isKeyed && { [keyHeader]: context.key };
        return { ...wire, headers: { ...headers?.(context.settings), ...key, ...wire.headers } };
      },
    };
    const made = endpointOf(whole, source);
    endpoints.push(made);
    return made;
  }

  const declare: EndpointMaker<Settings> = endpoint;
  return {
    endpoint: declare,
    endpoints,
    lookup: <B extends z.ZodType, P extends z.ZodType>(
      name: string,
      path: string,
      { found, absent, samples }: LookupDeclaration<B, P>,
    ): Endpoint<Settings, string, Looked<z.output<B>, z.output<P>>> => {
      const place = placeOf(path);
      const replies: LookupReplies<B, P> = {
        found: { status: 200, body: found },
        absent: { status: 404, body: absent },
      };
      return declare({
        name,
        path,
        repeat: 'safe',
        request: (value: string) => ({ params: { [place]: value } }),
        replies,
        examples: [
          { is: 'found', status: 200, body: samples.found },
          { is: 'absent', status: 404, body: samples.absent },
        ],
      });
    },
  };
}

/** @throws Error where a path does not have exactly one `{name}` */
function placeOf(path: string): string {
  const [first, ...more] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (first === undefined || more.length > 0)
    throw new Error(`A lookup has one {name} in its path; "${path}" has not.`);
  return first;
}

/**
 * Finds out what became of a request without a reply, by a name that it carried: what is found is its reply `created`.
 *
 * @example find: foundBy(findCharge, ({ external_id }: ChargeRequest) => external_id)
 */
export function foundBy<S, I, B, P>(
  endpoint: Endpoint<S, string, Looked<B, P>>,
  nameIn: (sent: I) => string,
): Lookup<S, I, { readonly reply: 'created'; readonly body: B }, string, Looked<B, P>> {
  return {
    endpoint,
    input: nameIn,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  };
}

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

/** A provider's account of what was wrong, as most of them write it. */
interface Problem {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * The provider did not take the request: no money has moved.
 *
 * @param takenBefore codes that say that the provider has a request under this reference or key already: the outcome is unknown then
 * @example refusedBy(answer.body, new Set(['duplicate_reference']))
 */
export function refusedBy(problem: Problem, takenBefore: ReadonlySet<string> = new Set()): Outcome {
  const reason = 'The provider refused the request.';
  return unlessTakenBefore(declined('hard', 'declined_by_provider', { reason, ...wordOf(problem) }), takenBefore);
}

/** The provider does not know the payment. That is no decline: the request may still be on its way. */
export const notFound = (problem: Problem = {}): Outcome =>
  unknown('The provider does not know this payment.', wordOf(problem));

function wordOf({ code, message }: Problem): { readonly provider?: ProviderWord } {
  if (code === undefined && message === undefined) return {};
  return { provider: { ...(code !== undefined && { code }), ...(message !== undefined && { message }) } };
}
