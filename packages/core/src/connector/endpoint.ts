import type * as z from 'zod';
import type { Codec, Wire } from './wire.ts';

/** The arguments of a request builder besides its input. */
export interface RequestContext<S> {
  readonly settings: S;
  /** A key that is the same whenever this step of this flow is sent again; for a provider's idempotency header. 36 characters. */
  readonly key: string;
  /** The reply of the endpoint's `access`, where it has one. */
  readonly credential?: unknown;
}

/**
 * The recovery when a request may have been sent and no reply is known (time-out, reset, crash, a status from 500 on, a 401):
 * - `safe`: it changes nothing; it is sent again.
 * - `keyed`: the provider keeps one effect per key; it is sent again with the same key, unless the provider has forgotten the key (`keyed`).
 * - `by-reference`: the provider keeps our reference unique; it is looked up with `find`, and sent again only when the provider
 *   says that it does not know the reference.
 * - `once`: nothing of this; it is never sent again, the payment becomes unknown and is looked up.
 *
 * Of a repeat only a positive answer counts, unless the endpoint is `safe`: a refusal or a decline says nothing about the send before it.
 */
export type RepeatPolicy = 'safe' | 'keyed' | 'by-reference' | 'once';

/** A reply that an endpoint knows: recognised by status and, where several share one, by the body. */
export interface ReplyVariant<B extends z.ZodType = z.ZodType> {
  /**
   * HTTP status, or several. A flow is given a reply of 429, or from 500 on, only where `refuses` quotes the provider on it: see `isForFlow`.
   */
  readonly status: number | readonly number[];
  /** Fields of the body that must have these values, by dotted path: an error answered as 200, for example. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  /**
   * Whether it says that the request was not taken: unless declared, where its status is from 400 on. A refusal with another status, with
   * 429 or from 500 on says so in the words of the provider's documentation; `false` is for an error that names what an earlier send made.
   * The refusal of a repeat is no answer to the send before it.
   *
   * @example refuses: { says: '503 MAINTENANCE: no request was processed' }
   */
  readonly refuses?: false | { readonly says: string };
  /** Headers of the reply, by their names in lower case: `location`, `retry-after`, a correlation id. Others are dropped, as in `body`. */
  readonly headers?: z.ZodObject;
  /** Name what the flow uses and nothing else: what is not named is dropped before the reply is written down. */
  readonly body: B;
  /** Bodies of this reply as the provider documents them: examples of every endpoint that has the variant, with its first status. */
  readonly samples?: readonly unknown[];
}

/** Too many requests (RFC 6585, 4): nothing was taken, and the request may be sent again later. */
export const TOO_MANY_REQUESTS = 429;

/** From here on a provider failed (RFC 9110, 15.6): it may have done its work before. */
const SERVER_ERRORS = 500;

/**
 * Whether a flow is given the variant with this status. 429 and every status from 500 on have a meaning of their own, whatever a variant makes
 * of them, unless it quotes the provider.
 */
export const isForFlow = ({ refuses }: Pick<ReplyVariant, 'refuses'>, status: number): boolean =>
  (status !== TOO_MANY_REQUESTS && status < SERVER_ERRORS) || typeof refuses === 'object';

/** Whether the variant with this status says that the request was not taken. */
export const isRefusal = ({ refuses }: Pick<ReplyVariant, 'refuses'>, status: number): boolean =>
  refuses === undefined ? status >= 400 : refuses !== false;

/**
 * A reply variant with its samples on one line; one that several endpoints share is declared once.
 *
 * @example const refused = reply([400, 422], problem, { code: 'invalid_amount' });
 */
export const reply = <B extends z.ZodType>(
  status: ReplyVariant['status'],
  body: B,
  ...samples: readonly unknown[]
): ReplyVariant<B> => ({ status, body, samples });

export type ReplyVariants = Readonly<Record<string, ReplyVariant>>;

type HeadersOf<V> = V extends { readonly headers: infer H extends z.ZodObject }
  ? { readonly headers: z.output<H> }
  : unknown;

/** The result of a call: the variant's name, its body, and its headers where it declares them. */
export type ReplyOf<V extends ReplyVariants> = {
  [K in keyof V & string]: { readonly reply: K; readonly body: z.output<V[K]['body']> } & HeadersOf<V[K]>;
}[keyof V & string];

/** An exchange as the provider documents it. Previews answer with it, the simulator starts from it, tests compare with it. */
export interface Example {
  /** The variant that the reply is; absent where the endpoint has one `reply`. */
  readonly is?: string;
  readonly status?: number;
  readonly body: unknown;
  /** The headers that the variant declares, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where this exchange is written down. */
  readonly source: string;
}

/** An example as an adapter writes it: its source is that of the provider unless given. */
export type DeclaredExample = Omit<Example, 'source'> & Partial<Pick<Example, 'source'>>;

/**
 * The reply that a lost request would have had, `absent` where the provider does not know the reference, `unclear` where it does not say.
 * Lookups lag, so `absent` is no refusal: the request is sent again, and declined by nothing but the provider's own word for it.
 */
export type Found<R> = { readonly found: R } | 'absent' | 'unclear';

/** How to find out, with `safe` endpoints, what became of a request that may have been sent. */
export interface Finder<S, I, R> {
  /** The endpoints that `steps` calls. */
  readonly endpoints: readonly AnyEndpoint[];
  /** Calls alone; none is written down, because each may be repeated. */
  steps(input: I, context: RequestContext<S>): Calls<Found<R>>;
}

/** A finder that is one call. */
export interface Lookup<S, I, R, FI, FR> {
  readonly endpoint: Endpoint<S, FI, FR>;
  /** The input of the lookup. Method syntax, as below, so that endpoints with different finders fit in one list. */
  input(input: I, context: RequestContext<S>): FI;
  read(found: FR, sent: I): Found<R>;
}

/** A finder that is a short flow: the request's state first, then what it made. */
interface Lookups<S, I, R> {
  readonly endpoints: readonly Endpoint<S, never, unknown>[];
  steps(input: I, context: RequestContext<S>): Calls<Found<R>>;
}

/** How long a provider keeps the key of a request. */
export interface KeptKey {
  /** An older request is never sent again, because the provider would act on it anew: the payment is unknown, and is looked up. */
  readonly forHours: number;
}

export interface Endpoint<S, I, R> {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `{name}` places. */
  readonly path: string;
  /** The base URL where it is not the connector's: a token host, a host for payouts. */
  baseUrl?(settings: S): string;
  readonly repeat: RepeatPolicy;
  readonly find?: Finder<S, I, R>;
  /** Of one that is `keyed`; absent where the provider keeps keys for ever, or does not say. */
  readonly keyed?: KeptKey;
  readonly codec: Codec;
  /** How long a reply is waited for, at most `MAX_TIMEOUT_MS`. */
  readonly timeoutMs: number;
  readonly variants: ReplyVariants;
  /** `true`: calls answer the body itself, because there is one reply. */
  readonly plain: boolean;
  readonly examples: readonly Example[];
  /** Dotted names of request and reply fields that logs may show, `headers.<name>` for a reply's header; everything else is masked. */
  readonly visible: readonly string[];
  /** Method syntax, so that endpoints of different inputs fit in one list. */
  request(input: I, context: RequestContext<S>): Wire;
  /** Where the reply is a credential: seconds that it may be used, from the reply. */
  lifetimeSeconds?(reply: R): number;
  /** The credential that each of its requests carries: `call` gets it first. */
  readonly access?: CredentialEffect;
}

/** Any endpoint, for lists and drivers. */
export type AnyEndpoint = Endpoint<unknown, unknown, unknown>;

export interface CredentialEffect {
  readonly kind: 'credential';
  readonly endpoint: AnyEndpoint;
  readonly input: unknown;
}

export interface CallEffect {
  readonly kind: 'call';
  readonly step: string;
  readonly endpoint: AnyEndpoint;
  readonly input: unknown;
  /** The reply of the endpoint's `access`. */
  readonly credential?: unknown;
}

/** A flow in progress that makes calls and nothing else, with the credentials that they carry; every flow may go through it. */
export type Calls<T> = Generator<CallEffect | CredentialEffect, T, unknown>;

/**
 * One provider request. Answers the body, or `{ reply, body }` where the endpoint has several replies.
 *
 * @param step the journal's name of the step; the endpoint's name unless given
 */
export function* call<S, I, R>(endpoint: Endpoint<S, I, R>, input: I, step: string = endpoint.name): Calls<R> {
  const { access } = endpoint;
  const credential = access && (yield access);
  // The driver answers a call with a reply that has passed the endpoint's own schema; a generator cannot express that pairing.
  return (yield callEffect(step, anyEndpoint(endpoint), input, credential)) as R;
}

/** A function of its own: within a generator an object is put together several times as slowly. */
function callEffect(step: string, endpoint: AnyEndpoint, input: unknown, credential: unknown): CallEffect {
  return credential === undefined
    ? { kind: 'call', step, endpoint, input }
    : { kind: 'call', step, endpoint, input, credential };
}

/** The request of an effect, with the credential that it carries. */
export const requestOf = (
  effect: CallEffect | CredentialEffect,
  { settings, key }: Omit<RequestContext<unknown>, 'credential'>,
): Wire =>
  effect.endpoint.request(effect.input, {
    settings,
    key,
    credential: effect.kind === 'call' ? effect.credential : undefined,
  });

/** Lists and drivers treat endpoints alike; the pair (endpoint, input) was checked by the signature of `call`. */
export function anyEndpoint<S, I, R>(endpoint: Endpoint<S, I, R>): AnyEndpoint {
  return endpoint as AnyEndpoint;
}

interface Place extends Pick<Endpoint<never, never, never>, 'name' | 'path'> {
  /** GET where the endpoint is `safe`, POST where it is not, unless given. */
  readonly method?: Endpoint<never, never, never>['method'];
}

/** A declaration without its name, its method and its path. */
export interface Declared<S, I, R> {
  readonly baseUrl?: (settings: S) => string;
  readonly request: (input: I, context: RequestContext<S>) => Wire;
  /** How the reply is read; the request body says by itself how it is written. Default `json`. */
  readonly codec?: Codec;
  /** Default 15,000, at most 45,000 (`MAX_TIMEOUT_MS`). */
  readonly timeoutMs?: number;
  readonly examples?: readonly DeclaredExample[];
  /** Further names than those of the provider. */
  readonly visible?: readonly string[];
  readonly lifetimeSeconds?: (reply: R) => number;
  /** `false`: its requests do not carry the token of the provider's API, but one of their own or none. */
  readonly bearer?: false;
}

export type Repeats<S, I, R, FI, FR> =
  | { readonly repeat: 'safe' | 'once' }
  | { readonly repeat: 'keyed'; readonly keyed?: KeptKey }
  | { readonly repeat: 'by-reference'; readonly find: Lookup<S, I, R, FI, FR> | Lookups<S, I, R> };

/** Write `request` before `find`: TypeScript takes the type of the input from the first of them. */
export interface EndpointMaker<S> {
  <I, B extends z.ZodType, FI, FR>(
    declared: Place & Declared<S, I, z.output<B>> & Repeats<S, I, z.output<B>, FI, FR> & { readonly reply: B },
  ): Endpoint<S, I, z.output<B>>;
  <I, const V extends ReplyVariants, FI, FR>(
    declared: Place & Declared<S, I, ReplyOf<V>> & Repeats<S, I, ReplyOf<V>, FI, FR> & { readonly replies: V },
  ): Endpoint<S, I, ReplyOf<V>>;
}

/**
 * The longest time that an endpoint may wait for a reply. The host holds a run for 60 seconds from the beginning of each step
 * and then takes it for dead: a call that is still waiting would be taken over while its request is under way.
 */
export const MAX_TIMEOUT_MS = 45_000;

const DEFAULT_TIMEOUT_MS = 15_000;

const SUCCESS = [200, 201, 202] as const;

/** A declaration as `endpointOf` takes it: whatever the overloads of `EndpointMaker` let through. */
export type AnyDeclaration<S, I, R, FI, FR> = Place &
  Declared<S, I, R> &
  Repeats<S, I, R, FI, FR> &
  ({ readonly reply: z.ZodType } | { readonly replies: ReplyVariants });

/** The endpoint of a declaration whose provider says the source of all its examples. */
export function endpointOf<S, I, R, FI, FR>(
  declared: AnyDeclaration<S, I, R, FI, FR>,
  source: string,
  access?: CredentialEffect,
): Endpoint<S, I, R> {
  const plain = 'reply' in declared;
  const { request, lifetimeSeconds, baseUrl } = declared;
  const variants = plain ? { ok: { status: SUCCESS, body: declared.reply } } : declared.replies;
  refuseUpperCase(declared.name, variants);
  return {
    name: declared.name,
    method: declared.method ?? (declared.repeat === 'safe' ? 'GET' : 'POST'),
    path: declared.path,
    ...(baseUrl && { baseUrl }),
    repeat: declared.repeat,
    ...('find' in declared && { find: finderOf(declared.find) }),
    ...('keyed' in declared && declared.keyed && { keyed: declared.keyed }),
    codec: declared.codec ?? 'json',
    timeoutMs: timeoutOf(declared),
    variants,
    plain,
    examples: [...samplesOf(variants), ...(declared.examples ?? [])].map((example) => ({ source, ...example })),
    visible: declared.visible ?? [],
    request,
    ...(lifetimeSeconds && { lifetimeSeconds }),
    ...(access && { access }),
  };
}

/** The samples of the variants, in their order. */
function samplesOf(variants: ReplyVariants): readonly DeclaredExample[] {
  return Object.entries(variants).flatMap(([is, { status, samples = [] }]) => {
    const [first = 200] = [status].flat();
    return samples.map((body) => ({ is, status: first, body }));
  });
}

function finderOf<S, I, R, FI, FR>(find: Lookup<S, I, R, FI, FR> | Lookups<S, I, R>): Finder<S, I, R> {
  if ('steps' in find) return { endpoints: find.endpoints.map(anyEndpoint), steps: find.steps };
  return {
    endpoints: [anyEndpoint(find.endpoint)],
    *steps(input, context) {
      return find.read(yield* call(find.endpoint, find.input(input, context)), input);
    },
  };
}

/** @throws Error for a header that no reply would have under that name */
function refuseUpperCase(name: string, variants: ReplyVariants): void {
  for (const header of Object.values(variants).flatMap(({ headers }) => Object.keys(headers?.shape ?? {})))
    if (header !== header.toLowerCase())
      throw new Error(`Endpoint "${name}" reads the header "${header}". Write its name in lower case.`);
}

function timeoutOf({ name, timeoutMs = DEFAULT_TIMEOUT_MS }: { readonly name: string; readonly timeoutMs?: number }) {
  if (timeoutMs > MAX_TIMEOUT_MS)
    throw new Error(`Endpoint "${name}" has a timeoutMs of ${timeoutMs}; at most ${MAX_TIMEOUT_MS} is possible.`);
  return timeoutMs;
}
