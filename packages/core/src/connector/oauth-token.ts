import * as z from 'zod';
import { readPath } from '../plain-data.ts';
import type { DeclaredExample, Endpoint, EndpointMaker } from './endpoint.ts';
import type { JwsAlgorithm, Wire } from './wire.ts';

declare const btoa: (bytes: string) => string;

/** How the merchant proves to a token endpoint who it is. */
export type OAuthClient =
  /** RFC 6749, 2.3.1: in the header, or in the body. */
  | { readonly by: 'basic'; readonly id: string; readonly secret: string }
  | { readonly by: 'body'; readonly id: string; readonly secret: string }
  /** RFC 7523, 2.2: an assertion signed with the merchant's key, which is in PEM. */
  | {
      readonly by: 'private-key-jwt';
      readonly id: string;
      readonly key: string;
      readonly keyId: string;
      readonly algorithm: JwsAlgorithm;
      /** The provider's name for its token endpoint or for itself. */
      readonly audience: string;
    }
  /** RFC 8705, 2.1: by the certificate of `tls`. */
  | { readonly by: 'tls'; readonly id: string }
  /** Not OAuth's own: the provider names the headers, and reads no body. */
  | { readonly by: 'headers'; readonly headers: Readonly<Record<string, string>> };

/** A token endpoint as an adapter declares it. */
export interface Declared<S> {
  readonly name?: string;
  /** Below the address of the API, or of `baseUrl`; absent where `url` is given. */
  readonly path?: string;
  readonly baseUrl?: (settings: S) => string;
  /** The whole address of the token endpoint, where each account has its own. */
  readonly url?: (settings: S) => string;
  readonly client: (settings: S) => OAuthClient;
  readonly examples?: readonly DeclaredExample[];
}

/** The examples where a provider's documentation shows none. */
const GRANTED = {
  status: 200,
  body: { access_token: 'example-token', token_type: 'Bearer', expires_in: 3600 },
  source: 'https://www.rfc-editor.org/rfc/rfc6749, 4.4.3',
};
const EXCHANGED = [
  {
    is: 'granted',
    status: 200,
    body: { ...GRANTED.body, access_token: 'payers-token' },
    source: 'https://www.rfc-editor.org/rfc/rfc6749, 4.1.4',
  },
  {
    is: 'refused',
    status: 400,
    body: { error: 'invalid_grant' },
    source: 'https://www.rfc-editor.org/rfc/rfc6749, 5.2',
  },
];

/** Where a server does not say how long its token lives. */
const LIFETIME_SECONDS = 300;
/** How long an assertion may be on its way. */
const ASSERTION_SECONDS = 300;

const granted = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive().default(LIFETIME_SECONDS),
});

/**
 * A token endpoint of OAuth 2.0 for the merchant's own access (`client_credentials`: RFC 6749, 4.4). Its input is the scope.
 *
 * @example
 * const token = oauthToken(endpoint, {
 *   path: '/oauth2/token',
 *   baseUrl: (settings) => settings.login_url,
 *   client: (settings) => ({ by: 'basic', id: settings.client_id, secret: settings.client_secret }),
 * });
 * const { access_token } = yield* credential(token, 'payments');
 */
export function oauthToken<S>(
  endpoint: EndpointMaker<S>,
  { name = 'token', client, examples = [GRANTED], ...declared }: Declared<S>,
): Endpoint<S, string | void, z.output<typeof granted>> {
  const { params, ...place } = placeOf(declared);
  return endpoint({
    name,
    method: 'POST',
    ...place,
    repeat: 'safe',
    visible: ['grant_type', 'scope', 'expires_in'],
    request: (scope: string | void, { settings }): Wire => ({
      params: params(settings),
      ...proven(client(settings), {
        grant_type: 'client_credentials',
        scope: typeof scope === 'string' ? scope : undefined,
      }),
    }),
    reply: granted,
    lifetimeSeconds: ({ expires_in }) => expires_in,
    examples,
  });
}

/** The header that an access token is sent in: RFC 6750, 2.1. */
export function bearerOf(name: string, credential: unknown): Readonly<Record<string, string>> {
  const token = readPath(credential, 'access_token');
  if (typeof token !== 'string') throw new Error(`"${name}" carries an access token, and was built without one.`);
  return { authorization: `Bearer ${token}` };
}

function placeOf<S>({ path = '', baseUrl, url }: Pick<Declared<S>, 'path' | 'baseUrl' | 'url'>) {
  if (url === undefined) return { path, ...(baseUrl && { baseUrl }), params: () => ({}) };
  return wholeAddress('token_endpoint', url);
}

/** A whole address is called otherwise at each account, so its last part is a place of the path. */
function wholeAddress<S>(place: string, url: (settings: S) => string) {
  const lastSlash = (settings: S) => url(settings).lastIndexOf('/');
  return {
    path: `/{${place}}`,
    baseUrl: (settings: S) => url(settings).slice(0, lastSlash(settings)),
    params: (settings: S) => ({ [place]: url(settings).slice(lastSlash(settings) + 1) }),
  };
}

/** A server publishes a new key before it signs by it, and leaves the old one beside it for a while. */
const KEYS_SECONDS = 300;

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The public keys of an authorisation server, at its `jwks_uri` (RFC 8414, 2; RFC 7517, 5): kept in memory as a credential, for `signedAnswer`.
 *
 * @example
 * const keys = jwkSet(api.endpoint, { url: ({ jwks_uri }) => jwks_uri, sample: { body: { keys: [publicKey] } } });
 * const set = yield* credential(keys);
 */
export function jwkSet<S>(
  endpoint: EndpointMaker<S>,
  {
    name = 'get-keys',
    url,
    sample,
  }: { readonly name?: string; readonly url: (settings: S) => string; readonly sample: DeclaredExample },
): Endpoint<S, void, z.output<typeof keySet>> {
  const { params, ...place } = wholeAddress('jwks', url);
  return endpoint({
    name,
    method: 'GET',
    ...place,
    repeat: 'safe',
    bearer: false,
    request: (_nothing: void, { settings }): Wire => ({ params: params(settings) }),
    reply: keySet,
    lifetimeSeconds: () => KEYS_SECONDS,
    examples: [sample],
  });
}

/** The code that the payer brings back from the authorisation, and the address they came back to. */
interface Authorised {
  readonly code: string;
  readonly redirectUri: string;
}

const refusal = () => z.object({ error: z.string().max(64) });

/**
 * A token endpoint of OAuth 2.0 for what a payer has authorised (`authorization_code`: RFC 6749, 4.1.3). The token is one payer's, so it is no
 * credential of the account: it is called, and written down with its run. A code is taken once, so a repeat may be refused.
 *
 * @example
 * const exchangeCode = oauthCode(endpoint, { path: '/oauth2/token', client: ({ client_id: id }) => ({ by: 'tls', id }) });
 * const answer = yield* call(exchangeCode, { code, redirectUri: urls.return });
 */
export function oauthCode<S>(
  endpoint: EndpointMaker<S>,
  { name = 'exchange-code', client, examples = EXCHANGED, ...declared }: Declared<S>,
): Endpoint<
  S,
  Authorised,
  | { readonly reply: 'granted'; readonly body: z.output<typeof granted> }
  | { readonly reply: 'refused'; readonly body: z.output<ReturnType<typeof refusal>> }
> {
  const { params, ...place } = placeOf(declared);
  return endpoint({
    name,
    method: 'POST',
    ...place,
    repeat: 'safe',
    bearer: false,
    visible: ['grant_type', 'expires_in', 'error'],
    request: ({ code, redirectUri }: Authorised, { settings }): Wire => ({
      params: params(settings),
      ...proven(client(settings), { grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    }),
    replies: { granted: { status: 200, body: granted }, refused: { status: 400, body: refusal() } },
    examples,
  });
}

/** The request for a token, with the client's proof. */
function proven(client: OAuthClient, asked: Readonly<Record<string, string | undefined>>): Wire {
  if (client.by === 'headers') return { headers: client.headers };
  if (client.by === 'basic')
    return {
      form: asked,
      headers: { authorization: `Basic ${btoa(`${formText(client.id)}:${formText(client.secret)}`)}` },
    };
  const form = { ...asked, client_id: client.id };
  if (client.by === 'body') return { form: { ...form, client_secret: client.secret } };
  return client.by === 'tls' ? { form } : asserted(form, client);
}

function asserted(
  form: Readonly<Record<string, string | undefined>>,
  { id, key, keyId, algorithm, audience }: Extract<OAuthClient, { readonly by: 'private-key-jwt' }>,
): Wire {
  return {
    form: { ...form, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' },
    sign: {
      scheme: 'jwt',
      algorithm,
      key,
      header: () => ({ kid: keyId }),
      claims: ({ now, id: jti }) => ({ iss: id, sub: id, aud: audience, jti, iat: now, exp: now + ASSERTION_SECONDS }),
      into: { field: 'client_assertion' },
    },
  };
}

/** As a form writes it, so that Base64 meets no letter beyond Latin: RFC 6749, appendix B. */
const formText = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
